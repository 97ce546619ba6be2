/** Single people by name, found by the service: it knows whom the sender may write to. */
import type { PersonView } from '@courier-fleet/api-types'
import { useEffect, useMemo } from 'preact/hooks'
import { createPeopleList } from '../../stores/people.ts'
import { useStores } from '../../stores.ts'

const minLetters = 2
const maxShown = 20
/** people type several letters in a row */
const pauseMs = 250

interface FoundPeople {
  readonly people: readonly PersonView[]
  /** not asked: too few letters */
  readonly state: 'not-asked' | 'looking' | 'done'
  readonly error: unknown
}

export function useFoundPeople(wanted: string): FoundPeople {
  const { api } = useStores()
  const list = useMemo(() => createPeopleList(api, maxShown), [api])
  useEffect(() => list.forget, [list])
  const name = wanted.trim()
  useEffect(() => {
    if (name.length < minLetters) return list.forget()
    const timer = setTimeout(() => list.search({ name }), pauseMs)
    return () => clearTimeout(timer)
  }, [name])
  const isAsked = name.length >= minLetters
  return {
    people: isAsked ? list.people.value : [],
    state: isAsked ? (list.reading.value ? 'looking' : 'done') : 'not-asked',
    error: list.error.value,
  }
}
