/** The work streams as Redis has them, for an engineer who looks into it. */
import { streamList } from '@courier-fleet/api-types'
import { readStreams, type StreamInfo } from '@courier-fleet/store'
import type { RouteDeps } from '../app-deps.ts'
import { cached } from '../http/cached.ts'
import type { App } from '../http/fastify-app.ts'
import { answers } from '../openapi/openapi.ts'

/** however many look at it */
const freshMs = 1_000

export function streamRoutes(app: App, { redis, shards, clock }: RouteDeps): void {
  const read = cached(freshMs, async () => ({
    asOf: new Date(clock.now()).toISOString(),
    streams: (await readStreams(redis, shards)).map(streamOf),
  }))
  app.get(
    '/streams',
    {
      schema: {
        tags: ['operations'],
        operationId: 'listStreams',
        summary: 'The work streams as Redis has them',
        description:
          'Of each its length, its first entry, what is claimed and by whom, and what nobody has claimed. `GET /v1/channels` has the sums and says whether anything is wrong.',
        response: answers({ 200: streamList }),
      },
    },
    read,
  )
}

function streamOf({ oldestAt, group, ...stream }: StreamInfo) {
  return {
    ...stream,
    ...(oldestAt === undefined ? {} : { oldestAt: new Date(oldestAt).toISOString() }),
    ...(group
      ? { group: { ...group, lag: Math.max(0, stream.entries - group.pending), consumers: [...group.consumers] } }
      : {}),
  }
}
