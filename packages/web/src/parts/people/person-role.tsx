import type { PersonDetails, RoleView } from '@courier-fleet/api-types'
import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { useStores } from '../../stores.ts'
import { usePersonRoleTexts } from '../../texts/person-role.ts'
import { Failure } from '../failure.tsx'
import { useAsync } from '../use-async.ts'
import { useRoleNames } from '../use-role-names.ts'

interface Props {
  readonly person: PersonDetails
  readonly onChanged: () => void
}

/** The role of a person, for administrators: what a change of it concerns is shown before it is made, and it can be taken back. */
export function PersonRole({ person, onChanged }: Props) {
  const { api } = useStores()
  const roleNames = useRoleNames()
  const said = usePersonRoleTexts()
  const list = useSignal<readonly RoleView[]>([])
  const wanted = useSignal(person.role)
  const foreseen = useSignal<{ role: string; scheduled: number } | undefined>(undefined)
  const done = useSignal<{ role: string; before: string } | undefined>(undefined)
  const loading = useAsync(async () => {
    list.value = (await api.roles()).roles
  })
  const nameOf = roleNames.nameOf
  async function give(role: string) {
    const { id, name, timeZone, language, fields } = person
    await api.putPerson(id, { name, role, timeZone, language, ...(fields ? { fields } : {}) })
    foreseen.value = undefined
    done.value = { role, before: person.role }
    wanted.value = role
    onChanged()
  }
  const changing = useAsync(async (role: string) => {
    if (role === person.role) return
    if (foreseen.value?.role === role) return give(role)
    done.value = undefined
    foreseen.value = { role, scheduled: (await api.historyCounts({ sender: person.id })).scheduled }
  })
  const undoing = useAsync(give)
  useEffect(() => {
    loading.run()
  }, [])
  // a list of choices that comes later would show the first of them as chosen
  if (list.value.length === 0) return <Failure error={loading.error.value} retry={loading.run} />
  const isForeseen = foreseen.value !== undefined && foreseen.value.role === wanted.value
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        changing.run(wanted.value)
      }}
    >
      <div class="actions">
        <select
          aria-label={said.ofPerson}
          value={wanted.value}
          onChange={(event) => (wanted.value = event.currentTarget.value)}
        >
          {list.value.map(({ id }) => (
            <option key={id} value={id}>
              {nameOf(id)}
            </option>
          ))}
        </select>
        <button type="submit" aria-disabled={wanted.value === person.role || changing.running.value}>
          {isForeseen ? said.changeYes : said.change}
        </button>
        {done.value && (
          <button type="button" onClick={() => done.value && undoing.run(done.value.before)}>
            {said.undo}
          </button>
        )}
      </div>
      <Failure error={changing.error.value ?? undoing.error.value} />
      <div role="status">
        {isForeseen && foreseen.value && (
          <div class="note">
            <p>{said.foreseen(nameOf(person.role), nameOf(wanted.value))}</p>
            <p>{said.scheduled(foreseen.value.scheduled)}</p>
          </div>
        )}
        {done.value && <p>{said.changed(nameOf(done.value.role))}</p>}
      </div>
    </form>
  )
}
