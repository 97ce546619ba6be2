/** Channels that cannot keep up: people wait for whom the allowed rate leaves no place by the deadline of their message. */
import type { MessageClass } from '@courier-fleet/api-types'
import { findChannel } from '@courier-fleet/channels'
import {
  allowedPerSecond,
  type ChannelBacklog,
  keys,
  type Promised,
  type Redis,
  readPromised,
  redisNow,
  timesAtRate,
} from '@courier-fleet/store'
import type { Trouble } from './texts.ts'

interface BehindDeps {
  readonly redis: Redis
  readonly shards: number
  readonly weights: () => Readonly<Record<MessageClass, number>>
}

/** Nobody knows it of a channel without a rate, or whose provider counts calls; of one that stands still another alarm says why. */
export async function findBehind(
  { redis, shards, weights }: BehindDeps,
  { channel, couriers, pause, pausedForMs, waiting: all }: ChannelBacklog,
): Promise<Trouble[]> {
  const perSecond = allowedPerSecond(couriers)
  const isWorking = !pause && couriers.some(({ ready }) => ready)
  if (all === 0 || !isWorking || perSecond === undefined || findChannel(channel)?.settings.countsCalls) return []
  const [{ waiting, promised }, nowMs] = await Promise.all([
    readPromised(redis, shards, channel),
    redisNow(redis, keys.fleet),
  ])
  const endOf = ({ class: cls, upTo }: Promised) => {
    const times = timesAtRate({ ...waiting, [cls]: upTo }, weights(), perSecond)
    return nowMs + Math.max(0, pausedForMs) + times[cls]
  }
  const lateByMs = new Map<string, number>()
  for (const each of promised) {
    const byMs = endOf(each) - each.byMs
    if (byMs > 0) lateByMs.set(each.type, Math.max(byMs, lateByMs.get(each.type) ?? 0))
  }
  return [...lateByMs].map(([type, byMs]) => ({
    kind: 'behind',
    of: `${channel}:${type}`,
    detail: `${channel}: at ${perSecond} a second the last of type ${type} is sent ${Math.ceil(byMs / 1000)} s after its deadline`,
  }))
}
