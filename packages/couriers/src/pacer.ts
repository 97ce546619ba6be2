import { defineScript, keys, sleep } from '@courier-fleet/core'
import type { Redis } from 'ioredis'
import type { Courier, Pacer } from './courier.ts'

const paceScript = defineScript('pace', { keys: ['pace', 'pause'], args: ['units', 'unitUs', 'aheadUs'] })

/** Places are reserved this far ahead: long enough to hide a round trip, short enough that a stop strands little. */
const aheadUs = 100_000

export interface SharedPacer extends Pacer {
  /** Holds up every process of the account. A shorter pause never cuts a longer one. */
  pause(ms: number): Promise<void>
  /** ms the account is still paused for; 0 when it is not */
  pausedForMs(): Promise<number>
}

/** The rate and the pauses of one account, in Redis, obeyed by all its processes. */
export function createPacer(deps: {
  redis: Redis
  /** asked at the first use: the courier itself is made with the pacer in hand */
  courier: () => Pick<Courier, 'channel' | 'account' | 'rate'>
}): SharedPacer {
  const { redis, courier } = deps
  const paceKey = () => keys.pace(courier().channel, courier().account)
  const pauseKey = () => keys.pause(courier().channel, courier().account)
  const unitUs = () => {
    const { rate } = courier()
    return rate ? Math.round((rate.perMs * 1000) / rate.units) : 0
  }

  return {
    async take(units, signal) {
      for (;;) {
        signal.throwIfAborted()
        const [reserved, waitMs] = (await paceScript(
          redis,
          { pace: paceKey(), pause: pauseKey() },
          { units, unitUs: unitUs(), aheadUs },
        )) as [number, number]
        await sleep(waitMs, signal)
        if (reserved === 1) break
      }
      signal.throwIfAborted()
    },
    async pause(ms) {
      if (ms > (await redis.pttl(pauseKey()))) await redis.set(pauseKey(), '', 'PX', Math.ceil(ms))
    },
    async pausedForMs() {
      return Math.max(0, await redis.pttl(pauseKey()))
    },
  }
}
