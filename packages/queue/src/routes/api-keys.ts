import { apiKeyBody, apiKeyCreated, apiKeyList, Problem, type Role, roles } from '@courier-fleet/api-types'
import { z } from 'zod'
import { viaOf } from '../access/callers.ts'
import type { RouteDeps } from '../app-deps.ts'
import type { App } from '../http/fastify-app.ts'
import { unknown } from '../http/unknown.ts'
import { answers, done } from '../openapi/openapi.ts'

const tags = ['api keys']
/** of a key that is of no people, and of a role that nobody knows: none */
const rank = (rights: Role | undefined) => (rights ? roles.indexOf(rights) : -1)
const apiKeyParams = z.strictObject({
  id: z
    .string()
    .regex(/^[A-Za-z0-9]{1,64}$/, 'the id of an API key')
    .describe('id of an API key, as the list has it')
    .meta({ examples: ['V1StGXR8'] }),
})

export function apiKeyRoutes(app: App, { apiKeys, directory, audit, sendingRights }: RouteDeps): void {
  app.get(
    '/api-keys',
    {
      schema: {
        tags,
        operationId: 'listApiKeys',
        summary: 'All API keys, without their secrets',
        description: 'What each is for, who calls with it, and what it may do.',
        response: answers({ 200: apiKeyList }),
      },
    },
    async () => ({ apiKeys: await apiKeys.list() }),
  )

  app.post(
    '/api-keys',
    {
      config: {
        problems: ['404 unknown-person', '422 bad-field', '422 role-above-owner', '422 unknown-channel'],
        idempotency: 'secret',
      },
      schema: {
        tags,
        operationId: 'createApiKey',
        summary: 'Make an API key; its text is shown this once',
        description:
          'A key has at most the role its owner has in the directory, and ends with them. Only a hash of it is kept.',
        body: apiKeyBody,
        response: answers({ 201: apiKeyCreated }),
      },
    },
    async ({ body, principal: caller }, reply) => {
      const person = await directory.findPerson(body.owner)
      if (person && rank(directory.rightsOf(body.role)) > rank(directory.rightsOf(person.role))) {
        const detail = `${body.owner} has the role ${person.role}: a key of theirs cannot have a higher one`
        throw new Problem(422, 'role-above-owner', detail, 'role')
      }
      const role = {
        sender: body.owner,
        before: await sendingRights.roleOf(body.owner),
        after: await sendingRights.roleOf(body.owner, { and: body.role }),
      }
      const made = await sendingRights.change([role], () => apiKeys.create(body))
      // who was removed meanwhile would leave a key behind that is nobody's, with all of its role
      if (person && (await directory.findPeople([body.owner]))[0] === undefined) {
        await apiKeys.revoke(made.id)
        throw new Problem(404, 'unknown-person', `no person "${body.owner}"`, 'owner')
      }
      const detail = `${made.id}: ${body.role} ${body.owner}`
      await audit.write({ action: 'api-key.created', by: caller.owner, via: viaOf(caller), person: body.owner, detail })
      reply.code(201)
      return made
    },
  )

  app.delete(
    '/api-keys/:id',
    {
      config: { problems: ['404 unknown-api-key', '409 last-admin'] },
      schema: {
        tags,
        operationId: 'revokeApiKey',
        summary: 'Revoke an API key',
        description:
          'Calls with it are refused from now on. What its owner has scheduled is held when it falls due where they may write to fewer people without it: a system by its other keys, if it has any. A person sends by their role, so all of theirs goes out; what somebody else has scheduled with a leaked key is to be cancelled.',
        params: apiKeyParams,
        response: answers({ 204: done }),
      },
    },
    async ({ params, principal: caller }, reply) => {
      const key = (await apiKeys.list()).find(({ id }) => id === params.id) ?? unknown('api-key', params.id)
      const [before, after] = await Promise.all([
        sendingRights.roleOf(key.owner),
        sendingRights.roleOf(key.owner, { without: params.id }),
      ])
      const revoke = () => apiKeys.revoke(params.id)
      if (!(await sendingRights.change([{ sender: key.owner, before, after }], revoke))) unknown('api-key', params.id)
      await audit.write({ action: 'api-key.revoked', by: caller.owner, via: viaOf(caller), detail: params.id })
      return reply.code(204).send(null)
    },
  )
}
