/** People by name: a caller finds everyone they may write to. */
import { type Directory, hasRole, type Person } from '@courier-fleet/directory'
import type { Caller } from '../access/callers.ts'
import { readableGroup } from './readable-group.ts'

interface PeopleSearch {
  /** each word begins a word of the name, or is in the id; anyone when empty */
  readonly name: string
  /** only its members */
  readonly group?: string | undefined
  /** id, exclusive */
  readonly after: string
  readonly limit: number
}

interface FoundPeople {
  readonly people: Person[]
  readonly next?: string
}

/** There is no index of names: one call reads at most this many people, and the caller goes on from there. */
const maxReadPerCall = 5000
const pageSize = 1000

/** @throws Problem 404 `unknown-group` · 403 `not-your-group` */
export async function searchPeople(directory: Directory, by: Caller, search: PeopleSearch): Promise<FoundPeople> {
  const { name, after, limit } = search
  const read = await readerFor(directory, by, search)
  const isWanted = matcherOf(name)
  const people: Person[] = []
  let last = after
  for (let count = 0; count < maxReadPerCall; count += pageSize) {
    const page = await read(last)
    for (const person of page.people) {
      if (isWanted(person)) people.push(person)
      if (people.length === limit) return { people, next: person.id }
    }
    if (page.next === undefined) return { people }
    last = page.next
  }
  return { people, next: last }
}

type ReadPage = (after: string) => Promise<FoundPeople>

/** Staff see everyone, trainers the members of groups of their own: as they may write to them one by one. */
async function readerFor(directory: Directory, by: Caller, { group }: PeopleSearch): Promise<ReadPage> {
  if (group === undefined && hasRole(by, 'staff')) {
    return async (after) => {
      const people = await directory.listPeople(after, pageSize)
      return pageOf(people, people.length === pageSize ? people.at(-1)?.id : undefined)
    }
  }
  const groups = group === undefined ? await ownGroups(directory, by) : [await readableGroup(directory, by, group)]
  const members = await Promise.all(groups.map(({ id }) => directory.membersOf(id)))
  const ids = [...new Set(members.flat())].sort()
  return async (after) => {
    const from = ids.findIndex((id) => id > after)
    const some = from < 0 ? [] : ids.slice(from, from + pageSize)
    const found = await directory.findPeople(some)
    // somebody who is just being removed is missing, and the page is shorter
    return pageOf(
      found.filter((person) => person !== undefined),
      some.length === pageSize ? some.at(-1) : undefined,
    )
  }
}

const pageOf = (people: Person[], next: string | undefined): FoundPeople => (next ? { people, next } : { people })

async function ownGroups(directory: Directory, by: Caller): Promise<{ readonly id: string }[]> {
  const groups = await directory.listGroups()
  return groups.filter(({ owners }) => owners.includes(by.owner))
}

const plain = (text: string) => text.toLowerCase().replaceAll('ё', 'е')

/** Each word begins a word of the name, or is in the id. */
export function matcherOf(name: string): (person: Pick<Person, 'id' | 'name'>) => boolean {
  const words = plain(name).split(/\s+/).filter(Boolean)
  return (person) => {
    const parts = plain(person.name).split(/[\s-]+/)
    const id = plain(person.id)
    return words.every((word) => id.includes(word) || parts.some((part) => part.startsWith(word)))
  }
}
