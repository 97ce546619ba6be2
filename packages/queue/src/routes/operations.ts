/** What those who run the service ask: alive, ready, how much, and what the API is. No API key needed. */
import { Problem } from '@courier-fleet/api-types'
import { keys, readBacklog } from '@courier-fleet/store'
import { z } from 'zod'
import type { AppDeps } from '../app-deps.ts'
import { docsPage } from '../docs-page.ts'
import type { App } from '../fastify-app.ts'
import { type Metrics, measureBacklog } from '../metrics.ts'
import { answers, content } from '../openapi.ts'

const health = z.strictObject({ status: z.literal('ok') })
const open = { tags: ['operations'], security: [] }

type OperationDeps = Pick<AppDeps, 'redis' | 'shards'>

export function operationRoutes(app: App, { redis, shards }: OperationDeps, metrics: Metrics): void {
  const measure = measureBacklog(metrics, () => readBacklog(redis, shards))

  /** @returns in words what has been left alone for too long, the fleet's first */
  async function whatIsStuck(): Promise<string[]> {
    const { overdue, channels } = await readBacklog(redis, shards)
    return [overdue, ...channels].map(({ stuck }) => stuck).filter((why) => why !== undefined)
  }

  app.get(
    '/healthz',
    { exposeHeadRoute: true, schema: { ...open, summary: 'The process lives', response: answers({ 200: health }) } },
    async () => ({ status: 'ok' as const }),
  )

  app.get(
    '/readyz',
    {
      exposeHeadRoute: true,
      schema: {
        ...open,
        summary: 'Redis answers and takes writes, and nothing is stuck',
        response: answers({ 200: health }),
      },
    },
    async () => {
      await redis.set(keys.ready, 1, 'PX', 1000)
      const stuck = await whatIsStuck()
      if (stuck.length > 0) throw new Problem(503, 'stuck', stuck.join('. '))
      return { status: 'ok' as const }
    },
  )

  app.get(
    '/metrics',
    {
      schema: {
        ...open,
        summary: 'Prometheus metrics',
        response: answers({ 200: content('text/plain', 'metrics', z.string()) }),
      },
    },
    async (_request, reply) => {
      await measure()
      return reply.type(metrics.registry.contentType).send(await metrics.registry.metrics())
    },
  )

  app.get('/openapi.json', { schema: { ...open, summary: 'This document' } }, async () => app.swagger())

  app.get(
    '/docs',
    {
      schema: {
        ...open,
        summary: 'This document as a page',
        response: answers({ 200: content('text/html', 'page', z.string()) }),
      },
    },
    async (_request, reply) => reply.type('text/html; charset=utf-8').send(docsPage(app.swagger())),
  )
}
