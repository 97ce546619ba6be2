/** What is known to have happened while a message went out, beside its receipts. */
import type { AuditLine, ReplayMark } from '@courier-fleet/api-types'
import {
  heartbeatMs,
  type NotedHappened,
  readHappened,
  readTakeOvers,
  type Snapshot,
  type Standings,
} from '@courier-fleet/store'
import type { RouteDeps } from '../app-deps.ts'
import { takeOverBursts } from '../fleet/take-over-bursts.ts'

/** more than are kept */
const maxHappened = 2_000

/** By time. */
export async function readReplayMarks(
  { redis, audit, clock }: Pick<RouteDeps, 'redis' | 'audit' | 'clock'>,
  { ref, hash }: Snapshot,
  { channels, startedMs }: Standings,
): Promise<ReplayMark[]> {
  if (startedMs === undefined) return []
  const endMs = Number(hash.settled ?? clock.now())
  const [lines, takeOvers, happened] = await Promise.all([
    audit.between(startedMs, endMs),
    readTakeOvers(redis, startedMs, endMs),
    // it is noted when it is over, or was noticed: later than it was
    readHappened(redis, startedMs, maxHappened),
  ])
  const ofThis = takeOvers.filter(({ message: { shard, id } }) => shard === ref.shard && id === ref.id)
  const marks = [
    ...lines.flatMap((line) => pauseOf(line, channels)),
    ...takeOverBursts(ofThis).map((burst): ReplayMark => ({ what: 'taken-over', ...burst })),
    ...happened.flatMap((each) => markOf(each, channels, startedMs)).filter(({ at }) => at <= endMs),
  ]
  return marks.map((mark) => ({ ...mark, at: mark.at - startedMs })).sort((one, other) => one.at - other.at)
}

/** Here and below: times in Unix ms. */
function pauseOf({ action, channel, at }: AuditLine, channels: readonly string[]): ReplayMark[] {
  if (action !== 'channel.paused' && action !== 'channel.resumed') return []
  return channel !== undefined && channels.includes(channel) ? [{ at: Date.parse(at), what: action, channel }] : []
}

/** Of what was before the message started, only what may have been so still. */
function markOf({ what, of, since }: NotedHappened, channels: readonly string[], startedMs: number): ReplayMark[] {
  if (what === 'slow-down-over') return channels.includes(of) ? [{ at: since, what: 'slow-down', channel: of }] : []
  if (what === 'redis-away') return since < startedMs ? [] : [{ at: since, what }]
  if (what !== 'process-ended' && what !== 'process-restarted') return []
  // as a courier calls itself unless it is told another name
  const channel = channels.find((each) => of.startsWith(`courier-${each}-`))
  return channel === undefined || since < startedMs - heartbeatMs ? [] : [{ at: since, what: 'process-gone', channel }]
}
