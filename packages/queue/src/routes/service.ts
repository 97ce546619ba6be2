/** How the fleet is now, in one call, for operators. */
import { type ServiceView, serviceView } from '@courier-fleet/api-types'
import {
  type ClassWork,
  type FleetShards,
  isGrowing,
  isSilent,
  keys,
  lastSeenMs,
  type MonthBudget,
  type ProcessInfo,
  readAlarms,
  readChannels,
  readHappened,
  readHeld,
  readMemory,
  readProcesses,
  readShards,
  readTakeOvers,
  readWorkByClass,
  unawareOf,
} from '@courier-fleet/store'
import type { RouteDeps } from '../app-deps.ts'
import { endpointsOf, readEndpoints } from '../fleet/endpoints-left-alone.ts'
import { takeOverBursts } from '../fleet/take-over-bursts.ts'
import { cached } from '../http/cached.ts'
import type { App } from '../http/fastify-app.ts'
import { answers } from '../openapi/openapi.ts'

/** however many look at it */
const freshMs = 1_000
/** of what has happened: of so long ago, and so many at most */
const lookedBackMs = 86_400_000
const maxHappened = 30
const iso = (ms: number) => new Date(ms).toISOString()

export function serviceRoutes(app: App, deps: RouteDeps): void {
  const read = cached(freshMs, () => readService(deps))
  app.get(
    '/service',
    {
      schema: {
        tags: ['operations'],
        operationId: 'readService',
        summary: 'How the fleet is now: what is wrong, what waits by class and cause, which processes there are',
        description:
          'With the channels (`GET /v1/channels`) and the statistics (`GET /v1/stats`) all that the page of operators shows.',
        response: answers({ 200: serviceView }),
      },
    },
    read,
  )
}

async function readService({ redis, durability, shards, clock, budgetViews }: RouteDeps): Promise<ServiceView> {
  const nowMs = clock.now()
  const [
    alarms,
    watcher,
    memory,
    isConfirmed,
    held,
    processes,
    channels,
    takeOvers,
    happened,
    month,
    endpoints,
    fleet,
  ] = await Promise.all([
    readAlarms(redis),
    redis.exists(keys.watcher),
    readMemory(redis),
    isConfirmedBy(durability),
    readHeld(redis, shards),
    readProcesses(redis),
    readChannels(redis, shards),
    readTakeOvers(redis, nowMs - lookedBackMs, nowMs),
    readHappened(redis, nowMs - lookedBackMs, maxHappened),
    budgetViews.month(),
    readEndpoints(redis),
    readShards(redis),
  ])
  const work = await Promise.all(
    [...channels.keys()].sort().map((channel) => workOf(channel, readWorkByClass(redis, shards, channel))),
  )
  return {
    asOf: iso(nowMs),
    alarms: alarms.map(({ name, since, detail }) => ({ alarm: name, since: iso(since), detail })),
    isWatched: watcher === 1,
    redis: { ...memory, isConfirmed },
    ...(month ? { budget: budgetOf(month) } : {}),
    ...(isGrowing(fleet) ? { growth: growthOf(fleet, processes) } : {}),
    work: work.flat(),
    held: {
      people: held.people,
      ...(held.firstMs === undefined ? {} : { firstAt: iso(held.firstMs) }),
      atLeast: held.isMore,
    },
    endpoints: endpoints.flatMap((each) => endpointsOf(each) ?? []),
    processes: processes.map((process) => processOf(process, lastSeenMs(process, nowMs))),
    takenOver: takeOverBursts(takeOvers)
      .slice(-maxHappened)
      .map(({ at, ...burst }) => ({ at: iso(at), ...burst })),
    happened: happened.map(({ at, what, of, since }) => ({ at: iso(at), what, of, since: iso(since) })),
  }
}

/** Asks replicas as whoever is about to send does, and `/readyz`. */
const isConfirmedBy = (durability: RouteDeps['durability']): Promise<boolean> =>
  durability
    .begin()()
    .then(
      () => true,
      () => false,
    )

const budgetOf = ({ isGone: _, ...view }: MonthBudget): ServiceView['budget'] => view

const growthOf = ({ shards }: FleetShards, processes: readonly ProcessInfo[]): ServiceView['growth'] => ({
  shards,
  toRestart: unawareOf(processes, shards).map(({ name }) => name),
})

async function workOf(channel: string, reading: Promise<ClassWork[]>): Promise<ServiceView['work']> {
  return (await reading).map(({ oldestAt, isMore, ...work }) => ({
    channel,
    ...work,
    ...(oldestAt === undefined ? {} : { oldestAt: iso(oldestAt) }),
    atLeast: isMore,
  }))
}

function processOf(process: ProcessInfo, seenMs: number | undefined): ServiceView['processes'][number] {
  const { name, role, channel, startedAt, version, ready, settings, busy } = process
  return {
    name,
    role,
    ...(channel === undefined ? {} : { channel }),
    startedAt: iso(startedAt),
    ...(version === undefined ? {} : { version }),
    ...(seenMs === undefined ? {} : { seenAt: iso(seenMs) }),
    ready,
    silent: isSilent(process),
    ...(settings === undefined ? {} : { settings }),
    ...(busy === undefined ? {} : { busy }),
  }
}
