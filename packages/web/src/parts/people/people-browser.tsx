import { useSignal } from '@preact/signals'
import { useEffect, useMemo } from 'preact/hooks'
import { createPeopleList } from '../../stores/people.ts'
import { useStores, useWords } from '../../stores.ts'
import { Failure } from '../failure.tsx'
import { later } from '../later.tsx'
import { useRoleNames } from '../use-role-names.ts'
import { WindowedList } from '../windowed-list.tsx'

const PersonDialog = later(async () => (await import('./person-dialog.tsx')).PersonDialog)

interface Props {
  readonly label: string
  readonly name?: string
  readonly group?: string
}

const pageSize = 1000
/** rows before the end at which the next page is read */
const prefetchRows = 300

/** A list of people of any length; staff may open one. */
export function PeopleBrowser({ label, name = '', group = '' }: Props) {
  const { api, session } = useStores()
  const roleNames = useRoleNames()
  const words = useWords()
  const list = useMemo(() => createPeopleList(api, pageSize), [api])
  const opened = useSignal<string | undefined>(undefined)
  useEffect(() => {
    list.search({ name, group })
    return list.forget
  }, [name, group])

  const people = list.people.value
  const mayOpen = session.may('staff')
  return (
    <>
      <p class="hint" role="status">
        {people.length > 0
          ? words.peoplePage.found(people.length, list.more.value)
          : list.reading.value
            ? words.loading
            : words.peoplePage.none}
      </p>
      <Failure error={list.error.value} retry={() => list.search({ name, group })} />
      {people.length > 0 && (
        <WindowedList
          label={label}
          count={people.length}
          onVisible={(_, to) => {
            if (to > people.length - prefetchRows) list.next()
          }}
          row={(index) => {
            const person = people[index]
            if (!person) return null
            return (
              <>
                {mayOpen ? (
                  <button type="button" class="link" onClick={() => (opened.value = person.id)}>
                    {person.name}
                  </button>
                ) : (
                  <strong>{person.name}</strong>
                )}
                <span class="hint">
                  {person.id}, {roleNames.nameOf(person.role)}
                </span>
              </>
            )
          }}
        />
      )}
      {opened.value && <PersonDialog id={opened.value} onClose={() => (opened.value = undefined)} />}
    </>
  )
}
