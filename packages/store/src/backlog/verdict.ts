/** When something is stuck, and why, in words. */
import type { Redis } from '../connection/client.ts'
import { keys } from '../keys.ts'
import type { ProcessInfo } from '../process-info.ts'
import type { ChannelFigures } from './channel-figures.ts'
import { everywhere } from './everywhere.ts'
import { type Moving, movingText } from './moving.ts'
import type { Overdue } from './overdue.ts'
import { sinceClaimMs } from './stream-group.ts'

/** The lease of a courier process that was told no other. */
export const defaultLeaseMs = 15_000

/**
 * How long something may be left alone before that is called stuck: two leases. Within one a claim is its owner's; within
 * the next other processes have had three chances to take it over. What nobody owns is woken or claimed within ten seconds, whatever hint was lost.
 * Never less than with the usual lease: a process that is started again needs some seconds, whatever its lease.
 */
const patienceOf = (leaseMs: number) => 2 * Math.max(leaseMs, defaultLeaseMs)

export interface Verdicts {
  /** @returns why the channel is stuck, or undefined while it is not */
  ofChannel(figures: ChannelFigures): Promise<string | undefined>
  /** @returns why nobody wakes what is due, or undefined while somebody does, or is too busy to */
  ofOverdue(overdue: Overdue, channels: readonly ChannelFigures[]): Promise<string | undefined>
}

interface VerdictDeps {
  readonly redis: Redis
  readonly shards: number
  readonly moving: readonly Moving[]
}

export function createVerdicts({ redis, shards, moving }: VerdictDeps): Verdicts {
  /** what may be why, and is nobody's fault */
  const underWay = moving.map((each) => `; ${movingText(each)}`).join('')

  /** Since a process of the channel has claimed or renewed anything. */
  async function sinceLastClaimMs(channel: string): Promise<number> {
    const found = await everywhere(shards, (shard, cls) => sinceClaimMs(redis, keys.work(shard, channel, cls), channel))
    return Math.min(...found)
  }

  /** Claims are kept alive; or, between two claims, a courier that runs has made or renewed one lately. */
  async function isWorking({ channel, inProgress, couriers, leaseMs }: ChannelFigures): Promise<boolean> {
    if (inProgress > 0) return true
    return couriers.length > 0 && (await sinceLastClaimMs(channel)) <= patienceOf(leaseMs)
  }

  return {
    async ofChannel(figures) {
      // nobody is expected to come for a channel that was taken out of use, never was in use, or that an operator has paused
      if (figures.use !== 'in-use' || figures.pause) return undefined
      const left = leftAlone(figures, patienceOf(figures.leaseMs))
      // what waits behind others while the channel works is not stuck
      if (left.length === 0 || (await isWorking(figures))) return undefined
      return `${figures.channel}: ${left.join(' and ')}; ${whoIsThere(figures)}${underWay}`
    },
    async ofOverdue({ deliveries, oldestMs }, channels) {
      if (oldestMs <= patienceOf(defaultLeaseMs)) return undefined
      // every courier wakes for all channels, but only while it has a free slot
      if ((await Promise.all(channels.map(isWorking))).includes(true)) return undefined
      const running = channels.flatMap(({ couriers }) => couriers).length
      const who = running === 0 ? 'no courier is running' : `couriers running: ${running}, waking none of them`
      return `due: ${deliveries} overdue, the first by ${seconds(oldestMs)}; ${who}${underWay}`
    },
  }
}

function leftAlone(figures: ChannelFigures, patienceMs: number): string[] {
  const { unclaimed, oldestUnclaimedMs, abandoned, longestAbandonedMs } = figures
  const left: string[] = []
  if (oldestUnclaimedMs > patienceMs) left.push(`${unclaimed} unclaimed, the first for ${seconds(oldestUnclaimedMs)}`)
  if (longestAbandonedMs > patienceMs) left.push(`${abandoned} abandoned, the first ${seconds(longestAbandonedMs)} ago`)
  return left
}

function whoIsThere({ couriers }: ChannelFigures): string {
  if (couriers.length === 0) return 'no courier of it is running'
  if (!couriers.some(({ ready }) => ready))
    return ['no courier of it is ready', ...couriers.flatMap(whyNotReady)].join('; ')
  return `couriers of it running: ${couriers.length}, claiming nothing`
}

const whyNotReady = ({ name, notReady }: ProcessInfo) => (notReady ? [`${name}: ${notReady.why}`] : [])

const seconds = (ms: number) => `${Math.round(ms / 1000)} s`
