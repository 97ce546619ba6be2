import { cohortBody, cohortList, cohortView, Problem, putOutcome } from '@courier-fleet/api-types'
import { z } from 'zod'
import type { RouteDeps } from '../app-deps.ts'
import { mayRead } from '../auth.ts'
import type { App } from '../fastify-app.ts'
import { answers } from '../openapi.ts'
import { unknown } from '../unknown.ts'
import { idParams } from './parameters.ts'

const tags = ['directory']

export function cohortRoutes(app: App, { directory }: RouteDeps): void {
  app.get(
    '/cohorts',
    {
      schema: {
        tags,
        summary: 'Cohorts by id; a trainer sees those of his own',
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
      schema: { tags, summary: 'A cohort and its groups', params: idParams, response: answers({ 200: cohortView }) },
    },
    async ({ principal, params }) => {
      const cohort = (await directory.getCohort(params.id)) ?? unknown('cohort', params.id)
      if (mayRead(principal, cohort)) return cohort
      throw new Problem(403, 'not-your-cohort', `the cohort "${params.id}" is not yours`)
    },
  )

  app.put(
    '/cohorts/:id',
    {
      schema: {
        tags,
        summary: 'Create or replace a cohort and the list of its groups',
        params: idParams,
        body: cohortBody,
        response: answers({ 200: putOutcome, 201: putOutcome }),
      },
    },
    async ({ params, body }, reply) => {
      const outcome = await directory.putCohort({ id: params.id, ...body })
      reply.code(outcome === 'created' ? 201 : 200)
      return { id: params.id, outcome }
    },
  )

  app.delete(
    '/cohorts/:id',
    {
      schema: {
        tags,
        summary: 'Remove a cohort; its groups stay',
        params: idParams,
        response: answers({ 204: z.null() }),
      },
    },
    async ({ params }, reply) => {
      if (!(await directory.deleteCohort(params.id))) unknown('cohort', params.id)
      return reply.code(204).send(null)
    },
  )
}
