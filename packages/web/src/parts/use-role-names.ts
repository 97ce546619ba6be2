/** What roles are called, also those that operators have made: asked for when one of them is first to be shown. */
import type { RoleView } from '@courier-fleet/api-types'
import { signal } from '@preact/signals'
import { useStores, useWords } from '../stores.ts'

export interface RoleNames {
  /** Its id, until its name is known. */
  nameOf(role: string): string
  /** those that operators have made; empty until they are loaded */
  readonly made: readonly RoleView[]
  /** for trainers and above */
  load(): Promise<void>
}

const made = signal<readonly RoleView[]>([])
const asked = new Set<string>()

export function useRoleNames(): RoleNames {
  const { api, language } = useStores()
  const { roles } = useWords()
  async function load(): Promise<void> {
    made.value = (await api.roles()).roles.filter(({ builtIn }) => !builtIn)
  }
  return {
    nameOf(role) {
      const name = roles[role] ?? made.value.find(({ id }) => id === role)?.name[language.code.value]
      if (name === undefined && !asked.has(role)) {
        asked.add(role)
        load().catch(() => asked.delete(role))
      }
      return name ?? role
    },
    made: made.value,
    load,
  }
}
