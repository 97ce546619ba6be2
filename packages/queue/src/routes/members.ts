/** Who is in a group. */
import { changedCount, memberList, membersBody } from '@courier-fleet/api-types'
import { byCaller } from '../access/audit.ts'
import type { RouteDeps } from '../app-deps.ts'
import type { App } from '../http/fastify-app.ts'
import { answers, done } from '../openapi/openapi.ts'
import { readableGroup } from '../people/readable-group.ts'
import { groupParams, groupPersonParams } from './parameters.ts'

const tags = ['directory']

export function memberRoutes(app: App, { directory, sendingRights, audit }: RouteDeps): void {
  app.get(
    '/groups/:id/members',
    {
      config: { problems: ['404 unknown-group'] },
      schema: {
        tags,
        operationId: 'listMembers',
        summary: 'The ids of its people',
        description: 'All of them at once, by id.',
        params: groupParams,
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
      config: { problems: ['404 unknown-group', '422 unknown-person'] },
      schema: {
        tags,
        operationId: 'addMembers',
        summary: 'Add people; says how many were not in it',
        description:
          'Who is in it already stays; people who are not in the directory are refused, and then nobody is added.',
        params: groupParams,
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
      config: { problems: ['404 unknown-group'] },
      schema: {
        tags,
        operationId: 'removeMember',
        summary: 'Take a person out; fine when not in it',
        description: 'The person stays in the directory and in other groups.',
        params: groupPersonParams,
        response: answers({ 204: done }),
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
