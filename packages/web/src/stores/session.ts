/** Who is signed in. */
import type { LimitsView, Role, SessionInput, SessionView } from '@courier-fleet/api-types'
import { roles } from '@courier-fleet/api-types/roles'
import type { Client } from '@courier-fleet/client'
import { ApiError } from '@courier-fleet/client'
import { computed, type ReadonlySignal, type Signal, signal } from '@preact/signals'

export interface Session {
  /** undefined: not known yet; null: nobody */
  readonly current: Signal<SessionView | null | undefined>
  /** why nobody is signed in any more, when it was not their wish */
  readonly ended: Signal<boolean>
  /** of the person, else of this browser */
  readonly timeZone: ReadonlySignal<string>
  may(least: Role): boolean
  /** @throws UnreachableError */
  load(api: Client): Promise<void>
  open(api: Client, input: SessionInput): Promise<void>
  close(api: Client): Promise<void>
  end(): void
  setLimits(limits: LimitsView): void
}

const rankOf = (role: string | undefined) => roles.indexOf(role as Role)

export function createSession(): Session {
  const current = signal<SessionView | null | undefined>(undefined)
  const ended = signal(false)

  return {
    current,
    ended,
    timeZone: computed(() => current.value?.person?.timeZone ?? Intl.DateTimeFormat().resolvedOptions().timeZone),
    may: (least) => rankOf(current.value?.role) >= rankOf(least),
    async load(api) {
      try {
        current.value = await api.whoIsCalling()
      } catch (error) {
        if (!(error instanceof ApiError) || error.problem.status !== 401) throw error
        current.value = null
      }
    },
    async open(api, input) {
      current.value = await api.openSession(input)
      ended.value = false
    },
    async close(api) {
      await api.closeSession()
      current.value = null
    },
    end() {
      ended.value = current.value != null
      current.value = null
    },
    setLimits(limits) {
      if (current.value) current.value = { ...current.value, limits }
    },
  }
}
