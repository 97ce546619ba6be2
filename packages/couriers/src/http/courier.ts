/**
 * The HTTP courier: posts each recipient's message to their URL, and later its new text or that it is withdrawn, and says what became of it. Each URL is a provider of its own, so
 * that there is no line that could be lost: it is always ready, and an endpoint that is away concerns those it is for.
 */
import { http } from '@courier-fleet/channels'
import { sleep, startDeadline } from '@courier-fleet/process'
import { createGuardedClient, endpointOf, type Leave } from '@courier-fleet/webhooks'
import type { Courier, Edit, Item, Outcome } from '../courier.ts'
import { createReadiness } from '../readiness.ts'
import type { ProcessDeps } from '../registry.ts'
import type { WhoseEndpoint } from '../tell-owner.ts'
import { createAfterwards } from './afterwards.ts'
import type { Change } from './body.ts'
import { type Call, letGo, makeCall, notNoted, whoseOf } from './call.ts'
import type { HttpConfig } from './config.ts'
import { leftAlone, switchedOff } from './outcome.ts'
import { createPlaces, type Place } from './places.ts'
import { createSeenClosed } from './seen-closed.ts'
import type { HttpTiming } from './timing.ts'

/** calls of one process that may be unanswered at once */
const window = 256
const concurrency = 16
/** Most of those who found no place do so in a moment; who waits longer for one is in nobody's way. */
const crowdedMs = 1_000
/** then its owner is told again, where that has failed */
const untoldMs = 60_000

const notBegun: Outcome = {
  kind: 'throttled',
  retryAfterMs: 100,
  scope: 'account',
  reason: 'the rate allows no more for now',
}
const badAddress: Outcome = { kind: 'rejected', class: 'invalid', detail: 'bad-address: no URL' }
const unsigned: Outcome = {
  kind: 'rejected',
  class: 'refused',
  detail: 'no-secret: nothing to sign it with; make a secret for it (:rotate)',
}
const crowded: Outcome = {
  kind: 'not-taken',
  retryAfterMs: crowdedMs,
  detail: 'as many calls of it as may run at once have no answer yet',
  wasAsked: false,
}

/** Nobody is given up whose owner does not know of it yet: whoever switched it off may have been killed before it said so. */
async function whenOff(
  { sinceMs, failingSinceMs, isTold }: Extract<Leave, { kind: 'off' }>,
  whose: WhoseEndpoint,
  { tellOwner, log }: ProcessDeps,
): Promise<Outcome> {
  try {
    if (!isTold) await tellOwner(whose)
    return switchedOff(sinceMs, failingSinceMs === undefined ? 'by-hand' : 'failures')
  } catch (error) {
    log.warn({ err: error }, 'the owner of an endpoint that is switched off could not be told')
    return leftAlone(untoldMs)
  }
}

/** While Redis is away nothing is known of an endpoint: then it is called. */
const readLeave = (endpoint: string, { breakers, log }: Pick<ProcessDeps, 'breakers' | 'log'>): Promise<Leave> =>
  breakers.ask(endpoint).catch((error: unknown) => {
    log.warn({ err: error }, 'whether an endpoint may be called could not be read')
    return { kind: 'go' }
  })

type SendOne = (item: Item, signal: AbortSignal, change?: Change) => Promise<Outcome>

const telling =
  (type: Change['type'], sendOne: SendOne) =>
  (messages: readonly Edit[], signal: AbortSignal): Promise<Outcome[]> =>
    Promise.all(messages.map((message) => sendOne(message, signal, { type, of: message.providerId })))

export function buildHttpCourier(config: HttpConfig, deps: ProcessDeps, timing: HttpTiming): Courier {
  const { breakers, log, pacer } = deps
  const { perSecond, retryScale } = config
  const readiness = createReadiness(deps.clock)
  const client = createGuardedClient(config.guarded)
  const seenClosed = createSeenClosed(deps.clock)
  const afterwards = createAfterwards(log, notNoted)
  const callDeps = { ...deps, client, seenClosed, afterwards, retryScale, deadlineMs: timing.deadlineMs }
  const places = createPlaces()

  /** @returns why it is not called now, or as what it is */
  async function leaveOf(whose: WhoseEndpoint, { class: cls, envelope }: Item, signal: AbortSignal) {
    const { endpoint } = whose
    const isClosed = seenClosed.holds(endpoint, envelope?.closedAtMs)
    const leave: Leave = isClosed ? { kind: 'go' } : await readLeave(endpoint, deps)
    if (leave.kind === 'wait') return leftAlone(leave.ms)
    if (leave.kind === 'off') return whenOff(leave, whose, deps)
    try {
      await pacer.take(1, cls, signal)
      return leave.kind
    } catch {
      if (leave.kind === 'probe') afterwards.add(breakers.giveBack(endpoint))
      return notBegun
    }
  }

  async function call(made: Call, signal: AbortSignal): Promise<Outcome> {
    const calling = makeCall(made, callDeps, signal)
    const done = new AbortController()
    const slow = sleep(timing.letGoMs, done.signal).then(() => undefined)
    const outcome = await Promise.race([calling, slow])
    done.abort()
    return outcome ?? letGo(calling, made, timing.letGoMs, callDeps)
  }

  async function sendOne(item: Item, signal: AbortSignal, change?: Change): Promise<Outcome> {
    const { envelope, address } = item
    if (http.address.normalise(address) !== address) return badAddress
    if (!envelope || envelope.secrets.length === 0) return unsigned
    const endpoint = endpointOf(envelope.of, address)
    const begin = startDeadline(timing.placeMs, signal)
    let place: Place | undefined
    try {
      place = await places.take(endpoint, begin.signal)
      if (!place) return signal.aborted ? notBegun : crowded
      const leave = await leaveOf(whoseOf({ item, envelope, endpoint }), item, begin.signal)
      if (leave === 'go' || leave === 'probe') {
        return await call({ item, envelope, endpoint, isProbe: leave === 'probe', place, change }, signal)
      }
      place.free()
      return leave
    } finally {
      begin.end()
    }
  }

  return {
    channel: http.name,
    account: 'webhooks',
    target: config.target,
    batchSize: window,
    concurrency,
    window,
    keySpan: 1,
    foldsResends: http.abilities.foldsResends,
    readiness,
    wantsEnvelopes: true,
    ...(perSecond === undefined ? {} : { rate: { units: perSecond, perMs: 1000 } }),
    start: async () => readiness.ready(),
    async stop() {
      await afterwards.end()
      await client.close()
    },
    send: (items, signal) => Promise.all(items.map((item) => sendOne(item, signal))),
    edit: telling('corrected', sendOne),
    recall: telling('recalled', sendOne),
  }
}
