/** What waits for one channel and who is at it, over all its streams. */
import type { Redis } from '../connection/client.ts'
import { keys } from '../keys.ts'
import type { ProcessInfo } from '../process-info.ts'
import type { ChannelPause } from './channel-pause.ts'
import type { ChannelUse } from './channels.ts'
import type { WorkFigures } from './work-stream.ts'

export interface ChannelFigures {
  readonly channel: string
  readonly couriers: readonly ProcessInfo[]
  readonly use: ChannelUse
  /** the longest lease of its couriers */
  readonly leaseMs: number
  /** people of running messages whose receipt on the channel is open: in an entry, claimed or not, or in a later wave */
  readonly waiting: number
  /** entries that none of its couriers has claimed */
  readonly unclaimed: number
  /** how long the first of those has been there; 0 when there is none */
  readonly oldestUnclaimedMs: number
  /** claims that are kept alive */
  readonly inProgress: number
  /** claims that nobody has renewed for a lease */
  readonly abandoned: number
  /** since the longest abandoned claim was last renewed; 0 when there is none */
  readonly longestAbandonedMs: number
  /** by an operator */
  readonly pause: ChannelPause | undefined
  /** the longest pause a provider has imposed on an account of its couriers; 0 when there is none */
  readonly pausedForMs: number
}

export function sumWork(
  streams: readonly WorkFigures[],
  nowMs: number,
): Omit<ChannelFigures, 'channel' | 'couriers' | 'use' | 'leaseMs' | 'pausedForMs' | 'pause' | 'waiting'> {
  const sum = (of: (stream: WorkFigures) => number) => streams.reduce((total, stream) => total + of(stream), 0)
  return {
    unclaimed: sum(({ unclaimed }) => unclaimed),
    oldestUnclaimedMs: Math.max(0, ...streams.map(({ oldestAt }) => nowMs - oldestAt)),
    inProgress: sum(({ inProgress }) => inProgress),
    abandoned: sum(({ abandoned }) => abandoned),
    longestAbandonedMs: Math.max(0, ...streams.map(({ longestAbandonedMs }) => longestAbandonedMs)),
  }
}

/** As lua/lib/pauses.lua has it: no longer than it was called for. @returns 0 when there is none */
export async function accountPausedMs(redis: Redis, channel: string, account: string): Promise<number> {
  const key = keys.pause(channel, account)
  const [leftMs, calledMs] = await Promise.all([redis.pttl(key), redis.get(key)])
  return Math.max(0, Math.min(leftMs, Number(calledMs) || leftMs))
}

export async function longestPauseMs(redis: Redis, channel: string, couriers: readonly ProcessInfo[]): Promise<number> {
  const pausedMs = new Map<string, Promise<number>>()
  const pauseOf = (account: string) => {
    const asked = pausedMs.get(account) ?? accountPausedMs(redis, channel, account)
    pausedMs.set(account, asked)
    return asked
  }
  const pauses = couriers.map(async (courier) => Math.min(...(await Promise.all(accountsInUse(courier).map(pauseOf)))))
  return Math.max(0, ...(await Promise.all(pauses)).filter(Number.isFinite))
}

/** Who has several waits only while all that work are paused. */
function accountsInUse({ account, accounts }: ProcessInfo): readonly string[] {
  if (!accounts) return account === undefined ? [] : [account]
  const working = accounts.filter(({ state }) => state.is === 'works')
  return (working.length > 0 ? working : accounts).map((each) => each.account)
}
