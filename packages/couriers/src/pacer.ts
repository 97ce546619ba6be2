import { type Clock, sleep, steadyClock } from '@courier-fleet/process'
import { type Argument, defineScript, keys } from '@courier-fleet/store'
import type { Redis } from 'ioredis'
import type { Courier, Pacer } from './courier.ts'

const paceScript = defineScript('pace', { keys: ['pace', 'pause'], args: ['units', 'unitUs', 'aheadUs'] })
const turnScript = defineScript('turn', { keys: ['turns', 'pause'], args: ['most', 'spanUs', 'gapUs', 'aheadUs'] })

/**
 * Places are reserved this far ahead, and a pause that another process calls is heard so late: long enough to hide a round
 * trip, short enough that a stop strands little.
 */
const aheadMs = 100
/** Turns that were not used are made up for at so many times the rate. */
const catchUp = 2

type Rate = NonNullable<Courier['rate']>

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

  /** An even rate: places one after the other. @returns false when there was none to reserve: then it is time to ask again */
  async function reservePlace(units: number, { units: most, perMs }: Rate, signal: AbortSignal): Promise<boolean> {
    const reply = await paceScript(
      redis,
      { pace: keys.pace(courier().channel, courier().account), pause: pauseKey() },
      { units, unitUs: Math.round((perMs / most) * 1000), aheadUs: aheadMs * 1000 },
    )
    const [reserved, waitMs] = reply as [number, number]
    await sleep(waitMs, signal)
    return reserved === 1
  }

  /** Turns that were taken late, for the process was held up: told with the next reservation, so that it costs no call. */
  let late: Argument[] = []

  /** Where the provider counts: a turn that was not taken in time is made up for, one that was taken late counts as such. */
  async function reserveTurn({ units: most, perMs, slackMs = 0 }: Rate, signal: AbortSignal): Promise<boolean> {
    const told = late
    late = []
    const asked = clock.now()
    const reply = await turnScript(
      redis,
      { turns: keys.turns(courier().channel, courier().account), pause: pauseKey() },
      {
        most,
        spanUs: Math.round((perMs + slackMs) * 1000),
        gapUs: Math.round(((perMs / most) * 1000) / catchUp),
        aheadUs: aheadMs * 1000,
      },
      told,
    ).catch((error) => {
      late.push(...told)
      throw error
    })
    const [reserved, waitMs, name] = reply as [number, number, Buffer | undefined]
    await sleep(waitMs, signal)
    const overdueMs = clock.now() - asked - waitMs
    if (reserved === 1 && name && overdueMs > slackMs / 2) late.push(name, Math.round(overdueMs * 1000))
    return reserved === 1
  }

  /** @returns for how many units */
  async function reserve(units: number, rate: Rate | undefined, signal: AbortSignal): Promise<number> {
    if (!rate) return pausedUntil <= clock.now() ? units : 0
    if (rate.slackMs === undefined) return (await reservePlace(units, rate, signal)) ? units : 0
    return (await reserveTurn(rate, signal)) ? 1 : 0
  }

  return {
    async take(units, signal) {
      const { rate } = courier()
      for (let left = units; left > 0; ) {
        signal.throwIfAborted()
        await sleep(await pausedForMs(), signal)
        signal.throwIfAborted()
        left -= await reserve(left, rate, signal)
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
