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
  addFind(app, deps)
  addLinks(app, deps)
  addUnlink(app, deps)
}

function addFind(app: App, { directory }: RouteDeps): void {
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
}

function addLinks(app: App, deps: RouteDeps): void {
  const { linkContact } = deps
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
          'By the office; people link their own with a code. Of several on one channel it takes the place of the first; an address that the person has already stays where it is. Somebody who has said STOP on this channel stays opted out. On `http` the answer has the secret that messages to the URL are signed with, whenever one is made: for the first URL, and for another one.',
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

  app.post(
    '/contacts/:channel/:person',
    {
      config: {
        problems: ['404 unknown-person', '409 enough-contacts', '422 bad-address', '422 one-contact'],
      },
      schema: {
        tags,
        operationId: 'addContact',
        summary: 'Link a further address to a person, such as a second phone; it is taken from whoever had it',
        description:
          'By the office. On `sms` somebody may have three. A message goes to the first that can be written to, and to the next only where that one certainly did not get it: its provider refused it for what is of the number, or says later that it did not arrive. ' +
          'Nobody is sent it twice for being in doubt. An address that the person has already stays as it is, where it is. A STOP from any of them holds for all.',
        params: channelPersonParams,
        body: contactBody,
        response: answers({ 204: done }),
      },
    },
    async ({ params: { channel, person }, body, principal: caller }, reply) => {
      const by = { by: caller.owner, via: viaOf(caller), consents: false, isFurther: true as const }
      await linkContact(channel, person, body.address, by)
      return reply.code(204).send(null)
    },
  )
}

function addUnlink(app: App, deps: RouteDeps): void {
  const { directory, audit } = deps
  app.delete(
    '/contacts/:channel/:person',
    {
      config: { problems: ['404 unknown-person'] },
      schema: {
        tags,
        operationId: 'unlinkContact',
        summary: 'Unlink, by the person or an operator; fine when there is nothing to unlink',
        description:
          'All that the person has on the channel, or the one that `address` names; through an inbound process the one that asks, where none is named. Messages do not go there any more. A STOP stays: whatever the office or an import links next on the channel is opted out, too. What is being sent at this moment may still arrive, and is then `unknown`.',
        params: channelPersonParams,
        querystring: z.strictObject({ address: address.optional() }),
        response: answers({ 204: done }),
      },
    },
    async ({ params: { channel, person }, query, principal: caller }, reply) => {
      const found = await personFor(directory, caller, person)
      const rights = mostOf(directory, found)
      if (caller.inboundChannel !== undefined && hasPowers({ role: rights })) {
        throw new Problem(403, 'not-allowed', `an ${rights} unlinks a contact signed in to the web, not through it`)
      }
      if (channel === http.name) await deps.webhookSecrets.forget(ofPerson(person))
      if (await directory.unlinkContact(channel, person, query.address ?? caller.inboundAddress)) {
        await audit.write({ action: 'contact.unlinked', by: caller.owner, via: viaOf(caller), person, channel })
      }
      return reply.code(204).send(null)
    },
  )
}
