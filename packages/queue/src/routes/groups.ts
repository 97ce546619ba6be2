import {
  changedCount,
  groupBody,
  groupList,
  groupView,
  id,
  memberList,
  membersBody,
  Problem,
  putOutcome,
} from '@courier-fleet/api-types'
import { z } from 'zod'
import type { App, RouteDeps } from '../app-deps.ts'
import { mayRead } from '../auth.ts'
import { answers } from '../openapi.ts'
import { unknown } from '../unknown.ts'
import { idParams } from './parameters.ts'

const tags = ['directory']

export function groupRoutes(app: App, { directory }: RouteDeps): void {
  app.get(
    '/groups',
    {
      config: { least: 'trainer' },
      schema: { tags, summary: 'Groups by id; a trainer sees those of his own', response: answers({ 200: groupList }) },
    },
    async ({ principal }) => ({
      groups: (await directory.listGroups()).filter((group) => mayRead(principal, group)),
    }),
  )

  app.get(
    '/groups/:id',
    {
      config: { least: 'trainer' },
      schema: { tags, summary: 'A group and its size', params: idParams, response: answers({ 200: groupView }) },
    },
    async ({ principal, params }) => {
      const group = (await directory.getGroup(params.id)) ?? unknown('group', params.id)
      if (!mayRead(principal, group)) throw notYours(params.id)
      return group
    },
  )

  app.put(
    '/groups/:id',
    {
      config: { least: 'admin' },
      schema: {
        tags,
        summary: 'Create or replace a group; its members stay',
        params: idParams,
        body: groupBody,
        response: answers({ 200: putOutcome, 201: putOutcome }),
      },
    },
    async ({ params, body }, reply) => {
      const outcome = await directory.putGroup({ id: params.id, ...body })
      reply.code(outcome === 'created' ? 201 : 200)
      return { id: params.id, outcome }
    },
  )

  app.delete(
    '/groups/:id',
    {
      config: { least: 'admin' },
      schema: {
        tags,
        summary: 'Remove a group; its people stay',
        params: idParams,
        response: answers({ 204: z.null() }),
      },
    },
    async ({ params }, reply) => {
      if (!(await directory.deleteGroup(params.id))) unknown('group', params.id)
      return reply.code(204).send(null)
    },
  )

  app.get(
    '/groups/:id/members',
    {
      config: { least: 'trainer' },
      schema: { tags, summary: 'The ids of its people', params: idParams, response: answers({ 200: memberList }) },
    },
    async ({ principal, params }) => {
      const group = (await directory.getGroup(params.id)) ?? unknown('group', params.id)
      if (!mayRead(principal, group)) throw notYours(params.id)
      return { people: await directory.membersOf(params.id) }
    },
  )

  app.post(
    '/groups/:id/members',
    {
      config: { least: 'admin' },
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
      config: { least: 'admin' },
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

const notYours = (id: string) => new Problem(403, 'not-your-group', `the group "${id}" is not yours`)
