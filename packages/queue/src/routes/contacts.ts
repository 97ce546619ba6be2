import { address, channelName, contactBody, contactOwner, Problem } from '@courier-fleet/api-types'
import { z } from 'zod'
import type { RouteDeps } from '../app-deps.ts'
import { personFor } from '../auth.ts'
import { hasPowers, viaOf } from '../callers.ts'
import type { App } from '../fastify-app.ts'
import { answers, done } from '../openapi.ts'
import { unknown } from '../unknown.ts'
import { channelPersonParams } from './parameters.ts'

const tags = ['directory']

export function contactRoutes(app: App, { directory, audit, linkContact }: RouteDeps): void {
  app.get(
    '/contacts',
    {
      config: { problems: ['404 unknown-contact'] },
      schema: {
        tags,
        operationId: 'findContactOwner',
        summary: 'Whose an address is',
        description:
          'Asks for one address; nobody can list addresses. 404 `unknown-contact` when it is linked to nobody.',
        querystring: z.strictObject({ channel: channelName, address }),
        response: answers({ 200: contactOwner }),
      },
    },
    async ({ query: { channel, address } }) => {
      const person = (await directory.personOf(channel, address)) ?? unknown('contact', `${channel} ${address}`)
      return { channel, address, person }
    },
  )

  app.put(
    '/contacts/:channel/:person',
    {
      config: { problems: ['404 unknown-person', '422 bad-address'] },
      schema: {
        tags,
        operationId: 'linkContact',
        summary: 'Link an address to a person; it is taken from whoever had it',
        description:
          'By the office; people link their own with a code. Somebody who has said STOP on this channel stays opted out.',
        params: channelPersonParams,
        body: contactBody,
        response: answers({ 204: done }),
      },
    },
    async ({ params: { channel, person }, body, principal: caller }, reply) => {
      await linkContact(channel, person, body.address, { by: caller.owner, via: viaOf(caller), consents: false })
      return reply.code(204).send(null)
    },
  )

  app.delete(
    '/contacts/:channel/:person',
    {
      config: { problems: ['404 unknown-person'] },
      schema: {
        tags,
        operationId: 'unlinkContact',
        summary: 'Unlink, by the person or an operator; fine when there is nothing to unlink',
        description:
          'Messages do not go there any more. What is being sent at this moment may still arrive, and is then `unknown`.',
        params: channelPersonParams,
        response: answers({ 204: done }),
      },
    },
    async ({ params: { channel, person }, principal: caller }, reply) => {
      const found = await personFor(directory, caller, person)
      if (caller.inboundChannel !== undefined && hasPowers(found)) {
        throw new Problem(403, 'not-allowed', `an ${found.role} unlinks a contact signed in to the web, not through it`)
      }
      if (await directory.unlinkContact(channel, person)) {
        await audit.write({ action: 'contact.unlinked', by: caller.owner, via: viaOf(caller), person, channel })
      }
      return reply.code(204).send(null)
    },
  )
}
