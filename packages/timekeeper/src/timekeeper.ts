/**
 * Makes delivery keys expire on time. Redis removes an expired key when it happens to sample it, which with a million keys
 * pending takes minutes; reading the key makes Redis notice at once and ring. Nothing depends on a timekeeper for
 * correctness: without one, the couriers' look each second finds what is due.
 */
import { atMost, type Clock, dueHeadChannel, keys, type Log, seldom, shardName, sleep } from '@courier-fleet/core'
import type { Redis } from 'ioredis'

export interface TimekeeperDeps {
  readonly redis: Redis
  /** a connection of its own, for pub/sub */
  readonly subscriber: Redis
  readonly shards: number
  readonly clock: Clock
  readonly log: Log
}

export interface Timekeeper {
  start(): Promise<void>
  stop(): Promise<void>
}

/** An early head that no hint told of, and a clock that was set, are noticed after at most this long. */
const longestSleepMs = 1_000
const touchedAtOnce = 1_000
/** It holds nothing: when Redis does not answer it need not be waited for. */
const stopMs = 200

export function createTimekeeper({ redis, subscriber, shards, clock, log }: TimekeeperDeps): Timekeeper {
  const stopping = new AbortController()
  const complain = seldom((fields, text) => log.error(fields, text))
  const allShards = Array.from({ length: shards }, (_unused, index) => shardName(index))
  /** due times up to which a shard's deliveries have been touched, Unix ms; they stay due until a courier takes them */
  const touchedUpTo = new Map<string, number>()
  /** Redis's clock less this process's, ms */
  let offsetMs = 0
  let interrupt = new AbortController()
  let wakeUpAt = Number.POSITIVE_INFINITY
  /** earliest new head announced since the due sets were last read */
  let hinted = Number.POSITIVE_INFINITY
  let running: Promise<void> | undefined

  const now = () => clock.now() + offsetMs
  const floorOf = (shard: string) => `(${touchedUpTo.get(shard) ?? 0}`

  const onHead = (_channel: string, payload: string) => {
    const dueMs = Number(payload)
    for (const [shard, upTo] of touchedUpTo) if (upTo >= dueMs) touchedUpTo.set(shard, dueMs - 1)
    hinted = Math.min(hinted, dueMs)
    if (hinted < wakeUpAt) interrupt.abort()
  }

  /** @returns when this shard's next delivery is due, Unix ms; Infinity when none is */
  async function nextDue(shard: string): Promise<number> {
    const head = await redis.zrangebyscore(keys.due(shard), floorOf(shard), '+inf', 'WITHSCORES', 'LIMIT', 0, 1)
    return Number(head[1] ?? Number.POSITIVE_INFINITY)
  }

  /** Touches everything due in a shard up to a time that is over by Redis's clock: what it still finds rings later. */
  async function touch(shard: string, upTo: number): Promise<void> {
    const from = floorOf(shard)
    for (let offset = 0; ; offset += touchedAtOnce) {
      const due = await redis.zrangebyscore(keys.due(shard), from, upTo, 'LIMIT', offset, touchedAtOnce)
      if (due.length > 0) await redis.exists(...due.map((member) => `delivery:{${shard}}:${member}`))
      if (due.length < touchedAtOnce) break
    }
    touchedUpTo.set(shard, upTo)
  }

  /** Compares the clocks anew, for one may have been set. @returns Redis's time, Unix ms */
  async function redisNow(): Promise<number> {
    const [seconds, microseconds] = await redis.time()
    const redisMs = Number(seconds) * 1000 + Math.floor(Number(microseconds) / 1000)
    offsetMs = redisMs - clock.now()
    return redisMs
  }

  async function round(): Promise<void> {
    interrupt = new AbortController()
    wakeUpAt = 0
    hinted = Number.POSITIVE_INFINITY
    const [redisMs, ...heads] = await Promise.all([redisNow(), ...allShards.map(nextDue)])
    // Redis lets a key go once its time is over, a millisecond after the due time
    const upTo = redisMs - 1
    const dueShards = allShards.filter((_shard, index) => (heads[index] as number) <= upTo)
    if (dueShards.length > 0) {
      await Promise.all(dueShards.map((shard) => touch(shard, upTo)))
      return
    }
    wakeUpAt = Math.min(hinted, upTo + longestSleepMs, ...heads)
    await sleep(wakeUpAt + 1 - now(), stopping.signal, interrupt.signal)
  }

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      try {
        await round()
      } catch (error) {
        complain({ err: error }, 'cannot read the due sets')
        await sleep(longestSleepMs, stopping.signal)
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
