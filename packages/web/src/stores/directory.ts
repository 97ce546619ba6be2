/** The groups and streams one may write to, with names to look them up by. */
import type { GroupView, StreamView } from '@courier-fleet/api-types'
import { type Signal, signal } from '@preact/signals'
import type { Api } from '../api.ts'

export interface DirectoryStore {
  /** undefined until they are loaded */
  readonly groups: Signal<readonly GroupView[] | undefined>
  readonly streams: Signal<readonly StreamView[] | undefined>
  load(): Promise<void>
  forget(): void
}

export function createDirectoryStore(api: Api): DirectoryStore {
  const groups = signal<readonly GroupView[] | undefined>(undefined)
  const streams = signal<readonly StreamView[] | undefined>(undefined)
  return {
    groups,
    streams,
    async load() {
      const [found, foundStreams] = await Promise.all([api.groups(), api.streams()])
      groups.value = found
      streams.value = foundStreams
    },
    forget() {
      groups.value = undefined
      streams.value = undefined
    },
  }
}
