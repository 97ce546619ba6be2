/** The mail courier: composes each recipient's message, hands it over, and says what became of it. */
import { mail } from '@courier-fleet/channels'
import { type Deadline, startDeadline } from '@courier-fleet/process'
import type { Courier, CourierDeps, Item, Outcome } from '../courier.ts'
import { createReach } from '../reach.ts'
import { createReadiness } from '../readiness.ts'
import { createBounceListener } from './bounce-listener.ts'
import { compose } from './compose.ts'
import type { MailConfig } from './config.ts'
import { NoConnection, openConnection, Refusal, type Reply } from './connection.ts'
import { type ConnectionPool, createConnectionPool } from './connection-pool.ts'
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
  const readiness = createReadiness(deps.clock)
  const pool = createConnectionPool({ size: connections, open: (signal) => openConnection(config.server, signal) })
  const ask = (signal: AbortSignal) => connectOnce(pool, timing.deadlineMs, signal)
  const reach = createReach({ readiness, ask, retryMs: timing.retryMs, log })
  const bounces = config.bounces ? createBounceListener({ ...config.bounces, config, timing, deps }) : undefined

  async function sendOne(item: Item, begin: Deadline, end: Deadline): Promise<Outcome> {
    if (mail.address.normalise(item.address) !== item.address) return badAddress
    try {
      await pacer.take(1, item.class, begin.signal)
    } catch {
      return notBegun
    }
    const message = await compose(item, config)
    let reply: Reply
    try {
      reply = await pool.use(begin.signal, (connection) => connection.deliver(message, end.signal))
    } catch (error) {
      if (error instanceof Refusal) reply = error.reply
      else if (error instanceof NoConnection) reply = { kind: 'not-sent', why: error.message }
      else return notBegun
    }
    if (reply.kind === 'not-sent') reach.lose(reply.why)
    return outcomeOf(reply, message.id)
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
    readiness,
    offersOneClick: config.publicUrl !== undefined,
    asksBy: config.publicUrl === undefined ? undefined : 'link',
    givesReports: bounces !== undefined,
    ...(perSecond === undefined ? {} : { rate: { units: perSecond, perMs: 1000 } }),
    async start(signal) {
      const refusal = await reach.until(signal)
      if (refusal) throw new Error(`the mail server refuses the credentials in MAIL_SMTP_URL (${refusal.reply.code})`)
      await bounces?.start()
    },
    async stop() {
      reach.stop()
      pool.stop()
      await bounces?.stop()
    },

    async send(items, signal) {
      const notReady = readiness.notReady()
      if (notReady) return items.map(() => ({ kind: 'not-sent', why: notReady.why }))
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

/** @returns as the answer what the server has against the credentials, or nothing */
async function connectOnce(
  pool: ConnectionPool,
  ms: number,
  signal: AbortSignal,
): Promise<{ answer: Refusal | undefined } | { why: string }> {
  const deadline = startDeadline(ms, signal)
  try {
    await pool.use(deadline.signal, async () => {})
    return { answer: undefined }
  } catch (error) {
    const isOfCredentials = error instanceof Refusal && refusesCredentials(error.reply)
    return isOfCredentials ? { answer: error } : { why: (error as Error).message }
  } finally {
    deadline.end()
  }
}
