/** Roles: the five that are always there, and those that operators make. They are kept in the settings. */
import {
  builtInRoles,
  faultOfRole,
  findRole,
  isBuiltInRole,
  type KeptRole,
  Problem,
  roleBody,
  roleId,
  roleList,
  roleOutcome,
} from '@courier-fleet/api-types'
import type { Settings, StoredSettings } from '@courier-fleet/store'
import { z } from 'zod'
import type { RouteDeps } from '../app-deps.ts'
import type { App } from '../http/fastify-app.ts'
import { tagOfVersion, versionNamed } from '../http/if-match.ts'
import { unknown } from '../http/unknown.ts'
import { answers, done } from '../openapi/openapi.ts'
import { concernsOf } from '../settings/settings-concerns.ts'
import { dryRunQuery } from './parameters.ts'

const tags = ['roles']
const roleParams = z.strictObject({ id: roleId })

export function roleRoutes(app: App, deps: RouteDeps): void {
  addReading(app, deps)
  addPut(app, deps)
  addRemove(app, deps)
}

/** All there are; of the five the quota of the environment where nobody has set another. */
function rolesIn({ rules }: Pick<RouteDeps, 'rules'>, { roles: kept }: Settings): KeptRole[] {
  const always = builtInRoles.map((role) => {
    return findRole(kept, role.id) ?? { ...role, quota: rules.quotas[role.rights] ?? null }
  })
  const made = kept.filter(({ id }) => !isBuiltInRole(id)).sort((one, other) => (one.id < other.id ? -1 : 1))
  return [...always, ...made]
}

function addReading(app: App, deps: RouteDeps): void {
  const { settings, directory } = deps
  app.get(
    '/roles',
    {
      schema: {
        tags,
        operationId: 'listRoles',
        summary: 'The roles, what each may do, and how many have it',
        description:
          'Five are always there; the others have the rights of one of them, under a name and with a quota of their own.',
        response: answers({ 200: roleList }),
      },
    },
    async (_request, reply) => {
      const now = settings.current()
      const views = rolesIn(deps, now).map(async (role) => {
        return { ...role, people: await directory.countOf(role.id), builtIn: isBuiltInRole(role.id) }
      })
      reply.header('etag', tagOfVersion(now.version))
      return { version: now.version, roles: await Promise.all(views) }
    },
  )
}

function addPut(app: App, deps: RouteDeps): void {
  app.put(
    '/roles/:id',
    {
      config: { problems: ['412 stale-version', '422 bad-field', '503 try-again'] },
      schema: {
        tags,
        operationId: 'putRole',
        summary: 'Make or change a role; in every process within two seconds',
        description:
          'All of the role, as a whole. What people of a role that may write to fewer people than before have scheduled is held. A change is a new version of the settings, refused where `If-Match` names another than there is. With `dryRun=true` nothing is changed: the answer says whom it would concern.',
        params: roleParams,
        querystring: dryRunQuery,
        body: roleBody,
        response: answers({ 200: roleOutcome, 201: roleOutcome }),
      },
    },
    async (request, reply) => {
      const { params, query, body, principal: caller } = request
      const role = { id: params.id, ...body }
      const fault = faultOfRole(role)
      if (fault) throw new Problem(422, 'bad-field', fault.detail, fault.field)
      const isDryRun = query.dryRun === 'true'
      const make = (now: Settings, stored: StoredSettings) => ({
        ...stored,
        roles: [...now.roles.filter(({ id }) => id !== role.id), role],
      })
      const change = await deps.changeSettings(caller, make, { version: versionNamed(request), isDryRun })
      const isNew = !isBuiltInRole(role.id) && !findRole(change.before.roles, role.id)
      reply.code(isNew && !isDryRun ? 201 : 200).header('etag', tagOfVersion(change.after.version))
      const changed = isNew ? ('created' as const) : ('updated' as const)
      const outcome = change.changes.length === 0 ? ('unchanged' as const) : changed
      return { id: role.id, outcome, version: change.after.version, concerns: await concernsOf(deps, change) }
    },
  )
}

/** Who may send a type is not changed by the way. @throws Problem 409 `role-in-use` */
function requireInNoType({ types }: Settings, id: string): void {
  const naming = types.filter(({ senders }) => senders.includes(id)).map((type) => type.id)
  if (naming.length === 0) return
  const detail = `these types name the role ${id} among their senders: ${naming.join(', ')}; change them first`
  throw new Problem(409, 'role-in-use', detail, 'id')
}

function addRemove(app: App, { changeSettings }: RouteDeps): void {
  app.delete(
    '/roles/:id',
    {
      config: {
        problems: ['404 unknown-role', '409 built-in-role', '409 role-in-use', '412 stale-version', '503 try-again'],
      },
      schema: {
        tags,
        operationId: 'removeRole',
        summary: 'Remove a role that nobody has',
        description:
          'Its budget of a day goes with it. Refused with 409 `role-in-use` while people or API keys have it, which says how many, or a type names it among its senders, which says which. With `If-Match` as for a change.',
        params: roleParams,
        response: answers({ 204: done }),
      },
    },
    async (request, reply) => {
      const { id } = request.params
      if (isBuiltInRole(id)) throw new Problem(409, 'built-in-role', `the role ${id} is always there`, 'id')
      const make = (now: Settings, stored: StoredSettings) => {
        if (!findRole(now.roles, id)) unknown('role', id)
        requireInNoType(now, id)
        const { [id]: _, ...day } = now.budgets.day
        const budgets = id in now.budgets.day ? { budgets: { ...now.budgets, day } } : {}
        return { ...stored, ...budgets, roles: now.roles.filter((role) => role.id !== id) }
      }
      await changeSettings(request.principal, make, { version: versionNamed(request) })
      return reply.code(204).send(null)
    },
  )
}
