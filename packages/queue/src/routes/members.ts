/** Who is in a group. */
import { changedCount, id, memberList, membersBody } from '@courier-fleet/api-types'
import { z } from 'zod'
import type { RouteDeps } from '../app-deps.ts'
import { byCaller } from '../audit.ts'
import type { App } from '../fastify-app.ts'
import { answers } from '../openapi.ts'
import { readableGroup } from '../readable-group.ts'
import { idParams } from './parameters.ts'

const tags = ['directory']

export function memberRoutes(app: App, { directory, sendingRights, audit }: RouteDeps): void {
  app.get(
    '/groups/:id/members',
    {
      schema: {
        tags,
        operationId: 'listMembers',
        summary: 'The ids of its people',
        params: idParams,
        response: answers({ 200: memberList }),
      },
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
        operationId: 'addMembers',
        summary: 'Add people; says how many were not in it',
        params: idParams,
        body: membersBody,
        response: answers({ 200: changedCount }),
      },
    },
    async ({ params, body, principal: caller }) => {
      const changed = await directory.addMembers(params.id, body.people)
      const about = { ...byCaller(caller), detail: `group:${params.id}` }
      if (changed > 0) await audit.write({ action: 'members.added', ...about, after: body.people.join(' ') })
      return { changed }
    },
  )

  app.delete(
    '/groups/:id/members/:person',
    {
      schema: {
        tags,
        operationId: 'removeMember',
        summary: 'Take a person out; fine when not in it',
        params: idParams.extend({ person: id }),
        response: answers({ 204: z.null() }),
      },
    },
    async ({ params, principal: caller }, reply) => {
      const { owners = [] } = (await directory.getGroup(params.id)) ?? {}
      const removed = await sendingRights.takeOut(params.person, owners, () =>
        directory.removeMembers(params.id, [params.person]),
      )
      const about = { ...byCaller(caller), person: params.person, detail: `group:${params.id}` }
      if (removed > 0) await audit.write({ action: 'members.removed', ...about })
      return reply.code(204).send(null)
    },
  )
}
