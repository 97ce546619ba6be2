/**
 * What is over since the round before: processes that are not there any more, providers that do not ask to be sent less any more, and that Redis
 * was away, as this process has seen it. Each
 * timekeeper compares, and the one that watches notes it. What others have seen they keep for a while: the one that watched may be what has
 * ended, and whoever watches next notes that.
 */
import { type Happened, mayTell, noteHappened, type ProcessInfo, type Redis } from '@courier-fleet/store'

export interface WhatIsOver {
  /** It does not answer, or does not take what is written. */
  redisIsAway(): void
  /** @param isWatching whether this timekeeper notes what is over */
  compare(processes: readonly ProcessInfo[], isWatching: boolean): Promise<void>
}

interface Over extends Happened {
  /** the same for every timekeeper, and another the next time */
  readonly mark: number
}

interface Running extends ProcessInfo {
  /** Unix ms */
  readonly seenMs: number
}

/** @param keptMs as long as it may take until another watches */
export function createWhatIsOver(redis: Redis, keptMs: number): WhatIsOver {
  let running: ReadonlyMap<string, Running> = new Map()
  let slow: ReadonlyMap<string, Over> = new Map()
  let unwritten: { readonly over: Over; readonly atMs: number }[] = []
  let awaySince: number | undefined
  const redisIsAway = () => {
    awaySince ??= Date.now()
  }
  // one that is started again between two rounds was away, too
  redis.on('close', redisIsAway)

  return {
    redisIsAway,

    async compare(list, isWatching) {
      const nowMs = Date.now()
      const now = new Map(list.map((each) => [each.name, { ...each, seenMs: nowMs - (each.silentMs ?? 0) }]))
      const slowNow = slowDownsOf(list)
      const over = [...endedOf(running, now), ...fastAgain(slow, slowNow, list)]
      unwritten = [...unwritten, ...over.map((each) => ({ over: each, atMs: nowMs }))].filter(
        ({ atMs }) => nowMs - atMs <= keptMs,
      )
      running = now
      slow = slowNow
      const since = awaySince
      awaySince = undefined
      if (!isWatching) return
      if (since !== undefined) await noteHappened(redis, { what: 'redis-away', of: '', since })
      for (const { over } of unwritten) await noteOnce(redis, over)
      unwritten = []
    },
  }
}

/** Two that watch at once, after a lease that ran out, note nothing twice. */
async function noteOnce(redis: Redis, { mark, ...happened }: Over): Promise<void> {
  if (await mayTell(redis, `${happened.what}:${happened.of}:${mark}`)) await noteHappened(redis, happened)
}

const endedOf = (before: ReadonlyMap<string, Running>, now: ReadonlyMap<string, Running>): Over[] =>
  [...before.values()].flatMap(({ name, startedAt, seenMs }) => {
    const startedNow = now.get(name)?.startedAt
    if (startedNow === startedAt) return []
    const what = startedNow === undefined ? 'process-ended' : 'process-restarted'
    return [{ what, of: name, since: seenMs, mark: startedAt }]
  })

/** By channel. */
function slowDownsOf(list: readonly ProcessInfo[]): Map<string, Over> {
  const found = new Map<string, Over>()
  for (const { channel, lately } of list) {
    const since = lately?.slowDown?.since
    if (channel === undefined || since === undefined) continue
    const first = Math.min(since, found.get(channel)?.since ?? since)
    found.set(channel, { what: 'slow-down-over', of: channel, since: first, mark: first })
  }
  return found
}

/** Of a channel without a courier nobody knows what its provider asks. */
const fastAgain = (
  before: ReadonlyMap<string, Over>,
  now: ReadonlyMap<string, Over>,
  list: readonly ProcessInfo[],
): Over[] =>
  [...before.values()].filter(({ of }) => !now.has(of) && list.some(({ channel, ready }) => channel === of && ready))
