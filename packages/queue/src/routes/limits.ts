import { limitsView } from '@courier-fleet/api-types'
import type { RouteDeps } from '../app-deps.ts'
import type { App } from '../http/fastify-app.ts'
import { answers } from '../openapi/openapi.ts'

export function limitRoutes(app: App, { quota }: RouteDeps): void {
  app.get(
    '/limits',
    {
      schema: {
        tags: ['messages'],
        operationId: 'readLimits',
        summary: 'How many messages you may still send today, whichever way you send them',
        description:
          'A day is one of the fleet’s time zone, and there is one limit whichever way messages are sent. All fields are null for those who have no limit.',
        response: answers({ 200: limitsView }),
      },
    },
    ({ principal }) => quota.limits(principal),
  )
}
