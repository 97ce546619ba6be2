/** A long list of people, read page after page as far as it is looked at. */
import type { PersonView } from '@courier-fleet/api-types'
import type { Client } from '@courier-fleet/client'
import { type Signal, signal } from '@preact/signals'

interface PeopleList {
  readonly people: Signal<readonly PersonView[]>
  /** whether more can be read */
  readonly more: Signal<boolean>
  readonly reading: Signal<boolean>
  readonly error: Signal<unknown>
  /** Begins anew with other wishes. */
  look(wanted: { name?: string; group?: string }): void
  /** Nobody is looked for any more. */
  forget(): void
  /** Reads on; nothing happens while it reads or at the end. */
  next(): void
}

export function createPeopleList(api: Client, limit: number): PeopleList {
  const people = signal<readonly PersonView[]>([])
  const more = signal(false)
  const reading = signal(false)
  const error = signal<unknown>(undefined)
  let wanted: { name?: string; group?: string } = {}
  let after: string | undefined
  let stop = new AbortController()

  async function read() {
    const { signal } = stop
    reading.value = true
    error.value = undefined
    try {
      // a page may be empty: the service looks through so many people at once and no more
      for (let found = 0; found === 0 && more.value; ) {
        const page = await api.findPeople({ ...wanted, ...(after ? { after } : {}), limit }, signal)
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
    look(next) {
      stop.abort()
      stop = new AbortController()
      wanted = next
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
