/** What an inbound process is told of who has read: the receipts say so from then on. */
import { readBody, readView } from '@courier-fleet/api-types'
import { createUnread } from '@courier-fleet/store'
import type { RouteDeps } from '../app-deps.ts'
import type { App } from '../http/fastify-app.ts'
import { answers } from '../openapi/openapi.ts'
import { requireOwnChannel } from '../people/inbound-contacts.ts'

export function readRoutes(app: App, { redis, settings }: RouteDeps): void {
  app.post(
    '/contacts::read',
    {
      schema: {
        tags: ['people'],
        operationId: 'noteRead',
        summary: 'Contacts have read what was sent to them',
        description:
          'By the inbound process of a channel whose provider tells up to which of its messages somebody has read. The receipts of those messages of the last three days say `read` then; told again, or of an older message, nothing changes. ' +
          'Of a channel that is not among `tellRead` of the settings nothing is noted.',
        body: readBody,
        response: answers({ 200: readView }),
      },
    },
    async ({ principal: caller, body: { channel, reads } }) => {
      requireOwnChannel(caller, channel)
      if (!settings.current().tellRead.includes(channel)) return { read: 0 }
      const unread = createUnread({ redis, channel })
      return { read: await unread.read(reads.map(({ address, upTo }) => ({ address, providerId: upTo }))) }
    },
  )
}
