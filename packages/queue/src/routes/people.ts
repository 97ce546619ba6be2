import { id, Problem, peoplePage, personBody, personDetails, putOutcome } from '@courier-fleet/api-types'
import { type PersonInFull, personShownTo } from '@courier-fleet/directory'
import { z } from 'zod'
import { byCaller } from '../access/audit.ts'
import { requireRole } from '../access/auth.ts'
import type { RouteDeps } from '../app-deps.ts'
import type { App } from '../http/fastify-app.ts'
import { unknown } from '../http/unknown.ts'
import { answers, done } from '../openapi/openapi.ts'
import { limitParam, personParams } from './parameters.ts'

const tags = ['directory']
const listQuery = z.strictObject({
  after: id
    .optional()
    .describe('`next` of the page before')
    .meta({ examples: ['s-ekn-101-01'] }),
  limit: limitParam(1000, 100),
})

export function peopleRoutes(app: App, deps: RouteDeps): void {
  addReading(app, deps)
  addWriting(app, deps)
}

function addReading(app: App, { directory }: RouteDeps): void {
  app.get(
    '/people',
    {
      schema: {
        tags,
        operationId: 'listPeople',
        summary: 'People, by id',
        description: 'Without contacts; go on with `after`.',
        querystring: listQuery,
        response: answers({ 200: peoplePage }),
      },
    },
    async ({ query }) => {
      const people = await directory.listPeople(query.after ?? '', query.limit)
      const last = people.at(-1)
      return people.length === query.limit && last ? { people, next: last.id } : { people }
    },
  )

  app.get(
    '/people/:id',
    {
      config: { problems: ['404 unknown-person'] },
      schema: {
        tags,
        operationId: 'readPerson',
        summary:
          'A person with contacts and groups; below staff only yourself; addresses, topics and fields for yourself and operators',
        description:
          'Everyone may read themselves; staff everybody, without addresses, topics and fields, which are shown to the person and to operators.',
        params: personParams,
        response: answers({ 200: personDetails }),
      },
    },
    async ({ principal, params }) => {
      if (params.id !== principal.owner) requireRole(principal, 'staff')
      return personShownTo(principal, (await directory.getPerson(params.id)) ?? unknown('person', params.id))
    },
  )
}

function addWriting(app: App, deps: RouteDeps): void {
  addPut(app, deps)
  addRemove(app, deps)
}

const beingErased = (id: string) =>
  new Problem(409, 'removed-person', `"${id}" is being erased: wait until /v1/erasures does not list it any more`, 'id')

/** as the audit shows it */
const factsOf = ({ role, name, timeZone, language, fields = {} }: Omit<PersonInFull, 'id'>) =>
  [role, name, timeZone, language, ...Object.keys(fields)].join(', ')

function addPut(app: App, { directory, sendingRights, erasures, audit }: RouteDeps): void {
  app.put(
    '/people/:id',
    {
      config: { problems: ['409 removed-person', '409 last-admin', '422 bad-field'] },
      schema: {
        tags,
        operationId: 'putPerson',
        summary: 'Create or replace a person',
        description:
          'All of what a person is; contacts, groups and topics stay. The id of somebody removed is refused with 409 `removed-person`, unless `returning=true` says that it is the same person.',
        params: personParams,
        querystring: z.strictObject({
          returning: z
            .literal('true')
            .optional()
            .describe('the id is that of somebody removed, and it is the same person'),
        }),
        body: personBody,
        response: answers({ 200: putOutcome, 201: putOutcome }),
      },
    },
    async ({ params, query, body, principal: caller }, reply) => {
      const isReturning = query.returning === 'true'
      if (isReturning && (await erasures.list()).some(({ person }) => person === params.id))
        throw beingErased(params.id)
      const before = await directory.findPerson(params.id)
      const role = { sender: params.id, before: await sendingRights.roleOf(params.id), after: body.role }
      const outcome = await sendingRights.change([role], () =>
        directory.putPerson({ id: params.id, ...body }, { isReturning }),
      )
      if (outcome !== 'unchanged') {
        const action = !before ? 'person.created' : before.role === body.role ? 'person.changed' : 'person.role'
        const about = { ...byCaller(caller), person: params.id }
        await audit.write({ action, ...about, before: before && factsOf(before), after: factsOf(body) })
      }
      reply.code(outcome === 'created' ? 201 : 200)
      return { id: params.id, outcome }
    },
  )
}

function addRemove(app: App, { removePerson }: RouteDeps): void {
  app.delete(
    '/people/:id',
    {
      config: { problems: ['404 unknown-person', '409 last-admin'] },
      schema: {
        tags,
        operationId: 'removePerson',
        summary: 'Remove a person, with contacts, sessions and API keys; nobody else gets the id',
        description:
          'Contacts, memberships, sessions and API keys go with the person, and what they scheduled is held until an operator decides. Receipts of messages stay, with the name of then.',
        params: personParams,
        response: answers({ 204: done }),
      },
    },
    async ({ params, principal: caller }, reply) => {
      if (!(await removePerson(params.id, byCaller(caller)))) unknown('person', params.id)
      return reply.code(204).send(null)
    },
  )
}
