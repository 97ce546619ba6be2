/** What is wrong with the fleet now, the worst first: what an operator is told in sentences. Only what is known is among it. */
import type { ChannelList, ChannelView, ServiceView } from '@courier-fleet/api-types'

interface OfChannel {
  readonly channel: string
  /** people who wait for the channel, counted for each message */
  readonly waiting: number
}

export type Trouble =
  | { readonly kind: 'imbalance'; readonly key: string }
  | { readonly kind: 'redis-full'; readonly share: number }
  | { readonly kind: 'no-replica' }
  | { readonly kind: 'unwatched' }
  | { readonly kind: 'moving'; readonly slots: number }
  | { readonly kind: 'growing'; readonly shards: number; readonly toRestart: readonly string[] }
  | { readonly kind: 'late'; readonly messages: number; readonly byMs: number }
  | { readonly kind: 'behind'; readonly channel: string; readonly type: string }
  | (OfChannel & { readonly kind: 'stuck'; readonly forMs: number })
  /** as far as is known it can send, but whoever could has fallen silent */
  | (OfChannel & { readonly kind: 'silent'; readonly since?: string })
  | (OfChannel & { readonly kind: 'away'; readonly since?: string; readonly why?: string })
  | (OfChannel & { readonly kind: 'paused'; readonly since: string; readonly by: string })
  | (OfChannel & {
      readonly kind: 'slow-down'
      readonly since?: string
      readonly why?: string
      /** so long it is still to be waited, as far as the provider has said */
      readonly forMs: number
      /** when nobody waits any more if it goes on as in the last seconds; absent when nothing goes out */
      readonly endMs?: number
    })

/** Due and not begun for less than this is no trouble. */
const lateMs = 10_000
/** of what Redis may use */
const fullShare = 0.9

export interface Seen {
  readonly channels: ChannelList
  readonly service: ServiceView
}

export function troublesOf({ channels, service }: Seen): Trouble[] {
  const nowMs = Date.parse(service.asOf)
  const dead = new Set(service.alarms.map(({ alarm }) => alarm))
  return [
    ...ofFleet(channels, service),
    ...channels.channels
      .flatMap((view) => ofChannel(view, dead.has(`dead:${view.channel}`), nowMs))
      .sort((a, b) => severity.indexOf(a.kind) - severity.indexOf(b.kind)),
  ]
}

const severity: readonly Trouble['kind'][] = ['stuck', 'away', 'silent', 'slow-down', 'paused']

function ofFleet({ overdue, moving }: ChannelList, { alarms, isWatched, redis, growth }: ServiceView): Trouble[] {
  const found = alarms.flatMap(({ alarm }): Trouble[] => {
    const [kind, of = '', type = ''] = alarm.split(':')
    if (kind === 'behind') return [{ kind, channel: of, type }]
    return kind === 'imbalance' ? [{ kind, key: of }] : []
  })
  if (!redis.isConfirmed) found.push({ kind: 'no-replica' })
  if (redis.maxBytes > 0 && redis.usedBytes >= fullShare * redis.maxBytes)
    found.push({ kind: 'redis-full', share: redis.usedBytes / redis.maxBytes })
  if (overdue.oldestMs > lateMs) found.push({ kind: 'late', messages: overdue.deliveries, byMs: overdue.oldestMs })
  if (moving.length > 0) found.push({ kind: 'moving', slots: moving.length })
  // once every process looks into all of them it ends by itself
  if (growth && growth.toRestart.length > 0) found.push({ kind: 'growing', ...growth })
  if (!isWatched) found.push({ kind: 'unwatched' })
  return found
}

/** The one thing that explains the others. */
function ofChannel(view: ChannelView, isDead: boolean, nowMs: number): Trouble[] {
  const { channel, couriers, paused, ready, backlog } = view
  const { waiting } = backlog
  if (paused) return [{ kind: 'paused', channel, waiting, since: paused.pausedSince, by: paused.pausedBy }]
  if (backlog.stuck) {
    const forMs = Math.max(backlog.oldestUnclaimedMs, backlog.longestAbandonedMs)
    return [{ kind: 'stuck', channel, waiting, forMs }]
  }
  if (!ready && (isDead || waiting > 0 || couriers.length > 0)) {
    const first = couriers.flatMap(({ notReady }) => notReady ?? [])[0]
    return [{ kind: 'away', channel, waiting, ...first }]
  }
  if (isSilent(view)) {
    const since = couriers
      .flatMap(({ seenAt }) => seenAt ?? [])
      .sort()
      .at(-1)
    return [{ kind: 'silent', channel, waiting, ...(since ? { since } : {}) }]
  }
  return slowDownOf(view, nowMs)
}

/** Whether it can send is not known any more: none of its couriers that could has given a sign of life. */
export function isSilent({ couriers }: ChannelView): boolean {
  const able = couriers.filter(({ ready }) => ready)
  return able.length > 0 && able.every(({ silent }) => silent)
}

function slowDownOf({ channel, couriers, backlog }: ChannelView, nowMs: number): Trouble[] {
  const asked = couriers.flatMap(({ lately }) => lately?.slowDown ?? [])
  const { waiting, pausedForMs } = backlog
  if (asked.length === 0 && pausedForMs === 0) return []
  const latest = asked.sort((a, b) => Date.parse(b.until) - Date.parse(a.until))[0]
  const untilMs = Math.max(nowMs + pausedForMs, ...asked.map(({ until }) => Date.parse(until)))
  const perSecond = rateOf(couriers)
  return [
    {
      kind: 'slow-down',
      channel,
      waiting,
      ...(latest ? { since: asked.map(({ since }) => since).sort()[0] as string, why: latest.why } : {}),
      forMs: Math.max(0, untilMs - nowMs),
      ...(waiting > 0 && perSecond > 0 ? { endMs: untilMs + (waiting / perSecond) * 1000 } : {}),
    },
  ]
}

/** people a second, of all couriers of a channel */
export const rateOf = (couriers: ChannelView['couriers']): number =>
  couriers.reduce((sum, { lately }) => sum + (lately?.sentPerSecond ?? 0), 0)

/** That nobody is lost is known where what is kept is recounted, nothing was found wrong, and replicas have it. */
export const isNobodyLost = ({ isWatched, alarms, redis }: ServiceView): boolean =>
  isWatched && redis.isConfirmed && !alarms.some(({ alarm }) => alarm.startsWith('imbalance:'))
