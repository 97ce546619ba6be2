/** What a message may be about: the types that whoever is signed in may send. */
import type { MessageType } from '@courier-fleet/api-types'
import type { Client } from '@courier-fleet/client'
import { computed, type ReadonlySignal, signal } from '@preact/signals'
import type { Session } from './session.ts'

/** of the fleet's own words */
const service = 'service'

export interface MessageTypes {
  /** undefined until they are loaded */
  readonly all: ReadonlySignal<readonly MessageType[] | undefined>
  readonly mine: ReadonlySignal<readonly MessageType[]>
  load(): Promise<void>
}

export function createMessageTypes(api: Client, session: Session): MessageTypes {
  const all = signal<readonly MessageType[] | undefined>(undefined)
  function maySend({ id, senders }: MessageType): boolean {
    const { role, ownRole } = session.current.value ?? {}
    return id !== service && (senders.length === 0 || senders.some((each) => each === role || each === ownRole?.id))
  }
  return {
    all,
    mine: computed(() => (all.value ?? []).filter(maySend)),
    async load() {
      all.value = (await api.types()).types
    },
  }
}
