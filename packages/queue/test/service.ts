/** The real service on a real, empty Redis, with an API key for each role and a few people. */
import {
  type CallerRole,
  callerRoles,
  type HistoryView,
  type ProblemDocument,
  type Role,
} from '@courier-fleet/api-types'
import { type ApiKeys, createApiKeys, createDirectory, type Directory } from '@courier-fleet/directory'
import { type Clock, type Log, silentLog, systemClock } from '@courier-fleet/process'
import {
  connectRedis,
  connectSubscriber,
  createHistories,
  type DurabilityLevel,
  joinFleet,
  reachRedis,
  type StoredSettings,
  startDurability,
  startLiveSettings,
  writeSettings,
} from '@courier-fleet/store'
import { type FreshRedis, freshRedis } from '@courier-fleet/testkit'
import type { Redis } from 'ioredis'
import { problemType } from '../src/http/problem-json.ts'
import { type App, buildApp, type connectQueueRedis, type Rules } from '../src/index.ts'
import { createWebhooks } from '../src/subscriptions/webhooks.ts'
import { createTracker } from '../src/tracker/index.ts'

import { type DeclaredProblems, declaredProblems } from './declared-problems.ts'

export interface Call {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  readonly as?: CallerRole
  readonly body?: unknown
  readonly headers?: Record<string, string>
}

export interface Answered<T> {
  readonly status: number
  readonly headers: Record<string, unknown>
  readonly text: string
  readonly json: T
}

export interface Service {
  readonly app: App
  readonly redis: Redis
  readonly url: string
  readonly directory: Directory
  readonly apiKeys: ApiKeys
  /** the API key of `<role>-1`, e.g. trainer-1 */
  readonly keyOf: Record<CallerRole, string>
  clock: { now(): number }
  /** What operators have set, all of it; in use when it resolves. */
  set(settings: StoredSettings): Promise<void>
  /** By injection; a body that is not a string is sent as JSON. */
  call<T = ProblemDocument & Record<string, unknown>>(path: string, call?: Call): Promise<Answered<T>>
  /** Accepts a message of trainer-1 to group:own, far ahead unless said otherwise. @returns its key */
  send(body?: Record<string, unknown>): Promise<string>
  history(key: string): Promise<HistoryView>
  listen(): Promise<string>
  stop(): Promise<void>
}

/** as far ahead as a message may be due, more or less */
export const far = new Date(Date.now() + 300 * 86_400_000).toISOString()

/** who is called is on this machine, too */
const calling = {
  HTTP_ALLOW_PLAIN: 'on',
  HTTP_ALLOW_NETS: '127.0.0.0/8',
  FLEET_SECRET: 'the secret of the services that are tested',
}

/** most tests send more than a trainer may */
const unlimited: Rules = { timeZone: 'Europe/Moscow', quotas: {} }

/** The connection of a queue, but for its patience: a machine that stands still for two seconds is no Redis that is away. */
const connectPatiently: typeof connectQueueRedis = (url) => connectRedis(url, { name: 'queue', patienceMs: 60_000 })

/**
 * On a database of its own, or on one where a fleet is set up already (then left as it is).
 * @param connect `connectQueueRedis` where Redis is to be in trouble
 */
export async function startService(
  existing?: Pick<FreshRedis, 'redis' | 'url'>,
  rules: Rules = unlimited,
  log: Log = silentLog,
  connect: typeof connectQueueRedis = connectPatiently,
  level: DurabilityLevel = 'master',
): Promise<Service> {
  const fresh = existing ? { ...existing, stop: async () => {} } : await freshRedis()
  const redis = connect(fresh.url)
  const subscriber = connectSubscriber(fresh.url, { name: 'changes' })
  await reachRedis(log, redis)
  const shards = await joinFleet(redis)
  const durability = await startDurability({ url: fresh.url, redis, level, name: 'test' })
  const clock = { now: systemClock.now } satisfies Clock
  const settings = await startLiveSettings({ redis, subscriber, log })
  const histories = createHistories({ redis, shards, settings })
  const tracker = createTracker({ subscriber, histories })
  const roles = () => settings.current().roles
  const directory = createDirectory({ redis, country: 'RU', roles })
  const apiKeys = createApiKeys({ redis, clock, roles })
  const webhooks = createWebhooks(calling)
  const built = {
    redis,
    durability,
    histories,
    tracker,
    directory,
    apiKeys,
    clock,
    log,
    shards,
    rules,
    settings,
    webhooks,
  }
  const app = await buildApp(built)
  const keyOf = {} as Record<CallerRole, string>
  for (const role of callerRoles) {
    const { apiKey } = await apiKeys.create({ owner: `${role}-1`, role, label: role })
    keyOf[role] = apiKey
  }
  await addPeople(directory)

  let problems: DeclaredProblems | undefined
  const service: Service = {
    app,
    redis: fresh.redis,
    url: fresh.url,
    directory,
    apiKeys,
    keyOf,
    clock,
    async set(stored) {
      const expected = settings.current().version
      if ((await writeSettings(redis, { expected, stored, by: 'operator-1' })) === undefined) throw new Error('not set')
      await settings.look()
    },
    async call(path, { method = 'GET', as, body, headers = {} } = {}) {
      const json = body !== undefined && typeof body !== 'string'
      const answer = await app.inject({
        method,
        url: path,
        headers: {
          ...(as ? { authorization: `Bearer ${keyOf[as]}` } : {}),
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body === undefined ? {} : { payload: json ? JSON.stringify(body) : (body as string) }),
      })
      if (String(answer.headers['content-type']).startsWith(problemType)) {
        const { status, code } = answer.json<ProblemDocument>()
        problems ??= declaredProblems(app)
        problems.expect(method, path, `${status} ${code}`)
      }
      const isJson = /^application\/(problem\+)?json/.test(String(answer.headers['content-type'])) && answer.body !== ''
      return {
        status: answer.statusCode,
        headers: answer.headers,
        text: answer.body,
        json: isJson ? answer.json() : undefined,
      } as Answered<never>
    },
    async send(body = {}) {
      const answer = await service.call<{ key: string }>('/v1/messages', {
        method: 'POST',
        as: 'trainer',
        body: { to: ['group:own'], text: 'Hello', at: far, ...body },
      })
      if (answer.status !== 201) throw new Error(answer.text)
      return answer.json.key
    },
    history: async (key) => (await service.call<HistoryView>(`/v1/histories/${key}`, { as: 'trainer' })).json,
    listen: () => app.listen({ host: '127.0.0.1', port: 0 }),
    async stop() {
      await app.close()
      await tracker.stop()
      settings.stop()
      durability.stop()
      redis.disconnect()
      subscriber.disconnect()
      await fresh.stop()
    },
  }
  return service
}

/** Three people in the trainer's own group, one in a group of somebody else, an empty group, and a cohort of two. */
async function addPeople(directory: Directory): Promise<void> {
  const person = (id: string, name: string, role: Role = 'student') =>
    directory.putPerson({ id, name, role, timeZone: 'Europe/Moscow', language: 'ru' })
  await person('anna', 'Анна Каренина')
  await person('boris', '=HYPERLINK("x")')
  await person('clara', 'Clara, the "third"')
  await person('dmitri', 'Дмитрий')
  await person('student-1', 'Студент')
  await directory.putGroup({ id: 'own', name: 'Own group', owners: ['trainer-1'] })
  await directory.putGroup({ id: 'other', name: 'Another group', owners: ['trainer-2'] })
  await directory.putGroup({ id: 'empty', name: 'Nobody', owners: ['trainer-1'] })
  await directory.addMembers('own', ['anna', 'boris', 'clara'])
  await directory.addMembers('other', ['dmitri'])
  await directory.putCohort({ id: 'all', name: 'All', owners: ['staff-1'], groups: ['own', 'other'] })
}
