import { rehearsalBody, rehearsalView } from '@courier-fleet/api-types'
import type { RouteDeps } from '../app-deps.ts'
import type { App } from '../http/fastify-app.ts'
import { answers } from '../openapi/openapi.ts'
import { rehearse } from '../plan/rehearse.ts'
import { ofRehearsals } from './message-problems.ts'

export function audienceRoutes(app: App, deps: RouteDeps): void {
  app.post(
    '/audiences::resolve',
    {
      config: { idempotency: 'reads', problems: ofRehearsals },
      schema: {
        tags: ['messages'],
        operationId: 'rehearseMessage',
        summary: 'Whom a message would reach if it went out now; sends nothing',
        description:
          'Resolves the audience as a message would and says who can be reached on which channel, who would be sent it when, and how many parts of SMS it takes. Nothing is sent or kept.',
        body: rehearsalBody,
        response: answers({ 200: rehearsalView }),
      },
    },
    ({ body, principal }) => rehearse(deps, body, principal),
  )
}
