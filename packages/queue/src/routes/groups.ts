import { groupBody, groupList, groupView, putOutcome } from '@courier-fleet/api-types'
import { mayRead } from '@courier-fleet/directory'
import { byCaller, ownersOf } from '../access/audit.ts'
import type { RouteDeps } from '../app-deps.ts'
import type { App } from '../http/fastify-app.ts'
import { unknown } from '../http/unknown.ts'
import { answers, done } from '../openapi/openapi.ts'
import { readableGroup } from '../people/readable-group.ts'
import { groupParams } from './parameters.ts'

const tags = ['directory']

export function groupRoutes(app: App, deps: RouteDeps): void {
  addReading(app, deps)
  addWriting(app, deps)
}

function addReading(app: App, { directory }: RouteDeps): void {
  app.get(
    '/groups',
    {
      schema: {
        tags,
        operationId: 'listGroups',
        summary: 'Groups by id; a trainer sees those of his own',
        description: 'Staff see all groups, trainers those they own.',
        response: answers({ 200: groupList }),
      },
    },
    async ({ principal }) => ({
      groups: (await directory.listGroups()).filter((group) => mayRead(principal, group)),
    }),
  )

  app.get(
    '/groups/:id',
    {
      config: { problems: ['404 unknown-group'] },
      schema: {
        tags,
        operationId: 'readGroup',
        summary: 'A group and its size',
        description: 'Name, owners and how many people are in it.',
        params: groupParams,
        response: answers({ 200: groupView }),
      },
    },
    async ({ principal, params }) => readableGroup(directory, principal, params.id),
  )
}

function addWriting(app: App, { directory, sendingRights, audit }: RouteDeps): void {
  app.put(
    '/groups/:id',
    {
      config: { problems: ['422 bad-field'] },
      schema: {
        tags,
        operationId: 'putGroup',
        summary: 'Create or replace a group; its members stay',
        description: 'Name and owners as a whole. The people in it are changed by its members.',
        params: groupParams,
        body: groupBody,
        response: answers({ 200: putOutcome, 201: putOutcome }),
      },
    },
    async ({ params, body, principal: caller }, reply) => {
      const before = await directory.getGroup(params.id)
      const owners = { before: before?.owners ?? [], after: body.owners }
      const outcome = await sendingRights.changeOwners(`group:${params.id}`, owners, () =>
        directory.putGroup({ id: params.id, ...body }),
      )
      if (outcome !== 'unchanged') {
        const about = { ...byCaller(caller), detail: `group:${params.id}` }
        await audit.write({
          action: 'group.changed',
          ...about,
          before: before && ownersOf(before),
          after: ownersOf(body),
        })
      }
      reply.code(outcome === 'created' ? 201 : 200)
      return { id: params.id, outcome }
    },
  )

  app.delete(
    '/groups/:id',
    {
      config: { problems: ['404 unknown-group'] },
      schema: {
        tags,
        operationId: 'removeGroup',
        summary: 'Remove a group; its people stay',
        description: 'What was scheduled for it by somebody who may write to nobody else is held when it falls due.',
        params: groupParams,
        response: answers({ 204: done }),
      },
    },
    async ({ params, principal: caller }, reply) => {
      const before = await directory.getGroup(params.id)
      const owners = { before: before?.owners ?? [], after: [] }
      const remove = () => directory.deleteGroup(params.id)
      if (!(await sendingRights.changeOwners(`group:${params.id}`, owners, remove))) unknown('group', params.id)
      const about = { ...byCaller(caller), detail: `group:${params.id}` }
      await audit.write({ action: 'group.removed', ...about, before: before && ownersOf(before) })
      return reply.code(204).send(null)
    },
  )
}
