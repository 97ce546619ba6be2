/**
 * What is overdue and whether anyone is at it, for the whole fleet and for each channel. Only reads, in a few round trips of
 * a command a shard, and some for each stream that holds anything; nothing that grows with the number of messages is walked through.
 */

import { type MessageClass, shardNames } from '@courier-fleet/api-types'
import type { Redis } from '../connection/client.ts'
import { redisNow } from '../connection/client.ts'
import { keys } from '../keys.ts'
import { type ProcessInfo, readProcesses } from '../process-info.ts'
import { type ChannelFigures, longestPauseMs, sumWork } from './channel-figures.ts'
import { readPause } from './channel-pause.ts'
import { usesOf } from './channels.ts'
import { type Moving, readMoving } from './moving.ts'
import { type Overdue, sumOverdue } from './overdue.ts'
import { readMovingBacklog, readShardBacklog } from './shard-backlog.ts'
import { createVerdicts, defaultLeaseMs } from './verdict.ts'
import { waitingOf } from './waiting.ts'
import { readWorkStream } from './work-stream.ts'

/** Why it is stuck, in words; absent while it is not. */
interface Verdict {
  readonly stuck?: string
}

export interface ChannelBacklog extends ChannelFigures, Verdict {}

export interface Backlog {
  /** deliveries whose time has come and that nobody has woken */
  readonly overdue: Overdue & Verdict
  /** slots on their way between nodes of a cluster */
  readonly moving: readonly Moving[]
  /** by name: those with a courier, in use, or merely named by a sender in what waits */
  readonly channels: readonly ChannelBacklog[]
}

/**
 * @param known the processes, where they were read a moment ago
 * @throws Error of Redis when it is away
 */
export async function readBacklog(redis: Redis, shards: number, known?: readonly ProcessInfo[]): Promise<Backlog> {
  const [nowMs, processes] = await Promise.all([redisNow(redis, keys.fleet), known ?? readProcesses(redis)])
  const couriersOf = (channel: string) => processes.filter((process) => process.channel === channel)
  const leaseOf = (channel: string) => {
    const announced = couriersOf(channel).map(({ leaseMs }) => leaseMs ?? defaultLeaseMs)
    return announced.length === 0 ? defaultLeaseMs : Math.max(...announced)
  }
  const withCouriers = [...new Set(processes.flatMap(({ channel }) => channel ?? []))]
  const moving = await readMoving(redis, shards)
  const found = await Promise.all(
    shardNames(shards).map((shard) => {
      const isMoving = moving.some((each) => each.shards.includes(shard))
      return (isMoving ? readMovingBacklog : readShardBacklog)(redis, shard, { nowMs, withCouriers })
    }),
  )
  const overdue = sumOverdue(found.map((each) => each.overdue))
  const uses = usesOf(found.flatMap(({ channels }) => channels))
  const peopleWaiting = waitingOf(found.flatMap(({ waiting }) => waiting))

  const streamsOf = (channel: string) =>
    shardNames(shards).flatMap((shard, index) =>
      (found[index]?.streams ?? []).flatMap(([of, cls]) =>
        of === channel ? [{ shard, cls: cls as MessageClass }] : [],
      ),
    )

  async function figuresOf(channel: string): Promise<ChannelFigures> {
    const couriers = couriersOf(channel)
    const leaseMs = leaseOf(channel)
    const [streams, pausedForMs, pause] = await Promise.all([
      Promise.all(streamsOf(channel).map((each) => readWorkStream(redis, { ...each, channel, leaseMs }))),
      longestPauseMs(redis, channel, couriers),
      readPause(redis, channel),
    ])
    const use = uses.get(channel) ?? 'named'
    const waiting = peopleWaiting.get(channel) ?? 0
    return { channel, couriers, leaseMs, use, waiting, ...sumWork(streams, nowMs), pausedForMs, pause }
  }

  const names = new Set([...withCouriers, ...uses.keys()])
  const figures = await Promise.all([...names].sort().map(figuresOf))
  const verdicts = createVerdicts({ redis, shards, moving })
  const [whyOverdue, ...whys] = await Promise.all([
    verdicts.ofOverdue(overdue, figures),
    ...figures.map(verdicts.ofChannel),
  ])
  return {
    overdue: { ...overdue, ...verdict(whyOverdue) },
    moving,
    channels: figures.map((each, index) => ({ ...each, ...verdict(whys[index]) })),
  }
}

const verdict = (why: string | undefined): Verdict => (why === undefined ? {} : { stuck: why })
