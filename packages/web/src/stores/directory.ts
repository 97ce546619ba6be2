/** The groups and cohorts one may write to, and all topics, with names to look them up by. */
import type { CohortView, GroupView, TopicView } from '@courier-fleet/api-types'
import type { Client } from '@courier-fleet/client'
import { type Signal, signal } from '@preact/signals'

export interface DirectoryStore {
  /** undefined until they are loaded */
  readonly groups: Signal<readonly GroupView[] | undefined>
  readonly cohorts: Signal<readonly CohortView[] | undefined>
  readonly topics: Signal<readonly TopicView[] | undefined>
  load(): Promise<void>
  forget(): void
}

export function createDirectoryStore(api: Client): DirectoryStore {
  const groups = signal<readonly GroupView[] | undefined>(undefined)
  const cohorts = signal<readonly CohortView[] | undefined>(undefined)
  const topics = signal<readonly TopicView[] | undefined>(undefined)
  return {
    groups,
    cohorts,
    topics,
    async load() {
      const [found, foundCohorts, foundTopics] = await Promise.all([api.groups(), api.cohorts(), api.topics()])
      groups.value = found.groups
      cohorts.value = foundCohorts.cohorts
      topics.value = foundTopics.topics
    },
    forget() {
      groups.value = undefined
      cohorts.value = undefined
      topics.value = undefined
    },
  }
}
