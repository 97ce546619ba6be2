/** A long list of people, read page after page as far as it is scrolled. */
import type { PersonView } from '@courier-fleet/api-types'
import type { Client } from '@courier-fleet/client'
import { type Signal, signal } from '@preact/signals'

interface PeopleList {
  readonly people: Signal<readonly PersonView[]>
  /** whether more can be read */
  readonly more: Signal<boolean>
  readonly reading: Signal<boolean>
  readonly error: Signal<unknown>
  /** Empties the list and begins another search. */
  search(filter: PeopleFilter): void
  /** Empties the list; ends the search. */
  forget(): void
  /** Reads the next page; nothing happens while one is being read or at the end. */
  next(): void
}

interface PeopleFilter {
  /** everyone when empty or absent */
  readonly name?: string
  /** every group when empty or absent */
  readonly group?: string
}

export function createPeopleList(api: Client, limit: number): PeopleList {
  const people = signal<readonly PersonView[]>([])
  const more = signal(false)
  const reading = signal(false)
  const error = signal<unknown>(undefined)
  let query: PeopleFilter = {}
  let after: string | undefined
  let stop = new AbortController()

  async function read() {
    const { signal } = stop
    reading.value = true
    error.value = undefined
    try {
      // a page may be empty: the service reads a limited number of people per call
      for (let found = 0; found === 0 && more.value; ) {
        const page = await api.findPeople({ ...query, ...(after ? { after } : {}), limit }, signal)
        people.value = [...people.value, ...page.people]
        after = page.next
        more.value = page.next !== undefined
        found = page.people.length
      }
    } catch (cause) {
      if (signal.aborted) return
      error.value = cause
      more.value = false
    }
    reading.value = false
  }

  return {
    people,
    more,
    reading,
    error,
    search({ name, group }) {
      stop.abort()
      stop = new AbortController()
      query = { ...(name ? { name } : {}), ...(group ? { group } : {}) }
      after = undefined
      people.value = []
      more.value = true
      read()
    },
    forget() {
      stop.abort()
      people.value = []
      more.value = false
      reading.value = false
    },
    next() {
      if (more.value && !reading.value) read()
    },
  }
}
