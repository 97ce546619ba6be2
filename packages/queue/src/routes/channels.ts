import { isDeepStrictEqual } from 'node:util'
import { type AccountView, type ChannelView, channelList, type MovingView } from '@courier-fleet/api-types'
import { toldBy } from '@courier-fleet/channels'
import {
  type AccountInfo,
  type ChannelBacklog,
  type CourierLately,
  canSend,
  isSilent,
  lastSeenMs,
  type Moving,
  movingText,
  type ProcessInfo,
  readBacklog,
  readProcesses,
} from '@courier-fleet/store'
import type { RouteDeps } from '../app-deps.ts'
import { readAccounts } from '../fleet/channel-accounts.ts'
import { readClasses } from '../fleet/channel-classes.ts'
import type { App } from '../http/fastify-app.ts'
import { answers } from '../openapi/openapi.ts'
import { settingsUseOf } from '../settings/settings-use.ts'

export function channelRoutes(app: App, deps: RouteDeps): void {
  const { redis, shards } = deps
  app.get(
    '/channels',
    {
      schema: {
        tags: ['fleet'],
        operationId: 'listChannels',
        summary: 'The channels: their couriers, what waits for them, and whether anyone is at it',
        description:
          'What waits for each, whether somebody is at it, which couriers can send and how fast they work; and what is overdue in the whole fleet.',
        response: answers({ 200: channelList }),
      },
    },
    async () => {
      const processes = await readProcesses(redis)
      const { overdue, moving, channels } = await readBacklog(redis, shards, processes)
      const { deliveries, oldestMs, stuck } = overdue
      const nowMs = deps.clock.now()
      const { tellRead } = deps.settings.current()
      return {
        overdue: { deliveries, oldestMs, ...verdictOf(stuck) },
        moving: moving.map(movingOf),
        settings: settingsUseOf(deps, processes),
        channels: await Promise.all(
          channels.map(async (each) => {
            const [classes, accounts] = await Promise.all([readClasses(deps, each), readAccounts(redis, each)])
            return { ...channelOf(each, tellRead, nowMs), classes, ...(accounts.length > 0 ? { accounts } : {}) }
          }),
        ),
      }
    },
  )
}

const movingOf = (moving: Moving): MovingView => ({
  ...moving,
  shards: [...moving.shards],
  buckets: [...moving.buckets],
  reason: movingText(moving),
})

function channelOf(backlog: ChannelBacklog, tellRead: readonly string[], nowMs: number): Omit<ChannelView, 'classes'> {
  const { channel, couriers, waiting, unclaimed, oldestUnclaimedMs, inProgress, abandoned } = backlog
  const { longestAbandonedMs, pausedForMs, pause, stuck } = backlog
  const tells = toldBy(channel, tellRead)
  return {
    channel,
    ...(tells === undefined ? {} : { tells }),
    ready: couriers.some(canSend),
    ...(pause ? { paused: { pausedBy: pause.by, pausedSince: new Date(pause.sinceMs).toISOString() } } : {}),
    couriers: couriers.map((each) => courierOf(each, nowMs)),
    backlog: {
      waiting,
      unclaimed,
      oldestUnclaimedMs,
      inProgress,
      abandoned,
      longestAbandonedMs,
      pausedForMs,
      ...verdictOf(stuck),
    },
  }
}

function courierOf(courier: ProcessInfo, nowMs: number): ChannelView['couriers'][number] {
  const { name, pid, startedAt, ready, notReady, target, inFlight, settings, pace, lately, accounts, startedWith } =
    courier
  const seenMs = lastSeenMs(courier, nowMs)
  const isTuned = !isDeepStrictEqual(pace, startedWith)
  return {
    name,
    pid,
    startedAt: new Date(startedAt).toISOString(),
    ...(seenMs === undefined ? {} : { seenAt: new Date(seenMs).toISOString() }),
    ready,
    silent: isSilent(courier),
    ...(notReady ? { notReady: { since: new Date(notReady.since).toISOString(), why: notReady.why } } : {}),
    ...(target === undefined ? {} : { target }),
    ...(inFlight === undefined ? {} : { inFlight }),
    ...(settings === undefined ? {} : { settings }),
    ...(pace ? { pace } : {}),
    ...(lately ? { lately: latelyOf(lately) } : {}),
    ...(accounts ? { accounts: accounts.map(accountOf) } : {}),
    ...(startedWith && isTuned ? { startedWith } : {}),
  }
}

function accountOf({ name, prefixes, perSecond, state, lastLeftAlone }: AccountInfo): AccountView {
  const at = (ms: number) => new Date(ms).toISOString()
  return {
    name,
    prefixes,
    ...(perSecond === undefined ? {} : { perSecond }),
    state: state.is,
    ...(state.is === 'works' ? {} : { trouble: { since: at(state.since), why: state.why } }),
    ...(lastLeftAlone
      ? { lastLeftAlone: { since: at(lastLeftAlone.since), until: at(lastLeftAlone.until), why: lastLeftAlone.why } }
      : {}),
  }
}

/** What is of classes is told of the whole channel. */
function latelyOf({
  slowDown,
  lastMinute: _ofClasses,
  ...lately
}: CourierLately): NonNullable<ChannelView['couriers'][number]['lately']> {
  if (!slowDown) return lately
  const { since, until, why } = slowDown
  return { ...lately, slowDown: { since: new Date(since).toISOString(), until: new Date(until).toISOString(), why } }
}

function verdictOf(stuck: string | undefined): { stuck: boolean; reason?: string } {
  return stuck === undefined ? { stuck: false } : { stuck: true, reason: stuck }
}
