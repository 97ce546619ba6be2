/** What those who run the service ask: alive, ready, how much, and what the API is. No API key needed. */
import { Problem } from '@courier-fleet/api-types'
import { keys, movingText, readBacklog } from '@courier-fleet/store'
import { z } from 'zod'
import type { AppDeps } from '../app-deps.ts'
import { type Metrics, measureFleet } from '../fleet/metrics.ts'
import type { MetricsPage } from '../fleet/metrics-server.ts'
import { readFleet } from '../fleet/read-fleet.ts'
import { cached } from '../http/cached.ts'
import type { App } from '../http/fastify-app.ts'
import { answers, content } from '../openapi/openapi.ts'
import { type DocsDocument, docsPage } from '../pages/docs-page.ts'
import { differing } from '../settings/change-settings.ts'

const health = z.strictObject({ status: z.literal('ok').describe('it is well') }).describe('it is well')
const readiness = health
  .extend({
    durability: z
      .enum(['master', 'replica', 'all'])
      .describe(
        'who has to have what was changed before that is told: the Redis that took it, a replica of it, or all of them',
      ),
    warnings: z
      .array(z.string())
      .optional()
      .describe('what is not as it was meant to be, and keeps nobody from working')
      .meta({ examples: [['set live, and other than the environment says: quiet']] }),
  })
  .describe('ready, and nothing is stuck')
const open = { tags: ['operations'], security: [] }

type OperationDeps = Pick<AppDeps, 'redis' | 'durability' | 'shards' | 'rules' | 'settings' | 'metricsElsewhere'>

declare module 'fastify' {
  interface FastifyInstance {
    readMetrics(): Promise<MetricsPage>
  }
}

export function operationRoutes(app: App, deps: OperationDeps, metrics: Metrics): void {
  addProbes(app, deps)
  addMetrics(app, deps, metrics)
  addDescription(app)
}

function addMetrics(app: App, { redis, shards, rules, metricsElsewhere }: OperationDeps, metrics: Metrics): void {
  const measure = measureFleet(metrics, () => readFleet(redis, shards))
  const readMetrics = cached(rules.probeCacheMs, async () => {
    const figures = await measure()
    return { type: metrics.registry.contentType, text: (await metrics.text()) + figures }
  })
  app.decorate('readMetrics', readMetrics)
  if (metricsElsewhere) return
  app.get(
    '/metrics',
    {
      schema: {
        ...open,
        operationId: 'readMetrics',
        summary: 'Prometheus metrics',
        description:
          'Figures in the text format of Prometheus, of this process and of the whole fleet. With `METRICS_PORT` they are served there and not here.',
        response: answers({ 200: content('text/plain', 'metrics', z.string()) }),
      },
    },
    async (_request, reply) => {
      const { type, text } = await readMetrics()
      return reply.type(type).send(text)
    },
  )
}

function addProbes(app: App, { redis, durability, shards, rules, settings }: OperationDeps): void {
  /** @returns in words what has been left alone for too long, the fleet's first, and what waits for Redis to move it */
  const lookAround = cached(rules.probeCacheMs, async () => {
    await redis.set(keys.ready, 1, 'PX', 1000)
    await confirmed(durability)
    const { overdue, channels, moving } = await readBacklog(redis, shards)
    const stuck = [overdue, ...channels].map((each) => each.stuck).filter((why) => why !== undefined)
    return { stuck, moving: moving.map(movingText) }
  })

  app.get(
    '/healthz',
    {
      exposeHeadRoute: true,
      schema: {
        ...open,
        operationId: 'isAlive',
        summary: 'The process lives',
        description: 'Answers as long as the process runs, whatever has become of Redis: for a load balancer.',
        response: answers({ 200: health }),
      },
    },
    async () => ({ status: 'ok' as const }),
  )

  app.get(
    '/readyz',
    {
      exposeHeadRoute: true,
      config: { problems: ['503 not-durable', '503 stuck'] },
      schema: {
        ...open,
        operationId: 'isReady',
        summary: 'Redis answers and takes writes, and nothing is stuck',
        description:
          'Answers 503 `stuck` when work was left alone while nobody is at it, 503 `not-durable` when the replicas that `REDIS_DURABILITY` asks for do not answer, and 503 with the trouble when Redis is away or takes no writes. May be a second old.',
        response: answers({ 200: readiness }),
      },
    },
    async () => {
      const { stuck, moving } = await lookAround()
      if (stuck.length > 0) throw new Problem(503, 'stuck', stuck.join('. '))
      const warnings = [...moving, ...settingsWarnings(settings)]
      return { status: 'ok' as const, durability: durability.level, ...(warnings.length > 0 ? { warnings } : {}) }
    },
  )
}

/** @throws Problem where changes are refused, and nobody is sent anything, until replicas answer */
async function confirmed(durability: OperationDeps['durability']): Promise<void> {
  await durability
    .begin()()
    .catch((error: Error) => {
      throw new Problem(503, 'not-durable', noReplica(durability.level, error.message), undefined, 10)
    })
}

const noReplica = (level: string, why: string) =>
  `REDIS_DURABILITY is ${level}, and a change is not confirmed (${why}): changes are answered 503, and nobody is sent anything until replicas answer`

/** Names only: whoever asks has not signed in. */
function settingsWarnings(settings: OperationDeps['settings']): string[] {
  const problem = settings.problem()
  const names = differing(settings).map(({ setting }) => setting)
  const differ = names.length === 0 ? [] : [`set live, and other than the environment says: ${names.join(', ')}`]
  return [...(problem === undefined ? [] : [problem]), ...differ]
}

function addDescription(app: App): void {
  app.get(
    '/openapi.json',
    {
      schema: {
        ...open,
        operationId: 'readOpenApi',
        response: { 200: z.looseObject({}).describe('an OpenAPI document') },
        summary: 'This document',
        description: 'OpenAPI 3.1, made from the schemas that validate requests.',
      },
    },
    async () => ({ ...app.swagger() }),
  )

  app.get(
    '/docs',
    {
      schema: {
        ...open,
        operationId: 'readReference',
        summary: 'This document as a page',
        description:
          'The reference: every operation, field and problem, with a search field. Loads nothing from elsewhere.',
        response: answers({ 200: content('text/html', 'page', z.string()) }),
      },
    },
    async (_request, reply) =>
      reply.type('text/html; charset=utf-8').send(docsPage(app.swagger() as unknown as DocsDocument)),
  )
}
