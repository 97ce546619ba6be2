import { useEffect, useMemo } from 'preact/hooks'
import type { Recipient } from '../stores/draft.ts'
import { createPeopleList } from '../stores/people.ts'
import { useStores, useWords } from '../stores.ts'
import { Failure } from './failure.tsx'

interface Props {
  readonly wanted: string
  readonly chosen: ReadonlySet<string>
  readonly onToggle: (recipient: Recipient) => void
}

const minLetters = 2
const maxShown = 20
/** people type several letters in a row */
const pauseMs = 250

/** Single people by name, found by the service: it knows whom the sender may write to. */
export function FoundPeople({ wanted, chosen, onToggle }: Props) {
  const { api } = useStores()
  const words = useWords()
  const list = useMemo(() => createPeopleList(api, maxShown), [api])
  useEffect(() => list.forget, [list])
  const name = wanted.trim()
  useEffect(() => {
    if (name.length < minLetters) return list.forget()
    const timer = setTimeout(() => list.search({ name }), pauseMs)
    return () => clearTimeout(timer)
  }, [name])

  const people = list.people.value
  if (name.length < minLetters) return null
  return (
    <fieldset class="choices">
      <legend>{words.compose.persons}</legend>
      {people.map(({ id, name: label, role }) => (
        <label key={id}>
          <input
            type="checkbox"
            checked={chosen.has(`user:${id}`)}
            onChange={() => onToggle({ token: `user:${id}`, label })}
          />
          <span>{label}</span>
          <span class="hint">
            {id}, {words.roles[role]}
          </span>
        </label>
      ))}
      <p class="hint" role="status">
        {list.reading.value ? words.compose.looking : people.length === 0 ? words.compose.nothingFound : ''}
      </p>
      <Failure error={list.error.value} />
    </fieldset>
  )
}
