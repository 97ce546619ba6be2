/** Types of message: everybody reads them, operators change them. They are kept in the settings. */
import {
  builtInTypes,
  findType,
  isBuiltInRole,
  type MessageType,
  messageType,
  messageTypeBody,
  nearest,
  Problem,
  roles,
  serviceType,
  typeList,
  typeOutcome,
  typeRemoval,
  unknownRoles,
} from '@courier-fleet/api-types'
import type { Settings, StoredSettings } from '@courier-fleet/store'
import { requireTellable } from '../acceptance/check-steps.ts'
import type { RouteDeps } from '../app-deps.ts'
import type { App } from '../http/fastify-app.ts'
import { unknown } from '../http/unknown.ts'
import { answers, done } from '../openapi/openapi.ts'
import { concernsOf } from '../settings/settings-concerns.ts'
import { replaceTypes } from '../settings/type-numbers.ts'
import { dryRunQuery, typeParams } from './parameters.ts'

const tags = ['types']

export function typeRoutes(app: App, deps: RouteDeps): void {
  addReading(app, deps)
  addEditing(app, deps)
}

/** Those that a message may have. */
function typesIn(types: readonly MessageType[]): MessageType[] {
  const builtIn = builtInTypes.filter(({ id }) => id !== serviceType && !types.some((type) => type.id === id))
  return [...builtIn, ...types].sort((a, b) => (a.id < b.id ? -1 : 1))
}

const requireOwn = (id: string) => {
  if (id !== serviceType) return
  throw new Problem(409, 'service-type', "the type service is for the fleet's own words, and cannot be changed", 'id')
}

/** @throws Problem 422 `bad-field` */
function requireRoles({ roles: made }: Settings, senders: readonly string[]): void {
  const [unknownOne] = unknownRoles(made, senders)
  if (unknownOne === undefined) return
  const known = [...roles, ...made.map(({ id }) => id).filter((id) => !isBuiltInRole(id))]
  const meant = nearest(unknownOne, known)
  const what = `there is no role "${unknownOne}"${meant === undefined ? '.' : `; did you mean ${meant}?`}`
  const field = `senders.${senders.indexOf(unknownOne)}`
  throw new Problem(422, 'bad-field', `${what} There are ${known.join(', ')}`, field)
}

function addReading(app: App, { settings }: RouteDeps): void {
  app.get(
    '/types',
    {
      schema: {
        tags,
        operationId: 'listTypes',
        summary: 'The types of message, and their rules',
        description:
          'Types say what a message is about: people switch them off, rules hold for them, statistics count by them. `general` and `service` are always there.',
        response: answers({ 200: typeList }),
      },
    },
    async () => ({ types: typesIn(settings.current().types) }),
  )
  app.get(
    '/types/:id',
    {
      config: { problems: ['404 unknown-type'] },
      schema: {
        tags,
        operationId: 'readType',
        summary: 'A type of message',
        description: 'As in the list, of one type.',
        params: typeParams,
        response: answers({ 200: messageType }),
      },
    },
    async ({ params: { id } }) => findType(settings.current().types, id) ?? unknown('type', id),
  )
}

function addEditing(app: App, deps: RouteDeps): void {
  const { changeSettings, settings, clock } = deps
  app.put(
    '/types/:id',
    {
      config: {
        problems: [
          '409 service-type',
          '409 too-many-types',
          '422 bad-field',
          '422 unknown-channel',
          '422 cannot-tell',
          '503 try-again',
        ],
      },
      schema: {
        tags,
        operationId: 'putType',
        summary: 'Make or change a type; its rules hold from the next decision on, for messages accepted before, too',
        description:
          'All rules of the type, as a whole. A change is a new version of the settings. With `dryRun=true` nothing is changed: the answer says whom it would concern.',
        params: typeParams,
        querystring: dryRunQuery,
        body: messageTypeBody,
        response: answers({ 200: typeOutcome, 201: typeOutcome }),
      },
    },
    async ({ params: { id }, query, body, principal: caller }, reply) => {
      requireOwn(id)
      // a message of it may ask to be confirmed, or not: that is seen when there is one
      requireTellable({ steps: body.steps, confirm: true }, settings.current())
      const isDryRun = query.dryRun === 'true'
      const make = (now: Settings, stored: StoredSettings) => {
        requireRoles(now, body.senders)
        const others = now.types.filter((type) => type.id !== id)
        return { ...stored, ...replaceTypes(now, [...others, { ...body, id, number: 1 }], clock.now()) }
      }
      const change = await changeSettings(caller, make, { isDryRun })
      const isNew = findType(change.before.types, id) === undefined
      reply.code(isNew && !isDryRun ? 201 : 200)
      const changed = isNew ? ('created' as const) : ('updated' as const)
      const outcome = change.changes.length === 0 ? ('unchanged' as const) : changed
      return { id, outcome, concerns: await concernsOf(deps, change) }
    },
  )

  app.delete(
    '/types/:id',
    {
      config: { problems: ['404 unknown-type', '409 service-type', '503 try-again'] },
      schema: {
        tags,
        operationId: 'removeType',
        summary: 'Remove a type: what has it is sent without its rules; of `general`, its rules',
        description:
          'Its number is not given to another type for a month, so that what people were sent of it counts right. With `dryRun=true` nothing is changed: 200 says whom it would concern.',
        params: typeParams,
        querystring: dryRunQuery,
        response: answers({ 200: typeRemoval, 204: done }),
      },
    },
    async ({ params: { id }, query, principal: caller }, reply) => {
      requireOwn(id)
      const isDryRun = query.dryRun === 'true'
      const make = (now: Settings, stored: StoredSettings) => {
        if (!findType(now.types, id)) unknown('type', id)
        const others = now.types.filter((type) => type.id !== id)
        return { ...stored, ...replaceTypes(now, others, clock.now()) }
      }
      const change = await changeSettings(caller, make, { isDryRun })
      return isDryRun ? { id, concerns: await concernsOf(deps, change) } : reply.code(204).send(null)
    },
  )
}
