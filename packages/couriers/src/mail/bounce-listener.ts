/**
 * Takes bounces by SMTP. The address a bounce comes to names its message and is signed (VERP), so any process of the account
 * may take any bounce: one process of a machine has the port, the others stand by for it.
 */
import { text } from 'node:stream/consumers'
import { SMTPServer } from 'smtp-server'
import type { CourierDeps } from '../courier.ts'
import { createSharedPort } from '../shared-port.ts'
import { failureIn } from './bounce.ts'
import type { MailConfig } from './config.ts'
import { readSignedId } from './signed-id.ts'
import type { MailTiming } from './timing.ts'

export interface BounceListenerOptions {
  /** of the bounce mailbox; bounces come to +<signed id> of it */
  readonly address: string
  /** to listen on */
  readonly host: string
  readonly port: number
  readonly config: Pick<MailConfig, 'secret'>
  readonly timing: Pick<MailTiming, 'standbyMs'>
  readonly deps: Pick<CourierDeps, 'onReport' | 'log'>
}

export interface BounceListener {
  start(): Promise<void>
  stop(): Promise<void>
}

/** a bounce may carry the whole message */
const maxBounceBytes = 1024 * 1024
const maxReasonLength = 200

export function createBounceListener({
  address,
  host,
  port,
  config,
  timing,
  deps,
}: BounceListenerOptions): BounceListener {
  const { log } = deps
  const [mailbox = '', domain = ''] = address.split('@')

  function idOf(recipient: string): string | undefined {
    const [local = '', at] = recipient.toLowerCase().split('@')
    if (at !== domain || !local.startsWith(`${mailbox}+`)) return undefined
    return readSignedId(config.secret, local.slice(mailbox.length + 1))
  }

  async function take(recipients: readonly string[], message: string): Promise<void> {
    const reason = failureIn(message)?.slice(0, maxReasonLength)
    const providerIds = recipients.flatMap((recipient) => idOf(recipient) ?? [])
    if (reason !== undefined)
      for (const id of providerIds) await deps.onReport({ providerIds: [id], state: 'failed', reason })
  }

  const smtp = new SMTPServer({
    disabledCommands: ['AUTH', 'STARTTLS'],
    disableReverseLookup: true,
    size: maxBounceBytes,
    rejectOversized: true,
    closeTimeout: 100,
    onRcptTo: (recipient, _session, done) =>
      done(idOf(recipient.address) === undefined ? refusal(550, '5.1.1 no such mailbox') : null),
    onData(stream, { envelope }, done) {
      const recipients = envelope.rcptTo.map((each) => each.address)
      text(stream)
        .then((message) => take(recipients, message))
        .then(
          () => done(null, 'taken'),
          (error: unknown) => {
            log.warn({ err: error }, 'a bounce could not be recorded; the mail server will bring it again')
            done(refusal(451, '4.3.0 not now'))
          },
        )
    },
  })
  smtp.on('error', (error) => log.debug({ reason: error.message }, 'a connection with bounces broke off'))
  const shared = createSharedPort({
    server: smtp.server,
    port,
    host,
    standbyMs: timing.standbyMs,
    what: 'bounces',
    log,
  })

  return {
    start: () => shared.take(),
    async stop() {
      await shared.leave()
      if (smtp.server.listening) await new Promise<void>((resolve) => smtp.close(resolve))
    },
  }
}

const refusal = (responseCode: number, message: string) => Object.assign(new Error(message), { responseCode })
