/**
 * Counts the people of histories as they are looked at. On one channel the counters say it, unless somebody was missed. Of a large
 * audience on several this reads megabytes: what was counted is kept while no counter of the history has moved, for receipts and
 * counters move in one step and none moves back unless somebody decided about those who were unknown.
 */
import { historyKeyOf, type PeopleCounts, peopleClasses } from '@courier-fleet/api-types'
import { type Clock, steadyClock } from '@courier-fleet/process'
import type { Redis } from '../connection/client.ts'
import { countSteps } from './count-steps.ts'
import { decisionsIn } from './decisions.ts'
import { channelsOf } from './ledger.ts'
import { peopleOnOneLeg, summarizePeople } from './people-summary.ts'
import type { Snapshot } from './snapshot.ts'
import type { StepCounts } from './steps.ts'
import { isAnyoneTold, readToldByVoice } from './told-by-voice.ts'

export interface Counting {
  /** while a large history runs, a count of the last second will do: it changes thousands of times meanwhile */
  readonly recent?: boolean
}
export interface Counted {
  readonly people: PeopleCounts
  /** of each step of a message that has some */
  readonly steps?: readonly StepCounts[]
}
export type CountPeople = (snapshot: Snapshot, how?: Counting) => Promise<Counted>

/** fewer are counted faster than it is found out whether they must be */
const large = 10_000
const recentMs = 1000
/** histories remembered; those looked at last */
const remembered = 100

interface Count {
  /** the counters it was made under */
  readonly counters: string
  readonly at: number
  readonly counted: Promise<Counted>
}

export function createCountPeople(redis: Redis, clock: Clock = steadyClock): CountPeople {
  const counts = new Map<string, Count>()

  return async (snapshot, { recent = false } = {}) => {
    const { ref, hash } = snapshot
    const legs = channelsOf(hash)
    const size = Number(hash.size)
    if (legs.length === 0) return { people: everyoneIn(hash.state === 'running' ? 'pending' : 'withoutContact', size) }
    const [only] = legs.length === 1 && !hash.steps && !isAnyoneTold(hash) ? legs : []
    const people = only === undefined ? undefined : peopleOnOneLeg(hash, only)
    if (people) return { people }
    const summarize = async () => ({
      people: await summarizePeople(redis, ref, legs, size, await readToldByVoice(redis, ref, hash)),
      ...(hash.steps ? { steps: await countSteps(redis, ref, hash.steps, size) } : {}),
    })
    if (size < large || decisionsIn(hash)) return summarize()

    const key = historyKeyOf(ref)
    const counters = countersOf(hash)
    const known = counts.get(key)
    const isRecent = recent && hash.state === 'running' && known && clock.now() - known.at < recentMs
    if (known && (known.counters === counters || isRecent)) return known.counted
    const count = { counters, at: clock.now(), counted: summarize() }
    // what cannot be counted now is counted again when it is asked for again
    count.counted.catch(() => counts.get(key) === count && counts.delete(key))
    counts.delete(key)
    counts.set(key, count)
    for (const oldest of counts.keys()) if (counts.size > remembered) counts.delete(oldest)
    return count.counted
  }
}

/** and `by-voice`, which changes with every tick */
const counter = /^by-voice$|^\w+:[a-z]$/
const countersOf = (hash: Snapshot['hash']) =>
  Object.keys(hash)
    .filter((field) => counter.test(field))
    .sort()
    .map((field) => `${field}=${hash[field]}`)
    .join(' ')

/** Without a channel there is nothing to read. */
function everyoneIn(place: (typeof peopleClasses)[number], size: number): PeopleCounts {
  const none = Object.fromEntries(peopleClasses.map((name) => [name, 0])) as Record<
    (typeof peopleClasses)[number],
    number
  >
  return { ...none, [place]: size, why: {}, whyUnknown: {} }
}
