/**
 * A stand-in of a mail server and of the mailboxes behind it: takes messages by SMTP from whoever logs in, and brings bounces
 * back to where the message came from. A `throttle` greylists; a `disconnect` cuts the connection before the message is
 * asked for, a `reply-lost` after it was taken; `reports` are bounces: failed, late, twice.
 */
import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { buffer } from 'node:stream/consumers'
import type { EndpointOf } from '@courier-fleet/channels'
import { isSameSecret } from '@courier-fleet/process'
import { SMTPServer, type SMTPServerSession } from 'smtp-server'
import { createChatLog } from '../chat-log.ts'
import { createRate } from '../rate.ts'
import type { StandIn, StandInDeps } from '../stand-in-module.ts'
import { createBounces } from './bounces.ts'
import { createMailboxes, type Verdict } from './mailboxes.ts'

/** `ports`: smtp, and bounces: where those who send messages take them back */
export interface MailServerOptions extends StandInDeps {
  readonly user?: string
  readonly password?: string
  /** after this a bounce that was not taken is brought again */
  readonly retryMs?: number
}

type Done = (error: Error | null, said?: string) => void

const maxMessageBytes = 1024 * 1024
const common = {
  allowInsecureAuth: true,
  disabledCommands: ['STARTTLS'],
  disableReverseLookup: true,
  hideENHANCEDSTATUSCODES: true,
  size: maxMessageBytes,
  rejectOversized: true,
  closeTimeout: 1,
}

export async function startStandIn(options: MailServerOptions): Promise<StandIn<EndpointOf<'mail'>>> {
  const { world, host = '127.0.0.1', user = 'fleet', password = 'sandbox', retryMs = 1000, log } = options
  const bouncePort = options.ports?.bounces ?? (await unusedPort(host))
  const bounces = createBounces({ port: bouncePort, retryMs, log })
  const mailboxes = createMailboxes(world)
  const rate = createRate()
  const sockets = new Map<string, Socket>()

  const server = new SMTPServer({
    ...common,
    onAuth(given, _session, done) {
      if (given.username === user && isSameSecret(given.password, password)) done(null, { user })
      else done(refusal(535, '5.7.8 the credentials are not good'))
    },
    onMailFrom(_address, _session, done) {
      const isTooMany = !rate.take(world.limits.mail.perSecond, performance.now())
      done(isTooMany ? refusal(450, '4.7.0 too many messages, slow down') : null)
    },
    onRcptTo: ({ address }, session, done) => say(mailboxes.recipient(address.toLowerCase()), session, done),
    async onData(stream, session, done) {
      // the envelope is gone once there is an answer
      const { mailFrom, rcptTo } = session.envelope
      const address = rcptTo[0]?.address.toLowerCase() ?? ''
      const content = await buffer(stream).catch(() => undefined)
      if (!content) return
      const accepted = world.accepted.length
      say(mailboxes.message(address, content), session, done)
      if (world.accepted.length > accepted && mailFrom) bounce(address, mailFrom.address, session)
    },
  })

  function say(verdict: Verdict, { remotePort }: SMTPServerSession, done: Done): void {
    if (verdict.kind === 'cut') sockets.get(String(remotePort))?.destroy()
    else if (verdict.kind === 'reply' && verdict.code < 400) done(null, verdict.text)
    else if (verdict.kind === 'reply') done(refusal(verdict.code, verdict.text))
  }

  function bounce(about: string, to: string, { remoteAddress }: SMTPServerSession): void {
    const fault = world.takeFault('mail', 'reports', about)
    if (fault) bounces.bring({ fault, to, about, host: remoteAddress })
  }

  server.on('error', (error) => log.debug({ reason: error.message }, 'a connection to the mail server broke off'))
  server.server.on('connection', (socket) => {
    const name = String(socket.remotePort)
    sockets.set(name, socket)
    socket.on('close', () => sockets.delete(name))
  })
  const listening = server.listen(options.ports?.smtp ?? 0, host)
  await once(listening, 'listening')
  const { port } = listening.address() as AddressInfo
  world.chats.mail ??= createChatLog(world, 'mail')

  return {
    endpoint: { host, port, user, password, bouncePort },
    ports: { smtp: port, bounces: bouncePort },
    async stop() {
      bounces.stop()
      if (!listening.listening) return
      const closed = new Promise<void>((resolve) => server.close(resolve))
      for (const socket of sockets.values()) socket.destroy()
      await closed
    },
  }
}

const refusal = (responseCode: number, message: string) => Object.assign(new Error(message), { responseCode })

async function unusedPort(host: string): Promise<number> {
  const server = createServer().listen(0, host)
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}
