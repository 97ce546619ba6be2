import type { RoleList as Roles, RoleView } from '@courier-fleet/api-types'
import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { useStores } from '../../stores.ts'
import { useRoleTexts } from '../../texts/roles.ts'
import { Failure } from '../failure.tsx'
import { useAsync } from '../use-async.ts'
import { useRoleNames } from '../use-role-names.ts'
import { RoleDialog } from './role-dialog.tsx'

interface Props {
  /** of the settings, in which roles are kept */
  readonly version: number
  readonly onChanged: () => void
}

/** The roles there are; operators make and change them, and take their change back. */
export function RoleList({ version, onChanged }: Props) {
  const { api, language } = useStores()
  const roleNames = useRoleNames()
  const said = useRoleTexts()
  const list = useSignal<Roles | undefined>(undefined)
  const open = useSignal<{ role: RoleView | undefined } | undefined>(undefined)
  const done = useSignal<{ said: string; undo?: readonly [now: number, before: number] } | undefined>(undefined)
  const loading = useAsync(async () => {
    list.value = await api.roles()
    await roleNames.load()
  })
  const undoing = useAsync(async (now: number, before: number) => {
    const restored = await api.restoreSettings(now, before)
    done.value = { said: said.undone(restored.version) }
    onChanged()
  })
  useEffect(() => {
    loading.run()
  }, [version])
  const undo = done.value?.undo
  return (
    <section aria-labelledby="roles">
      <h2 id="roles">{said.title}</h2>
      <p>{said.intro}</p>
      <Failure error={loading.error.value ?? undoing.error.value} retry={loading.run} />
      <ul class="groups">
        {list.value?.roles.map((role) => (
          <li key={role.id}>
            <button type="button" class="link" onClick={() => (open.value = { role })}>
              {role.name[language.code.value]}
            </button>
            <span class="hint">
              {role.id},{' '}
              {said.summary(roleNames.nameOf(role.rights), role.rights === 'student' ? 0 : role.quota, role.people)}
            </span>
          </li>
        ))}
      </ul>
      <p class="actions">
        <button type="button" onClick={() => (open.value = { role: undefined })}>
          {said.create}
        </button>
        {undo && (
          <button type="button" aria-disabled={undoing.running.value} onClick={() => undoing.run(...undo)}>
            {said.undo}
          </button>
        )}
      </p>
      <p role="status">{done.value?.said}</p>
      {open.value && list.value && (
        <RoleDialog
          role={open.value.role}
          version={list.value.version}
          onClose={() => (open.value = undefined)}
          onDone={(text, undo) => {
            open.value = undefined
            done.value = { said: text, ...(undo ? { undo } : {}) }
            onChanged()
          }}
        />
      )}
    </section>
  )
}
