/** The settings of the fleet, for operators: what holds, changing it, what it was before, and back to that. */
import {
  fleetSettings,
  Problem,
  restoreBody,
  type SettingsChanged,
  settingsChanged,
  settingsPatch,
  settingsVersions,
  settingsView,
} from '@courier-fleet/api-types'
import { channelNames, mayTellRead } from '@courier-fleet/channels'
import {
  keptVersions,
  parseSettings,
  type Redis,
  readProcesses,
  readVersion,
  readVersions,
  type Settings,
  type StoredSettings,
} from '@courier-fleet/store'
import { requireKnownChannels } from '../acceptance/known-channels.ts'
import type { RouteDeps } from '../app-deps.ts'
import type { App } from '../http/fastify-app.ts'
import { tagOfVersion, versionMeant } from '../http/if-match.ts'
import { parseInput } from '../http/invalid-input.ts'
import { answers } from '../openapi/openapi.ts'
import { requireGroupsStillThere, requireKnownGroups } from '../people/known-groups.ts'
import { differencesOf, differing, type SettingsChange } from '../settings/change-settings.ts'
import { concernsOf } from '../settings/settings-concerns.ts'
import { mergePatch } from '../settings/settings-patch.ts'
import { settingsUseOf } from '../settings/settings-use.ts'
import { replaceTypes } from '../settings/type-numbers.ts'
import { dryRunQuery } from './parameters.ts'

const tags = ['settings']

export function settingsRoutes(app: App, deps: RouteDeps): void {
  addReading(app, deps)
  addVersions(app, deps)
  addChanging(app, deps)
  addRestoring(app, deps)
}

function addReading(app: App, deps: RouteDeps): void {
  const { settings, redis } = deps
  app.get(
    '/settings',
    {
      schema: {
        tags,
        operationId: 'readSettings',
        summary: 'What holds now, and where it is another than the environment says',
        description:
          'The `version` is what a change names in `If-Match`, as `ETag` has it, too; `use` says how many processes use the newest, and which do not.',
        response: answers({ 200: settingsView }),
      },
    },
    async (_request, reply) => {
      await settings.look()
      const { version, ...current } = settings.current()
      const problem = settings.problem()
      const use = settingsUseOf(deps, await readProcesses(redis))
      reply.header('etag', tagOfVersion(version))
      return { version, settings: current, differs: differing(settings), use, ...given({ problem }) }
    },
  )
}

/** @throws Problem 404 `unknown-version` */
async function storedAt(redis: Redis, version: number): Promise<StoredSettings> {
  if (version === 0) return {}
  const stored = storedIn((await readVersion(redis, version))?.json ?? '')
  if (!stored) throw new Problem(404, 'unknown-version', `version ${version} of the settings is not kept any more`)
  return stored
}

const given = ({ problem }: { problem: string | undefined }) => (problem === undefined ? {} : { problem })

function addVersions(app: App, { redis }: RouteDeps): void {
  app.get(
    '/settings/versions',
    {
      schema: {
        tags,
        operationId: 'listSettingsVersions',
        summary: 'Who has set what, when',
        description: 'With what was changed each time, as far as the version before is kept.',
        response: answers({ 200: settingsVersions }),
      },
    },
    async () => {
      const kept = await readVersions(redis, keptVersions)
      const stored = kept.map(({ json }) => storedIn(json))
      return {
        versions: kept.map(({ version, by, atMs }, index) => {
          const before = version === 1 ? {} : stored[index + 1]
          const own = stored[index]
          const changes = before && own ? { changes: differencesOf(before, own) } : {}
          return { version, at: new Date(atMs).toISOString(), by, ...changes }
        }),
      }
    },
  )
}

/** Undefined for what is no JSON: somebody has written it into Redis. */
function storedIn(json: string): StoredSettings | undefined {
  try {
    return parseSettings(json)
  } catch {
    return undefined
  }
}

async function answerOf(deps: RouteDeps, change: SettingsChange): Promise<SettingsChanged> {
  const { version, ...settings } = change.after
  return { version, changes: [...change.changes], concerns: await concernsOf(deps, change), settings }
}

function addChanging(app: App, deps: RouteDeps): void {
  app.patch(
    '/settings',
    {
      config: {
        problems: [
          '412 stale-version',
          '422 unknown-group',
          '422 unknown-channel',
          '422 cannot-tell',
          '428 version-needed',
        ],
      },
      schema: {
        tags,
        operationId: 'changeSettings',
        summary: 'Change settings, with the version you have read in If-Match; in every process within two seconds',
        description:
          'What is absent stays. They are judged as a whole, and nothing is changed where anything is wrong. `concerns` says who waits and what is scheduled that is decided by other rules then; with `dryRun=true` that is all it does.',
        querystring: dryRunQuery,
        body: settingsPatch,
        response: answers({ 200: settingsChanged }),
      },
    },
    async (request, reply) => {
      const version = versionMeant(request)
      const { principal: caller, body } = request
      await requireKnownGroups(deps.directory, body.exams)
      requireKnownChannels(Object.keys(body.channels ?? {}), (name) => name)
      requireTellingRead(body.tellRead)
      const change = await deps.changeSettings(caller, (_now, stored) => mergePatch(stored, body), {
        version,
        isDryRun: request.query.dryRun === 'true',
      })
      reply.header('etag', tagOfVersion(change.after.version))
      return answerOf(deps, change)
    },
  )
}

/** @throws Problem 422 `unknown-channel` · 422 `cannot-tell` of a channel whose provider tells it in no way */
function requireTellingRead(names: readonly string[] = []): void {
  requireKnownChannels(names, (_name, at) => String(at), 'tellRead')
  const at = names.findIndex((name) => !mayTellRead(name))
  if (at < 0) return
  const able = channelNames.filter(mayTellRead).join(', ')
  throw new Problem(422, 'cannot-tell', `${names[at]} cannot tell who has read, only ${able}`, `tellRead.${at}`)
}

function addRestoring(app: App, deps: RouteDeps): void {
  const { redis, directory, changeSettings, clock } = deps
  app.post(
    '/settings::restore',
    {
      config: {
        problems: [
          '404 unknown-version',
          '409 role-in-use',
          '412 stale-version',
          '422 group-gone',
          '428 version-needed',
        ],
      },
      schema: {
        tags,
        operationId: 'restoreSettings',
        summary: 'Set again what a version had, as a new version; with If-Match as for a change',
        description:
          'Version 0 is as the environment says. It is judged as a whole, as a change is; one that would bring back an exam of a group that there is not any more is refused (`group-gone`). With `dryRun=true` nothing is changed.',
        querystring: dryRunQuery,
        body: restoreBody,
        response: answers({ 200: settingsChanged }),
      },
    },
    async (request, reply) => {
      const version = versionMeant(request)
      const { principal: caller, body } = request
      const restored = await storedAt(redis, body.version)
      const { types, exams } = parseInput(fleetSettings, restored)
      const make = async (now: Settings) => {
        await requireGroupsStillThere(directory, body.version, { exams, now: now.exams })
        return { ...restored, ...replaceTypes(now, types, clock.now()) }
      }
      const change = await changeSettings(caller, make, { version, isDryRun: request.query.dryRun === 'true' })
      reply.header('etag', tagOfVersion(change.after.version))
      return answerOf(deps, change)
    },
  )
}
