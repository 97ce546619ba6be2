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
  /** Names are wanted, where they are there: loads unless that has begun. Until then, and where it fails, ids stand for names. */
  readonly wanted: () => void
  forget(): void
}

export function createDirectoryStore(api: Client): DirectoryStore {
  const groups = signal<readonly GroupView[] | undefined>(undefined)
  const cohorts = signal<readonly CohortView[] | undefined>(undefined)
  const topics = signal<readonly TopicView[] | undefined>(undefined)
  let hasBegun = false

  async function load(): Promise<void> {
    hasBegun = true
    try {
      const [found, foundCohorts, foundTopics] = await Promise.all([api.groups(), api.cohorts(), api.topics()])
      groups.value = found.groups
      cohorts.value = foundCohorts.cohorts
      topics.value = foundTopics.topics
    } catch (error) {
      hasBegun = false
      throw error
    }
  }

  return {
    groups,
    cohorts,
    topics,
    load,
    wanted() {
      if (!hasBegun) load().catch(() => {})
    },
    forget() {
      hasBegun = false
      groups.value = undefined
      cohorts.value = undefined
      topics.value = undefined
    },
  }
}
