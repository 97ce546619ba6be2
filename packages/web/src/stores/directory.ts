/** The groups and cohorts one may write to, with names to look them up by. */
import type { CohortView, GroupView } from '@courier-fleet/api-types'
import type { Client } from '@courier-fleet/client'
import { type Signal, signal } from '@preact/signals'

export interface DirectoryStore {
  /** undefined until they are loaded */
  readonly groups: Signal<readonly GroupView[] | undefined>
  readonly cohorts: Signal<readonly CohortView[] | undefined>
  load(): Promise<void>
  forget(): void
}

export function createDirectoryStore(api: Client): DirectoryStore {
  const groups = signal<readonly GroupView[] | undefined>(undefined)
  const cohorts = signal<readonly CohortView[] | undefined>(undefined)
  return {
    groups,
    cohorts,
    async load() {
      const [found, foundCohorts] = await Promise.all([api.groups(), api.cohorts()])
      groups.value = found.groups
      cohorts.value = foundCohorts.cohorts
    },
    forget() {
      groups.value = undefined
      cohorts.value = undefined
    },
  }
}
