/** Lists that were loaded, and taking one of them back. */
import { importId, importList, takeBackReport } from '@courier-fleet/api-types'
import type { LoadedList, RoleChange } from '@courier-fleet/directory'
import { z } from 'zod'
import { byCaller } from '../access/audit.ts'
import type { Caller } from '../access/callers.ts'
import type { RouteDeps } from '../app-deps.ts'
import type { App } from '../http/fastify-app.ts'
import { answers } from '../openapi/openapi.ts'
import { tellRoles } from './imports.ts'
import { dryRunQuery } from './parameters.ts'

const tags = ['directory']
const params = z.strictObject({ id: importId.describe('id of a list that was loaded') })
const iso = (ms: number) => new Date(ms).toISOString()

export function takeBackRoutes(app: App, deps: RouteDeps): void {
  app.get(
    '/imports',
    {
      schema: {
        tags,
        operationId: 'listImports',
        summary: 'Lists that can be taken back, the newest first',
        description:
          'What an import has changed is kept for a week, with what was there before. Imports that changed nothing are not among them.',
        response: answers({ 200: importList }),
      },
    },
    async () => ({ imports: (await deps.directory.listImports()).map(viewOf) }),
  )

  app.post(
    '/imports/:id/take-back',
    {
      config: { problems: ['404 unknown-resource', '409 last-admin', '412 stale-roster', '428 version-needed'] },
      schema: {
        tags,
        operationId: 'takeImportBack',
        summary: 'Take back what an import has changed, or say what that would do',
        description:
          'People who were new go, what was changed is as before, and who was removed is there again, with contacts, groups, topics and wishes. ' +
          'Whom somebody has changed since is left as they are, and named. Sessions, API keys and subscriptions of those who were removed do not come back. ' +
          'With `dryRun=true` nothing is changed, and the report has a `version`: with it in `If-Match` exactly that is done, or 412 `stale-roster` says that it would be another by now. ' +
          'Cut off, it is gone on with by the same call; asked again, it does what was left.',
        params,
        querystring: dryRunQuery,
        response: answers({ 200: takeBackReport }),
      },
    },
    async ({ params: { id }, query, headers, principal: caller }) => {
      const version = headers['if-match']?.replace(/^"(.*)"$/, '$1')
      return takeBack(deps, caller, id, { dryRun: query.dryRun === 'true', version })
    },
  )
}

const viewOf = ({ id, atMs, untilMs, isWhole, created, updated, removed, left, takenBackMs }: LoadedList) => ({
  id,
  at: iso(atMs),
  until: iso(untilMs),
  whole: isWhole,
  created,
  updated,
  removed,
  left,
  ...(takenBackMs !== undefined && { takenBackAt: iso(takenBackMs) }),
})

async function takeBack(
  deps: RouteDeps,
  caller: Caller,
  id: string,
  how: { readonly dryRun: boolean; readonly version: string | undefined },
) {
  const { directory, histories, sendingRights, removePerson, erasures, audit } = deps
  const roles: RoleChange[] = []
  const work = directory.takeBackImport(id, {
    ...how,
    by: caller.owner,
    erased: new Set((await erasures.list()).map(({ person }) => person)),
    named: (people, sinceMs) => histories.namedSince(people, sinceMs),
    removePerson: (person, options) => removePerson(person, byCaller(caller), options),
    takeOut: sendingRights.takeOut,
    changeOwners: sendingRights.changeOwners,
    changeRoles: async (changes, write) => {
      await sendingRights.change(
        changes.map(({ person, ...role }) => ({ sender: person, ...role })),
        write,
      )
      roles.push(...changes)
    },
  })
  // also of one that failed on its way: what it has written stays
  const report = await work.finally(() => tellRoles(audit, caller, roles))
  if (how.dryRun) return report
  const { removed, restored, returned, refused } = report
  const detail = `${id}: removed=${removed}, restored=${restored}, returned=${returned}, refused=${refused}`
  await audit.write({ action: 'import.taken-back', ...byCaller(caller), detail })
  return report
}
