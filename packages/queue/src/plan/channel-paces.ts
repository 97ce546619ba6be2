/** How fast each channel is now, and what stands in its way: what the end of a message goes by. Only reads, and seldom. */
import type { WhyNoFinish } from '@courier-fleet/api-types'
import {
  allowedPerSecond,
  canSend,
  type Ended,
  longestPauseMs,
  type Redis,
  readLatelyEnded,
  readPause,
  readProcesses,
  readWaiting,
  readWorkByClass,
} from '@courier-fleet/store'
import { cached } from '../http/cached.ts'

export interface ChannelPace {
  /** why nobody can say how long it takes */
  readonly unknown?: Extract<WhyNoFinish, 'paused' | 'no-courier'>
  /** messages or calls, of all accounts; absent: no limit on this side */
  readonly perSecond?: number
  /** the provider takes nothing for so long */
  readonly pausedForMs: number
  /** who wait for it now, at most */
  readonly waiting: number
  readonly ended: readonly Ended[]
}

export interface ChannelPaces {
  /** By channel, in order. @throws Error of Redis when it is away */
  read(channels: readonly string[]): Promise<ReadonlyMap<string, ChannelPace>>
}

interface PacesDeps {
  readonly redis: Redis
  readonly shards: number
}

/** somebody who writes a message asks again and again */
const keptMs = 2_000

export function createChannelPaces(deps: PacesDeps): ChannelPaces {
  const { redis, shards } = deps
  const readFleet = cached(keptMs, async () => {
    const [processes, waiting, ended] = await Promise.all([
      readProcesses(redis),
      readWaiting(redis, shards),
      readLatelyEnded(redis, shards),
    ])
    return { processes, waiting, ended }
  })
  /** of one channel, read once for everybody who asks */
  const ofOne = new Map<string, () => Promise<ChannelPace>>()

  async function readOne(channel: string): Promise<ChannelPace> {
    const { processes, waiting, ended } = await readFleet()
    const couriers = processes.filter((process) => process.channel === channel)
    const [pause, pausedForMs, work] = await Promise.all([
      readPause(redis, channel),
      longestPauseMs(redis, channel, couriers),
      readWorkByClass(redis, shards, channel),
    ])
    const perSecond = allowedPerSecond(couriers)
    // who is held for later is not in the way: only where there is too much to look at, all who wait are taken
    const isMore = work.some((each) => each.isMore)
    return {
      ...(pause ? { unknown: 'paused' as const } : couriers.some(canSend) ? {} : { unknown: 'no-courier' as const }),
      ...(perSecond === undefined ? {} : { perSecond }),
      pausedForMs: Math.max(0, pausedForMs),
      waiting: isMore ? (waiting.get(channel) ?? 0) : work.reduce((sum, { people }) => sum + people, 0),
      ended: ended.filter((each) => each.channel === channel),
    }
  }

  return {
    async read(channels) {
      const paces = channels.map(async (channel) => {
        const read = ofOne.get(channel) ?? cached(keptMs, () => readOne(channel))
        ofOne.set(channel, read)
        return [channel, await read()] as const
      })
      return new Map(await Promise.all(paces))
    },
  }
}
