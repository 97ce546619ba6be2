/** Makes what is due, what is to be done and other indexes of messages again from the histories, after a restore that has brought back only a part. */
import { rebuildBody, rebuildView } from '@courier-fleet/api-types'
import { rebuildStep } from '@courier-fleet/store'
import { viaOf } from '../access/callers.ts'
import type { RouteDeps } from '../app-deps.ts'
import type { App } from '../http/fastify-app.ts'
import { answers } from '../openapi/openapi.ts'

export function rebuildRoutes(app: App, { redis, shards, audit }: RouteDeps): void {
  app.post(
    '/fleet::rebuild',
    {
      schema: {
        tags: ['fleet'],
        operationId: 'rebuildFleet',
        summary: 'Make due sets, work streams and other indexes again from the histories, one step a call',
        description:
          'For a Redis that was restored in part. What is there stays, so it may be called while the fleet works, and any number of times. Call it with the `next` of each answer until there is none.',
        body: rebuildBody,
        response: answers({ 200: rebuildView }),
      },
    },
    async ({ principal: caller, body: { from } }) => {
      if (from === undefined) await audit.write({ action: 'fleet.rebuilt', by: caller.owner, via: viaOf(caller) })
      return rebuildStep(redis, shards, from)
    },
  )
}
