/**
 * The push courier: encrypts each recipient's message for their browser, hands it to the push service that the browser named, and says what
 * became of it. Each browser has the service of whoever made it, so that there is no one line that could be lost: the courier is always
 * ready, and a service that is away is left alone for a while.
 */
import { splitText } from '@courier-fleet/api-types'
import { type BrowserSubscription, push, subscriptionIn } from '@courier-fleet/channels'
import { type Deadline, startDeadline } from '@courier-fleet/process'
import { createGuardedClient, type VapidKeys } from '@courier-fleet/webhooks'
import type { Courier, CourierDeps, Item, Outcome } from '../courier.ts'
import { createReadiness } from '../readiness.ts'
import type { PushConfig } from './config.ts'
import { awayFor, outcomeOf } from './outcome.ts'
import { type Notification, requestFor } from './request.ts'
import { createServices } from './services.ts'
import type { PushTiming } from './timing.ts'

/** notifications of one process that may be in doubt at once */
const window = 32
/** One that is recorded, one that fills the window, one made ready to follow; and one for what is urgent. */
const concurrency = 4
/** The part of the deadline within which a message must have begun. */
const beginShare = 0.25
/** The client gives up before the deadline does: then it says that the service is silent, and not that somebody told it to stop. */
const marginMs = 100

const notBegun: Outcome = {
  kind: 'throttled',
  retryAfterMs: 100,
  scope: 'account',
  reason: 'the rate allows no more for now',
}
const badAddress: Outcome = { kind: 'rejected', class: 'invalid', detail: 'bad-address: no subscription of a browser' }
const noKey: Outcome = {
  kind: 'rejected',
  class: 'refused',
  detail: 'no-key: this courier runs without the FLEET_SECRET that the key of the fleet is made of',
}

interface Limits {
  readonly begin: Deadline
  readonly end: Deadline
}

export function buildPushCourier(config: PushConfig, deps: CourierDeps, timing: PushTiming): Courier {
  const { keys, perSecond } = config
  const { clock, pacer } = deps
  const readiness = createReadiness(clock)
  const client = createGuardedClient(config.guarded)
  const services = createServices(clock)

  async function hand(to: BrowserSubscription, what: Notification, own: VapidKeys, limits: Limits): Promise<Outcome> {
    const { origin } = new URL(to.endpoint)
    const waitMs = services.waitMs(origin)
    const reason = 'not sent: the push service cannot be reached, or has asked to be left alone'
    if (waitMs > 0) return { kind: 'throttled', scope: 'recipient', retryAfterMs: waitMs, reason, isOwn: true }
    let request: ReturnType<typeof requestFor>
    try {
      request = requestFor(to, what, { contact: config.contact, keys: own })
    } catch {
      return { kind: 'rejected', class: 'invalid', detail: 'bad-key: nothing can be encrypted for this browser' }
    }
    const timeoutMs = Math.max(1, limits.end.leftMs - marginMs)
    const answer = await client.post(to.endpoint, { ...request, timeoutMs }, limits.end.signal)
    const asked = { id: what.id, nowMs: clock.now(), timing }
    const awayMs = awayFor(answer, asked)
    if (awayMs !== undefined) services.leaveAlone(origin, awayMs)
    return outcomeOf(answer, asked)
  }

  async function sendOne(item: Item, limits: Limits): Promise<Outcome> {
    const subscription = subscriptionIn(item.address)
    if (!subscription) return badAddress
    if (!keys) return noKey
    const parts = splitText(item.text, push.text.maxPieceUnits)
    try {
      await pacer.take(parts.length, item.class, limits.begin.signal)
    } catch {
      return notBegun
    }
    const whole = idOf(item)
    for (const [index, text] of parts.entries()) {
      const id = index === 0 ? whole : `${whole}-${index + 1}`
      const outcome = await hand(subscription, { id, text, class: item.class }, keys, limits)
      if (outcome.kind !== 'sent') return index === 0 ? outcome : inOneOf(parts.length, outcome)
    }
    return { kind: 'sent', providerId: whole }
  }

  return {
    channel: push.name,
    // what is public of the key
    account: `vapid-${keys?.publicKey.slice(-12) ?? 'none'}`,
    target: config.target,
    batchSize: window,
    concurrency,
    window,
    keySpan: 1,
    foldsResends: push.abilities.foldsResends,
    readiness,
    ...(perSecond === undefined ? {} : { rate: { units: perSecond, perMs: 1000 } }),
    start: async () => readiness.ready(),
    stop: () => client.close(),

    async send(items, signal) {
      const begin = startDeadline(timing.deadlineMs * beginShare, signal, 'the rate allows no more')
      const end = startDeadline(timing.deadlineMs, signal)
      try {
        return await Promise.all(items.map((item) => sendOne(item, { begin, end })))
      } finally {
        begin.end()
        end.end()
      }
    },
  }
}

const idOf = ({ key }: Pick<Item, 'key'>): string => key.toString(16).padStart(16, '0')

/** The parts before it are taken: what is sent again of them takes their place in the browser. */
function inOneOf(total: number, outcome: Exclude<Outcome, { kind: 'sent' }>): Outcome {
  const note = `, in one of ${total} parts`
  if (outcome.kind === 'unknown') return { ...outcome, why: outcome.why + note }
  if (outcome.kind === 'rejected') return { ...outcome, detail: outcome.detail + note, isPartlyTaken: true }
  if (outcome.kind === 'throttled') return { ...outcome, reason: outcome.reason + note, isPartlyTaken: true }
  return outcome
}
