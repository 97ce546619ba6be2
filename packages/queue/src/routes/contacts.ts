import { address, channelName, contactBody, contactOwner, contactSecret, Problem } from '@courier-fleet/api-types'
import { http } from '@courier-fleet/channels'
import { ofPerson } from '@courier-fleet/webhooks'
import { z } from 'zod'
import { mostOf, personFor } from '../access/auth.ts'
import { hasPowers, viaOf } from '../access/callers.ts'
import type { RouteDeps } from '../app-deps.ts'
import type { App } from '../http/fastify-app.ts'
import { unknown } from '../http/unknown.ts'
import { answers, done } from '../openapi/openapi.ts'
import { linkEndpoint } from '../people/contact-endpoint.ts'
import { channelPersonParams } from './parameters.ts'

const tags = ['directory']

export function contactRoutes(app: App, deps: RouteDeps): void {
  const { directory, audit, linkContact } = deps
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
      config: {
        idempotency: 'secret',
        problems: ['404 unknown-person', '422 bad-address', '422 refused-url', '503 no-fleet-secret'],
      },
      schema: {
        tags,
        operationId: 'linkContact',
        summary: 'Link an address to a person; it is taken from whoever had it',
        description:
          'By the office; people link their own with a code. Somebody who has said STOP on this channel stays opted out. On `http` the answer has the secret that messages to the URL are signed with, whenever one is made: for the first URL, and for another one.',
        params: channelPersonParams,
        body: contactBody,
        response: answers({ 200: contactSecret, 204: done }),
      },
    },
    async ({ params: { channel, person }, body, principal: caller }, reply) => {
      const by = { by: caller.owner, via: viaOf(caller), consents: false }
      const link = () => linkContact(channel, person, body.address, by)
      if (channel !== http.name) await link()
      else {
        const secret = await linkEndpoint(deps, person, body.address, link)
        if (secret !== undefined) return { secret }
      }
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
      const rights = mostOf(directory, found)
      if (caller.inboundChannel !== undefined && hasPowers({ role: rights })) {
        throw new Problem(403, 'not-allowed', `an ${rights} unlinks a contact signed in to the web, not through it`)
      }
      if (channel === http.name) await deps.webhookSecrets.forget(ofPerson(person))
      if (await directory.unlinkContact(channel, person)) {
        await audit.write({ action: 'contact.unlinked', by: caller.owner, via: viaOf(caller), person, channel })
      }
      return reply.code(204).send(null)
    },
  )
}
