/** One call of an endpoint: signed, its answer told to the breaker, and what that means for the recipient. */
import { type Answer, type GuardedClient, signedHeaders, toldOf } from '@courier-fleet/webhooks'
import type { Outcome } from '../courier.ts'
import type { ProcessDeps } from '../registry.ts'
import type { WhoseEndpoint } from '../tell-owner.ts'
import type { Afterwards } from './afterwards.ts'
import { bodyOf, idOf, type Saying } from './body.ts'
import { outcomeOf, switchedOff } from './outcome.ts'
import type { Place } from './places.ts'
import type { SeenClosed } from './seen-closed.ts'

export interface Call extends Saying {
  readonly endpoint: string
  /** it was left alone, and this call is to find out whether it is well again */
  readonly isProbe: boolean
  readonly place: Place
}

export interface CallDeps extends Pick<ProcessDeps, 'breakers' | 'clock' | 'log' | 'onReport' | 'tellOwner'> {
  readonly client: Pick<GuardedClient, 'post'>
  readonly seenClosed: Pick<SeenClosed, 'failed'>
  readonly afterwards: Pick<Afterwards, 'add'>
  readonly deadlineMs: number
  readonly retryScale: number
}

export const notNoted = 'what an endpoint answered could not be noted'

export const whoseOf = ({ item, envelope, endpoint }: Pick<Call, 'item' | 'envelope' | 'endpoint'>): WhoseEndpoint => ({
  endpoint,
  url: item.address,
  owner: envelope.person ?? envelope.of,
  isContact: envelope.person !== undefined,
})

/** Gives its place back with the answer. */
export async function makeCall(call: Call, deps: CallDeps, signal: AbortSignal): Promise<Outcome> {
  const { item, envelope, place, change } = call
  const { client, clock, deadlineMs } = deps
  const id = idOf(call)
  const body = bodyOf(call)
  const signature = signedHeaders({ id, secrets: envelope.secrets, atMs: clock.now(), body })
  const headers = { 'content-type': 'application/json', 'user-agent': 'courier-fleet', ...signature }
  const answer = await client.post(item.address, { headers, body, timeoutMs: deadlineMs }, signal)
  place.free()
  const told = toldOf(answer, clock.now())
  if (told?.answer === 'ok') deps.afterwards.add(tell(call, told, deps))
  else if (told && (await isSwitchedOff(call, told, deps))) return switchedOff(clock.now(), 'failures')
  else if (!told && call.isProbe) deps.afterwards.add(deps.breakers.giveBack(call.endpoint))
  const outcome = meaningOf(call, answer, deps)
  // what is told of a message leaves it known by its own id
  return change && outcome.kind === 'sent' ? { ...outcome, providerId: change.of } : outcome
}

type Told = NonNullable<ReturnType<typeof toldOf>>

const tell = ({ endpoint, item, isProbe }: Call, told: Told, { breakers }: CallDeps) =>
  breakers.tell(endpoint, { ...told, isProbe, host: new URL(item.address).host })

const meaningOf = (call: Call, answer: Answer, { clock, retryScale }: CallDeps): Outcome => {
  const { triesBefore = 0 } = call.item
  return outcomeOf(answer, { id: idOf(call), triesBefore, scale: retryScale, nowMs: clock.now() })
}

/** By this very answer: those before it said no more than that it has failed. Its owner knows by then. */
async function isSwitchedOff(call: Call, told: Told, deps: CallDeps): Promise<boolean> {
  const { log, seenClosed, tellOwner } = deps
  seenClosed.failed(call.endpoint)
  try {
    if ((await tell(call, told, deps)) !== 'off-now') return false
    await tellOwner(whoseOf(call))
    return true
  } catch (error) {
    log.warn({ err: error }, notNoted)
    return false
  }
}

/** It goes on, and nobody waits for it: should it be taken after all, that is said then. @returns what is known until then */
export function letGo(calling: Promise<Outcome>, call: Call, afterMs: number, deps: CallDeps): Outcome {
  call.place.slow()
  const providerId = idOf(call)
  const late = async () => {
    // of a change nobody waits for a report: it is told again, and folded
    if ((await calling).kind !== 'sent' || call.change) return
    await deps.onReport({ providerIds: [providerId], state: 'sent', answered: { providerId, reportId: providerId } })
  }
  late().catch((error: unknown) => deps.log.warn({ err: error }, 'a late answer could not be recorded'))
  const detail = `no answer within ${afterMs} ms; the call goes on`
  const none: Answer = { kind: 'no-answer', why: 'timed-out', detail, sent: true, ms: afterMs }
  return { ...meaningOf(call, none, deps), ...{ providerId } } as Outcome
}
