/** Who is in a group. */
import { changedCount, id, memberList, membersBody } from '@courier-fleet/api-types'
import { z } from 'zod'
import type { RouteDeps } from '../app-deps.ts'
import type { App } from '../fastify-app.ts'
import { answers } from '../openapi.ts'
import { readableGroup } from '../readable-group.ts'
import { idParams } from './parameters.ts'

const tags = ['directory']

export function memberRoutes(app: App, { directory }: RouteDeps): void {
  app.get(
    '/groups/:id/members',
    {
      schema: { tags, summary: 'The ids of its people', params: idParams, response: answers({ 200: memberList }) },
    },
    async ({ principal, params }) => {
      await readableGroup(directory, principal, params.id)
      return { people: await directory.membersOf(params.id) }
    },
  )

  app.post(
    '/groups/:id/members',
    {
      schema: {
        tags,
        summary: 'Add people; says how many were not in it',
        params: idParams,
        body: membersBody,
        response: answers({ 200: changedCount }),
      },
    },
    async ({ params, body }) => ({ changed: await directory.addMembers(params.id, body.people) }),
  )

  app.delete(
    '/groups/:id/members/:person',
    {
      schema: {
        tags,
        summary: 'Take a person out; fine when not in it',
        params: idParams.extend({ person: id }),
        response: answers({ 204: z.null() }),
      },
    },
    async ({ params }, reply) => {
      await directory.removeMembers(params.id, [params.person])
      return reply.code(204).send(null)
    },
  )
}
