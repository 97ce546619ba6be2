/**
 * Makes delivery keys expire on time. Redis removes an expired key when it happens to sample it, which with a million keys
 * pending takes minutes; reading the key makes Redis notice at once, and tell the couriers. Nothing depends on a timekeeper for
 * correctness: without one, the couriers' poll each second finds what is due.
 */

import { shardNames } from '@courier-fleet/api-types'
import { atMost, type Clock, createThrottledLog, type Log, sleep, untilAligned } from '@courier-fleet/process'
import {
  defineScript,
  hints,
  keys,
  listReply,
  numberReply,
  optionalReply,
  type Redis,
  type Subscriber,
  tagOf,
} from '@courier-fleet/store'

const triggerScript = defineScript('trigger-due', {
  keys: ['due', 'expiry'],
  args: ['tag', 'touched', 'max'],
  reply: listReply(optionalReply(numberReply)),
})

export interface TimekeeperDeps {
  readonly redis: Redis
  readonly subscriber: Subscriber
  readonly shards: number
  readonly clock: Clock
  readonly log: Log
  /** an early head that no hint told of, and a clock that was set, are noticed after at most this long */
  readonly maxSleepMs?: number
}

export interface Timekeeper {
  start(): Promise<void>
  /** Whether any message of this shard ran when it was asked last, a second ago at most. */
  hasRunning(shard: string): boolean
  stop(): Promise<void>
}

const defaultMaxSleepMs = 1_000
/** One event wakes everything that is due in its shard; a few more, for a courier may be lost with one. */
const maxTriggers = 16
/** It holds nothing: when Redis does not answer it need not be waited for. */
const stopMs = 200

/** What is known of one shard; times are Unix ms by Redis's clock. */
interface Shard {
  readonly name: string
  /** the keys of what is due up to then have been touched; it stays due until a courier takes it */
  touchedUpTo: number
  /** when the next delivery is due */
  nextAt: number
  /** whether any message ran; true while that is not known */
  hasRunning: boolean
  /** the earliest new head that was announced while Redis was being asked */
  announced: number
  /** not answered yet, as where its slot moves: the others do not wait for that */
  isAsked: boolean
  /** the clock of the Redis that has it less this process's, ms: each master has its own */
  offsetMs: number
}

/** Makes what is due in a shard expire, and learns what will be next. @returns what time it is for Redis */
async function triggerDue(redis: Redis, shard: Shard): Promise<number> {
  shard.announced = Number.POSITIVE_INFINITY
  const [upTo = 0, next, running] = await triggerScript(
    redis,
    { due: keys.due(shard.name), expiry: keys.expiry(shard.name) },
    { tag: tagOf(shard.name), touched: shard.touchedUpTo, max: maxTriggers },
  )
  shard.hasRunning = running === 1
  shard.touchedUpTo = Math.min(upTo, shard.announced - 1)
  shard.nextAt = Math.min(next ?? Number.POSITIVE_INFINITY, shard.announced)
  return upTo + 1
}

/** Each shard, nothing known of it, by the hint that tells of its next delivery. */
function shardsByHint(shards: number): Map<string, Shard> {
  return new Map(
    shardNames(shards).map((name) => [
      hints.dueHead(name),
      { name, touchedUpTo: 0, nextAt: 0, hasRunning: true, announced: 0, isAsked: false, offsetMs: 0 },
    ]),
  )
}

export function createTimekeeper(deps: TimekeeperDeps): Timekeeper {
  const { redis, subscriber, shards, clock, log, maxSleepMs = defaultMaxSleepMs } = deps
  const stopping = new AbortController()
  const logThrottled = createThrottledLog((fields, text) => log.error(fields, text))
  const byHint = shardsByHint(shards)
  const all = [...byHint.values()]
  let interrupt = new AbortController()
  /** by its own clock, as `ownTime` has it */
  let sleepsUntil = Number.NEGATIVE_INFINITY
  /** when to poll every shard again, whatever is known of it: by a clock nobody sets */
  let pollAt = 0
  let running: Promise<void> | undefined

  /** When the next delivery of a shard is due by the clock of this process. */
  const ownTime = ({ nextAt, offsetMs }: Shard) => nextAt - offsetMs

  function onHead(channel: string, payload: string): void {
    const shard = byHint.get(channel)
    const dueMs = Number(payload)
    if (!shard || Number.isNaN(dueMs)) return
    shard.announced = Math.min(shard.announced, dueMs)
    shard.nextAt = Math.min(shard.nextAt, dueMs)
    shard.touchedUpTo = Math.min(shard.touchedUpTo, dueMs - 1)
    if (dueMs - shard.offsetMs < sleepsUntil) interrupt.abort()
  }

  /** There may have been hints that nobody heard. */
  function onReturn(): void {
    pollAt = 0
    interrupt.abort()
  }

  async function trigger(shard: Shard): Promise<void> {
    shard.isAsked = true
    const nowMs = await triggerDue(redis, shard).finally(() => {
      shard.isAsked = false
    })
    shard.offsetMs = nowMs - clock.now()
  }

  async function round(): Promise<void> {
    interrupt = new AbortController()
    sleepsUntil = Number.NEGATIVE_INFINITY
    const untilPollMs = pollAt - performance.now()
    // Redis lets a key go once its time is over, a millisecond after the due time
    const over = clock.now() - 1
    const idle = all.filter(({ isAsked }) => !isAsked)
    const due = untilPollMs <= 0 ? idle : idle.filter((shard) => ownTime(shard) <= over)
    if (due.length > 0) {
      const asking = Promise.all(due.map(trigger))
      await atMost(maxSleepMs, asking)
      await Promise.race([asking, undefined]) // throws what has failed by now
      if (untilPollMs <= 0) pollAt = performance.now() + untilAligned(maxSleepMs)
      return
    }
    sleepsUntil = Math.min(...idle.map(ownTime))
    const untilLookMs = untilPollMs > 0 ? untilPollMs : maxSleepMs // none is idle
    await sleep(Math.min(sleepsUntil + 1 - clock.now(), untilLookMs), stopping.signal, interrupt.signal)
  }

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      try {
        await round()
      } catch (error) {
        logThrottled({ err: error }, 'cannot trigger what is due')
        await sleep(maxSleepMs, stopping.signal)
      }
    }
  }

  return {
    async start() {
      subscriber.on('message', onHead).on('ready', onReturn)
      await subscriber.subscribe(...byHint.keys())
      running = run()
    },
    hasRunning: (shard) => byHint.get(hints.dueHead(shard))?.hasRunning ?? true,
    async stop() {
      stopping.abort()
      subscriber.off('message', onHead).off('ready', onReturn)
      if (running) await atMost(stopMs, running)
    },
  }
}
