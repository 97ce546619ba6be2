/** The mail courier: composes each recipient's message, hands it over, and says what became of it. */
import { mail } from '@courier-fleet/channels'
import { type Deadline, sleep, startDeadline } from '@courier-fleet/process'
import type { Courier, CourierDeps, Item, Outcome } from '../courier.ts'
import { createBounceListener } from './bounce-listener.ts'
import { compose } from './compose.ts'
import type { MailConfig } from './config.ts'
import { openConnection, Refusal, type Reply } from './connection.ts'
import { createConnectionPool } from './connection-pool.ts'
import { outcomeOf, refusesCredentials } from './outcome.ts'
import type { MailTiming } from './timing.ts'

/** The part of the deadline within which a message must have begun. */
const beginShare = 0.25
/** One that is recorded, one that fills the window, one made ready to follow; and one for what is urgent. */
const concurrency = 4

const notBegun: Outcome = {
  kind: 'throttled',
  retryAfterMs: 100,
  scope: 'account',
  reason: 'the rate allows no more for now',
}
const badAddress: Outcome = { kind: 'rejected', class: 'invalid', detail: 'bad-address: no e-mail address' }

/** SMTP folds no resends: what nobody answered stays `unknown`, and never more of it than one window. */
export function buildMailCourier(config: MailConfig, deps: CourierDeps, timing: MailTiming): Courier {
  const { account, target, connections, perSecond } = config
  const { log, pacer } = deps
  const pool = createConnectionPool({ size: connections, open: (signal) => openConnection(config.server, signal) })
  const bounces = config.bounces ? createBounceListener({ ...config.bounces, config, timing, deps }) : undefined

  async function sendOne(item: Item, begin: Deadline, end: Deadline): Promise<Outcome> {
    if (mail.address.normalise(item.address) !== item.address) return badAddress
    try {
      await pacer.take(1, begin.signal)
    } catch {
      return notBegun
    }
    const message = await compose(item, config)
    let reply: Reply
    try {
      reply = await pool.use(begin.signal, (connection) => connection.deliver(message, end.signal))
    } catch (error) {
      reply = error instanceof Refusal ? error.reply : { kind: 'not-sent', why: (error as Error).message }
    }
    return outcomeOf(reply, message.id)
  }

  async function start(signal: AbortSignal): Promise<void> {
    while (!(await isWelcome(signal))) await sleep(timing.retryMs, signal)
    await bounces?.start()
  }

  /** @throws Error when the server refuses the credentials, or `signal` is aborted */
  async function isWelcome(signal: AbortSignal): Promise<boolean> {
    const deadline = startDeadline(timing.deadlineMs, signal)
    try {
      await pool.use(deadline.signal, async () => {})
      return true
    } catch (error) {
      signal.throwIfAborted()
      if (error instanceof Refusal && refusesCredentials(error.reply))
        throw new Error(`the mail server refuses the credentials in MAIL_SMTP_URL (${error.reply.code})`)
      log.warn({ reason: (error as Error).message }, 'the mail server does not answer; trying again')
      return false
    } finally {
      deadline.end()
    }
  }

  return {
    channel: mail.name,
    account,
    target,
    batchSize: connections,
    concurrency,
    window: connections,
    keySpan: 1,
    foldsResends: mail.abilities.foldsResends,
    givesReports: bounces !== undefined,
    ...(perSecond === undefined ? {} : { rate: { units: perSecond, perMs: 1000 } }),
    start,
    async stop() {
      pool.stop()
      await bounces?.stop()
    },

    async send(items, signal) {
      const begin = startDeadline(timing.deadlineMs * beginShare, signal, 'the rate allows no more')
      const end = startDeadline(timing.deadlineMs, signal)
      try {
        return await Promise.all(items.map((item) => sendOne(item, begin, end)))
      } finally {
        begin.end()
        end.end()
      }
    },
  }
}
