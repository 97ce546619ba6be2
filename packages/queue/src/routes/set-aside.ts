/** What an inbound process cannot deal with, and does not try again: counted, so that operators see that there is some. */
import { setAsideBody } from '@courier-fleet/api-types'
import type { RouteDeps } from '../app-deps.ts'
import type { App } from '../http/fastify-app.ts'
import { answers, done } from '../openapi/openapi.ts'
import { requireOwnChannel } from '../people/inbound-contacts.ts'

export function setAsideRoutes(app: App, { metrics }: RouteDeps): void {
  app.post(
    '/contacts::set-aside',
    {
      schema: {
        tags: ['people'],
        operationId: 'noteSetAside',
        summary: 'Something a contact wrote cannot be dealt with',
        description:
          'By the inbound process of the channel, which does not try it again. It is counted by channel and reason as `fleet_inbound_set_aside_total`; which it was stands in the log of that process.',
        body: setAsideBody,
        response: answers({ 204: done }),
      },
    },
    async ({ principal: caller, body: { channel, reason } }, reply) => {
      requireOwnChannel(caller, channel)
      metrics.countSetAside(channel, reason)
      return reply.code(204).send(null)
    },
  )
}
