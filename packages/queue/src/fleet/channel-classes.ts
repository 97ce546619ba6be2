/** The three classes on one channel: who waits in each, how long the allowed rate takes for them, what part of it each had of late, and its weight. */
import { type ClassView, classes, type MessageClass } from '@courier-fleet/api-types'
import { findChannel } from '@courier-fleet/channels'
import {
  allowedPerSecond,
  type ChannelBacklog,
  type ClassWork,
  type ProcessInfo,
  readWorkByClass,
  timesAtRate,
} from '@courier-fleet/store'
import type { RouteDeps } from '../app-deps.ts'

type OfClasses = Readonly<Record<MessageClass, number>>
type Deps = Pick<RouteDeps, 'redis' | 'shards' | 'settings'>

export async function readClasses(
  { redis, shards, settings }: Deps,
  { channel, couriers }: ChannelBacklog,
): Promise<ClassView[]> {
  const work = await readWorkByClass(redis, shards, channel)
  const sent = sentOf(couriers)
  const all = sumOf(sent)
  const waiting = ofClasses((cls) => work.find((each) => each.class === cls)?.people ?? 0)
  const { weights } = settings.current()
  const times = takes(channel, couriers, work, waiting, weights)
  return classes.map((cls) => ({
    class: cls,
    waiting: waiting[cls],
    atLeast: work.some((each) => each.class === cls && each.isMore),
    ...(times ? { takesMs: times[cls] } : {}),
    lastMinute: sent[cls],
    ...(all > 0 ? { share: sent[cls] / all } : {}),
    weight: weights[cls],
  }))
}

/** Of calls nobody knows how many people each is for; of what was not all looked at, how long it takes. */
function takes(
  channel: string,
  couriers: readonly ProcessInfo[],
  work: readonly ClassWork[],
  waiting: OfClasses,
  weights: OfClasses,
): OfClasses | undefined {
  const perSecond = allowedPerSecond(couriers)
  if (perSecond === undefined || findChannel(channel)?.settings.countsCalls) return undefined
  return work.some(({ isMore }) => isMore) ? undefined : timesAtRate(waiting, weights, perSecond)
}

const sentOf = (couriers: readonly ProcessInfo[]): OfClasses =>
  ofClasses((cls) => couriers.reduce((sum, { lately }) => sum + (lately?.lastMinute?.[cls] ?? 0), 0))

const ofClasses = (of: (cls: MessageClass) => number): OfClasses => ({
  urgent: of('urgent'),
  normal: of('normal'),
  bulk: of('bulk'),
})

const sumOf = (of: OfClasses) => classes.reduce((sum, cls) => sum + of[cls], 0)
