import { type Clock, defineScript, keys, sleep, steadyClock } from '@courier-fleet/core'
import type { Redis } from 'ioredis'
import type { Courier, Pacer } from './courier.ts'

const paceScript = defineScript('pace', { keys: ['pace', 'pause'], args: ['units', 'unitUs', 'aheadUs', 'lateUs'] })

/**
 * Places are reserved this far ahead, and a pause that another process calls is heard so late: long enough to hide a round
 * trip, short enough that a stop strands little.
 */
const aheadMs = 100

export interface SharedPacer extends Pacer {
  /** Holds up every process of the account. A shorter pause never cuts a longer one. */
  pause(ms: number): Promise<void>
  /** ms the account is still paused for; 0 when it is not. What another process has called is known after 100 ms. */
  pausedForMs(): Promise<number>
  /** whether it is, as far as this process knows */
  isPaused(): boolean
}

/** The rate and the pauses of one account, in Redis, obeyed by all its processes. */
export function createPacer(deps: {
  redis: Redis
  /** asked at the first use: the courier itself is made with the pacer in hand */
  courier: () => Pick<Courier, 'channel' | 'account' | 'rate'>
  /** measures durations: one that nobody sets */
  clock?: Clock
}): SharedPacer {
  const { redis, courier, clock = steadyClock } = deps
  const paceKey = () => keys.pace(courier().channel, courier().account)
  const pauseKey = () => keys.pause(courier().channel, courier().account)
  /** what is known of the account's pause, by `clock` */
  let pausedUntil = 0
  let askedAt = Number.NEGATIVE_INFINITY
  let asking: Promise<void> | undefined

  async function ask(): Promise<void> {
    try {
      const pausedMs = await redis.pttl(pauseKey())
      askedAt = clock.now()
      pausedUntil = Math.max(pausedUntil, askedAt + pausedMs)
    } finally {
      asking = undefined
    }
  }

  async function pausedForMs(): Promise<number> {
    if (clock.now() - askedAt > aheadMs) {
      asking ??= ask()
      await asking
    }
    return Math.max(0, pausedUntil - clock.now())
  }

  /**
   * Who goes out late, for the process was held up, does so beside those of the places after it: these then move, by one place
   * for each at most. Told with the next reservation, so that it costs no call of its own.
   */
  let lateMs = 0

  /** Waits for a place in the rate. @returns false when there was none to reserve: then it is time to ask again */
  async function reserve(units: number, rate: NonNullable<Courier['rate']>, signal: AbortSignal): Promise<boolean> {
    const { perMs, slackMs = 0 } = rate
    const unitMs = (perMs + slackMs) / rate.units
    const args = {
      units,
      unitUs: Math.round(unitMs * 1000),
      aheadUs: aheadMs * 1000,
      lateUs: Math.round(lateMs * 1000),
    }
    lateMs = 0
    const asked = clock.now()
    const reply = await paceScript(redis, { pace: paceKey(), pause: pauseKey() }, args)
    const [reserved, waitMs] = reply as [number, number]
    await sleep(waitMs, signal)
    const overdueMs = clock.now() - asked - waitMs - slackMs / 2
    if (reserved === 1 && slackMs > 0 && overdueMs > 0) lateMs += Math.min(overdueMs, units * unitMs)
    return reserved === 1
  }

  return {
    async take(units, signal) {
      const { rate } = courier()
      for (let taken = false; !taken; ) {
        signal.throwIfAborted()
        await sleep(await pausedForMs(), signal)
        signal.throwIfAborted()
        taken = rate === undefined ? pausedUntil <= clock.now() : await reserve(units, rate, signal)
      }
      signal.throwIfAborted()
    },
    async pause(ms) {
      pausedUntil = Math.max(pausedUntil, clock.now() + ms)
      if (ms > (await redis.pttl(pauseKey()))) await redis.set(pauseKey(), '', 'PX', Math.ceil(ms))
    },
    pausedForMs,
    isPaused: () => pausedUntil > clock.now(),
  }
}
