/**
 * Makes delivery keys expire on time. Redis removes an expired key when it happens to sample it, which with a million keys
 * pending takes minutes; reading the key makes Redis notice at once, and tell the couriers. Nothing depends on a timekeeper for
 * correctness: without one, the couriers' poll each second finds what is due.
 */

import { shardName } from '@courier-fleet/api-types'
import { atMost, type Clock, createThrottledLog, type Log, sleep } from '@courier-fleet/process'
import {
  defineScript,
  dueHeadChannel,
  keys,
  listReply,
  numberReply,
  optionalReply,
  shardOfTag,
  tagOf,
} from '@courier-fleet/store'
import type { Redis } from 'ioredis'

const triggerScript = defineScript('trigger-due', {
  keys: ['due'],
  args: ['tag', 'touched', 'max'],
  reply: listReply(optionalReply(numberReply)),
})

export interface TimekeeperDeps {
  readonly redis: Redis
  /** a connection of its own, for pub/sub */
  readonly subscriber: Redis
  readonly shards: number
  readonly clock: Clock
  readonly log: Log
  /** an early head that no hint told of, and a clock that was set, are noticed after at most this long */
  readonly maxSleepMs?: number
}

export interface Timekeeper {
  start(): Promise<void>
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
  /** the earliest new head that was announced while Redis was being asked */
  announced: number
}

export function createTimekeeper(deps: TimekeeperDeps): Timekeeper {
  const { redis, subscriber, shards, clock, log, maxSleepMs = defaultMaxSleepMs } = deps
  const stopping = new AbortController()
  const logThrottled = createThrottledLog((fields, text) => log.error(fields, text))
  const all = Array.from(
    { length: shards },
    (_unused, index): Shard => ({ name: shardName(index), touchedUpTo: 0, nextAt: 0, announced: 0 }),
  )
  /** Redis's clock less this process's, ms */
  let offsetMs = 0
  let interrupt = new AbortController()
  let sleepsUntil = Number.NEGATIVE_INFINITY
  /** when to poll every shard again, whatever is known of it: by a clock nobody sets */
  let pollAt = 0
  let running: Promise<void> | undefined

  const now = () => clock.now() + offsetMs

  function onHead(_channel: string, payload: string): void {
    const [tag = '', due] = payload.split(' ')
    const dueMs = Number(due)
    const name = shardOfTag(tag)
    const shard = all.find((each) => each.name === name)
    if (!shard || Number.isNaN(dueMs)) return
    shard.announced = Math.min(shard.announced, dueMs)
    shard.nextAt = Math.min(shard.nextAt, dueMs)
    shard.touchedUpTo = Math.min(shard.touchedUpTo, dueMs - 1)
    if (dueMs < sleepsUntil) interrupt.abort()
  }

  /** Makes what is due in a shard expire, and learns what will be next, and what time it is for Redis. */
  async function trigger(shard: Shard): Promise<void> {
    shard.announced = Number.POSITIVE_INFINITY
    const reply = await triggerScript(
      redis,
      { due: keys.due(shard.name) },
      { tag: tagOf(shard.name), touched: shard.touchedUpTo, max: maxTriggers },
    )
    const [upTo = 0, next] = reply
    shard.touchedUpTo = Math.min(upTo, shard.announced - 1)
    shard.nextAt = Math.min(next ?? Number.POSITIVE_INFINITY, shard.announced)
    offsetMs = upTo + 1 - clock.now()
  }

  async function round(): Promise<void> {
    interrupt = new AbortController()
    sleepsUntil = Number.NEGATIVE_INFINITY
    const untilPollMs = pollAt - performance.now()
    // Redis lets a key go once its time is over, a millisecond after the due time
    const over = now() - 1
    const due = untilPollMs <= 0 ? all : all.filter(({ nextAt }) => nextAt <= over)
    if (due.length > 0) {
      await Promise.all(due.map(trigger))
      if (untilPollMs <= 0) pollAt = performance.now() + maxSleepMs
      return
    }
    sleepsUntil = Math.min(...all.map(({ nextAt }) => nextAt))
    await sleep(Math.min(sleepsUntil + 1 - now(), untilPollMs), stopping.signal, interrupt.signal)
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
      subscriber.on('message', onHead)
      await subscriber.subscribe(dueHeadChannel)
      running = run()
    },
    async stop() {
      stopping.abort()
      subscriber.off('message', onHead)
      if (running) await atMost(stopMs, running)
    },
  }
}
