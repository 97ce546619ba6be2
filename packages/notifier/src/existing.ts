/** The ids of all that there is of a resource: of histories those that change from now on, for nobody mirrors all messages of a year. */
import { builtInTypes, type SubscriptionResource } from '@courier-fleet/api-types'
import type { Directory } from '@courier-fleet/directory'
import { type LiveSettings, type Redis, readChannels, readProcesses } from '@courier-fleet/store'

interface ExistingDeps {
  readonly redis: Redis
  readonly shards: number
  readonly directory: Pick<Directory, 'listPeople' | 'listGroups' | 'listCohorts'>
  readonly settings: Pick<LiveSettings, 'current'>
}

/** A page at a time. */
export type Existing = (resource: SubscriptionResource) => AsyncIterable<readonly string[]>

const perPage = 1000
const idsOf = (all: readonly { readonly id: string }[]) => all.map(({ id }) => id)

export function createExisting({ redis, shards, directory, settings }: ExistingDeps): Existing {
  async function* people() {
    let after = ''
    for (;;) {
      const page = idsOf(await directory.listPeople(after, perPage))
      const last = page.at(-1)
      if (last === undefined) return
      yield page
      after = last
    }
  }

  async function channels(): Promise<string[]> {
    const [known, processes] = await Promise.all([readChannels(redis, shards), readProcesses(redis)])
    return [...new Set([...known.keys(), ...processes.flatMap(({ channel }) => channel ?? [])])]
  }

  async function owned(): Promise<string[]> {
    const [groups, cohorts] = await Promise.all([directory.listGroups(), directory.listCohorts()])
    return [...idsOf(groups).map((id) => `group:${id}`), ...idsOf(cohorts).map((id) => `cohort:${id}`)]
  }

  const all: Readonly<Record<Exclude<SubscriptionResource, 'history' | 'person'>, () => Promise<string[]>>> = {
    group: async () => idsOf(await directory.listGroups()),
    cohort: async () => idsOf(await directory.listCohorts()),
    ownership: owned,
    channel: channels,
    type: async () => [...new Set([...idsOf(builtInTypes), ...idsOf(settings.current().types)])],
  }

  return async function* (resource) {
    if (resource === 'history') return
    if (resource === 'person') yield* people()
    else yield await all[resource]()
  }
}
