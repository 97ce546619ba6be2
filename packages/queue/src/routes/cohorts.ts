import { cohortBody, cohortList, cohortView, Problem, putOutcome } from '@courier-fleet/api-types'
import { mayRead } from '@courier-fleet/directory'
import { byCaller, ownersOf } from '../access/audit.ts'
import type { RouteDeps } from '../app-deps.ts'
import type { App } from '../http/fastify-app.ts'
import { unknown } from '../http/unknown.ts'
import { answers, done } from '../openapi/openapi.ts'
import { cohortParams } from './parameters.ts'

const tags = ['directory']

const groupsOf = (cohort: { name: string; owners: readonly string[]; groups: readonly string[] }) =>
  `${ownersOf(cohort)}; groups: ${cohort.groups.join(' ')}`

export function cohortRoutes(app: App, deps: RouteDeps): void {
  addReading(app, deps)
  addWriting(app, deps)
}

function addReading(app: App, { directory }: RouteDeps): void {
  app.get(
    '/cohorts',
    {
      schema: {
        tags,
        operationId: 'listCohorts',
        summary: 'Cohorts by id; a trainer sees those of his own',
        description: 'A cohort is a group of groups. Staff see all of them, trainers those they own.',
        response: answers({ 200: cohortList }),
      },
    },
    async ({ principal }) => ({
      cohorts: (await directory.listCohorts()).filter((cohort) => mayRead(principal, cohort)),
    }),
  )

  app.get(
    '/cohorts/:id',
    {
      config: { problems: ['404 unknown-cohort'] },
      schema: {
        tags,
        operationId: 'readCohort',
        summary: 'A cohort and its groups',
        description: 'Name, owners and the ids of its groups.',
        params: cohortParams,
        response: answers({ 200: cohortView }),
      },
    },
    async ({ principal, params }) => {
      const cohort = (await directory.getCohort(params.id)) ?? unknown('cohort', params.id)
      if (mayRead(principal, cohort)) return cohort
      throw new Problem(403, 'not-your-cohort', `the cohort "${params.id}" is not yours`)
    },
  )
}

function addWriting(app: App, { directory, sendingRights, audit }: RouteDeps): void {
  app.put(
    '/cohorts/:id',
    {
      config: { problems: ['422 bad-field', '422 unknown-group'] },
      schema: {
        tags,
        operationId: 'putCohort',
        summary: 'Create or replace a cohort and the list of its groups',
        description: 'Name, owners and groups as a whole. Whoever owns it may write to everybody in its groups.',
        params: cohortParams,
        body: cohortBody,
        response: answers({ 200: putOutcome, 201: putOutcome }),
      },
    },
    async ({ params, body, principal: caller }, reply) => {
      const before = await directory.getCohort(params.id)
      const owners = { before: before?.owners ?? [], after: body.owners }
      const outcome = await sendingRights.changeOwners(`cohort:${params.id}`, owners, () =>
        directory.putCohort({ id: params.id, ...body }),
      )
      if (outcome !== 'unchanged') {
        const about = { ...byCaller(caller), detail: `cohort:${params.id}` }
        await audit.write({
          action: 'cohort.changed',
          ...about,
          before: before && groupsOf(before),
          after: groupsOf(body),
        })
      }
      reply.code(outcome === 'created' ? 201 : 200)
      return { id: params.id, outcome }
    },
  )

  app.delete(
    '/cohorts/:id',
    {
      config: { problems: ['404 unknown-cohort'] },
      schema: {
        tags,
        operationId: 'removeCohort',
        summary: 'Remove a cohort; its groups stay',
        description: 'The groups in it and their people stay as they are.',
        params: cohortParams,
        response: answers({ 204: done }),
      },
    },
    async ({ params, principal: caller }, reply) => {
      const before = await directory.getCohort(params.id)
      const owners = { before: before?.owners ?? [], after: [] }
      const remove = () => directory.deleteCohort(params.id)
      if (!(await sendingRights.changeOwners(`cohort:${params.id}`, owners, remove))) unknown('cohort', params.id)
      const about = { ...byCaller(caller), detail: `cohort:${params.id}` }
      await audit.write({ action: 'cohort.removed', ...about, before: before && groupsOf(before) })
      return reply.code(204).send(null)
    },
  )
}
