/**
 * How far subscriptions have come, as Redis has it: of each resource what was delivered last, what is on its way, and when it is due. One
 * notifier at a time works at a subscription, under a lease; docs/decisions/0035 draws the states.
 */
import {
  bytesReply,
  defineScript,
  flagReply,
  hints,
  keys,
  listReply,
  numberReply,
  optionalReply,
  packTold,
  type Redis,
  type Sending,
  type Told,
  textReply,
  unpackTold,
} from '@courier-fleet/store'
import { workKeys } from '@courier-fleet/subscriptions'

const noteScript = defineScript('note-marks', {
  keys: ['record', 'due', 'again', 'sending', 'all'],
  args: ['id', 'longestMs'],
  reply: numberReply,
})
const dueScript = defineScript('due-subscriptions', { keys: ['all'], args: ['max'], reply: listReply(textReply) })
const takeScript = defineScript('take-resources', {
  keys: ['record', 'lease', 'due', 'again', 'views', 'sending'],
  args: ['notifier', 'leaseMs', 'max'],
  reply: optionalReply(listReply(optionalReply(bytesReply))),
})
const keepScript = defineScript('keep-resource', {
  keys: ['lease', 'due', 'again', 'views', 'sending', 'record', 'all'],
  args: ['notifier', 'resource', 'dueIn', 'view', 'sending', 'id'],
  reply: flagReply,
})

/** Of another notifier that dies its subscriptions are taken over after so long. */
export const leaseMs = 5_000
/** What could not be looked at is put off for so long. */
export const afterErrorMs = 5_000
const perNote = 1000
/** the others a second later, when most of these are somebody's */
const perLook = 1000

export interface Taken {
  readonly resource: string
  readonly told: Told | undefined
  /** the sequence that it goes on from where nothing was told of it: an erasure has made what was told forgotten, of this or of another */
  readonly sequence: number
  readonly sending: Sending | undefined
}

export interface Work {
  /** Subscriptions that have something to do now, whoever works at them; the first due first. */
  due(): Promise<string[]>
  /**
   * Has these looked at soon, by whoever works at the subscription.
   * @param when at once, though it was put off; or in turn: what was put off keeps its time, where that is no further off than anything is put off.
   * What waits for another try keeps it in any case
   */
  note(subscription: string, resources: readonly string[], when: 'at-once' | 'in-turn'): Promise<void>
  /**
   * Takes or renews the lease, and what is due. One that has run out is taken anew only by whoever is at nothing and asks for something.
   * @param max 0: it is only renewed
   * @param busy what this notifier is at
   * @returns undefined when it is another's, has run out, or the subscription is gone or disabled
   */
  take(
    subscription: string,
    max: number,
    busy: readonly string[],
  ): Promise<{ nowMs: number; nextMs: number | undefined; taken: Taken[] } | undefined>
  /** @returns whether it was written: not when the lease has gone to another, or run out */
  keep(subscription: string, resource: string, kept: Kept): Promise<boolean>
  /** What was told of all resources, and what is on its way, a page at a time. */
  allTold(subscription: string): AsyncGenerator<readonly (readonly [resource: string, told: Told])[]>
  allSending(subscription: string): AsyncGenerator<readonly (readonly [resource: string, sending: Sending])[]>
  toldOf(subscription: string, resources: readonly string[]): Promise<(Told | undefined)[]>
  /** Gives the lease back, so that nobody waits for its end. */
  release(subscription: string): Promise<void>
}

/** What is absent stays as it is. */
export interface Kept {
  /** when it is due, from now; `done`: not before it is marked. What is marked already, and not on its way, is due now in any case */
  readonly dueInMs?: number | 'done'
  readonly told?: Told | null
  readonly sending?: Sending | null
}

const unpackIf = <T extends Told | Sending>(bytes: Buffer | null | undefined): T | undefined =>
  bytes ? unpackTold<T>(bytes) : undefined
const written = (value: Told | Sending | null | undefined) =>
  value === undefined ? '=' : value === null ? '' : packTold(value)

async function* pagesOf<T extends Told | Sending>(
  redis: Redis,
  key: string,
): AsyncGenerator<readonly (readonly [string, T])[]> {
  let cursor = '0'
  do {
    const [next, found] = await redis.hscanBuffer(key, cursor, 'COUNT', 200)
    const page: (readonly [string, T])[] = []
    for (let at = 0; at < found.length; at += 2) page.push([String(found[at]), unpackTold(found[at + 1] as Buffer)])
    yield page
    cursor = next.toString()
  } while (cursor !== '0')
}

/**
 * @param notifier a name that no other process has, or has ever had
 * @param runningMs for so long a history that runs is put off at most
 */
export function createWork(redis: Redis, notifier: string, runningMs = 1_000): Work {
  const all = keys.subscriptionsDue
  const longestMs = Math.max(runningMs, afterErrorMs)
  return {
    due: () => dueScript(redis, { all }, { max: perLook }),

    async note(id, resources, when) {
      const { due, again, sending } = workKeys(id)
      const places = { record: keys.subscription(id), due, again, sending, all }
      const args = { id, longestMs: when === 'at-once' ? 0 : longestMs }
      for (let from = 0; from < resources.length; from += perNote)
        await noteScript(redis, places, args, resources.slice(from, from + perNote))
      if (resources.length > 0) await redis.spublish(hints.subscription, id)
    },

    async take(id, max, busy) {
      const places = { record: keys.subscription(id), ...workKeys(id) }
      const reply = await takeScript(redis, places, { notifier, leaseMs, max }, busy)
      if (!reply) return undefined
      const [now, next, sequence, ...rest] = reply
      const taken: Taken[] = []
      for (let at = 0; at < rest.length; at += 3) {
        const [resource, told, sending] = rest.slice(at, at + 3)
        const kept = { told: unpackIf<Told>(told), sending: unpackIf<Sending>(sending) }
        taken.push({ resource: String(resource), ...kept, sequence: Number(sequence ?? 0) })
      }
      return { nowMs: Number(now), nextMs: next && Number(next), taken }
    },

    keep(id, resource, { dueInMs, told, sending }) {
      const dueIn = dueInMs === undefined ? '=' : dueInMs === 'done' ? '' : Math.ceil(dueInMs)
      const args = { notifier, resource, dueIn, view: written(told), sending: written(sending), id }
      return keepScript(redis, { ...workKeys(id), record: keys.subscription(id), all }, args)
    },

    allTold: (id) => pagesOf<Told>(redis, workKeys(id).views),
    allSending: (id) => pagesOf<Sending>(redis, workKeys(id).sending),

    async toldOf(id, resources) {
      if (resources.length === 0) return []
      return (await redis.hmgetBuffer(workKeys(id).views, ...resources)).map((bytes) => unpackIf(bytes))
    },

    async release(id) {
      const { lease } = workKeys(id)
      if ((await redis.get(lease)) === notifier) await redis.del(lease)
    },
  }
}
