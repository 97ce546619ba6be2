/** What the directory holds about the people of one chunk of a roster, read before anything of the chunk is written. */
import { keys, type Redis } from '@courier-fleet/store'
import { addressesOf, hasAddress, type StoredContact } from '../contact-record.ts'
import { createContactStore } from '../contact-store.ts'
import type { PersonInFull } from '../directory.ts'
import { readByBucket } from '../person-fields.ts'
import { findInFull } from '../person-record.ts'
import type { RosterPerson } from './roster-line.ts'

export interface RosterState {
  /** by id; absent when new */
  readonly people: ReadonlyMap<string, PersonInFull>
  /** ids of people who were removed */
  readonly removed: ReadonlySet<string>
  /** what they have there, in order */
  addressesOf(channel: string, person: string): readonly string[]
  /** as it was read, whatever lines have changed since */
  contactOf(channel: string, person: string): StoredContact | undefined
  isMember(group: string, person: string): boolean
  ownerOf(channel: string, address: string): string | undefined
  /** Remembers what they have there once an accepted line is written, so that later lines see it. */
  move(channel: string, person: string, addresses: readonly string[]): void
}

/** Whose the addresses are that lines of earlier chunks have moved, where nothing is written; undefined: nobody's any more. */
export type MovedAddresses = Map<string, string | undefined>

/** @param moved absent where each chunk is written before the next is read */
export async function loadRosterState(
  redis: Redis,
  roster: readonly RosterPerson[],
  moved?: MovedAddresses,
): Promise<RosterState> {
  const ids = [...new Set(roster.map(({ id }) => id))]
  const [people, stored, removed] = await Promise.all([
    loadPeople(redis, ids),
    loadContacts(redis, ids),
    loadRemoved(redis, ids),
  ])
  const contacts = new Map<string, readonly string[]>(
    [...stored].map(([name, contact]) => [name, addressesOf(contact)]),
  )
  const [owners, members] = await Promise.all([
    loadOwners(redis, roster, contacts),
    loadMembers(
      redis,
      roster.filter(({ id }) => people.has(id)),
    ),
  ])
  return {
    people,
    removed,
    addressesOf: (channel, person) => contacts.get(at(channel, person)) ?? [],
    contactOf: (channel, person) => stored.get(at(channel, person)),
    isMember: (group, person) => members.has(at(group, person)),
    ownerOf: (channel, address) => {
      const name = at(channel, address)
      return moved?.has(name) ? moved.get(name) : owners.get(name)
    },
    move(channel, person, addresses) {
      for (const former of contacts.get(at(channel, person)) ?? []) {
        owners.delete(at(channel, former))
        moved?.set(at(channel, former), undefined)
      }
      contacts.set(at(channel, person), addresses)
      for (const address of addresses) {
        owners.set(at(channel, address), person)
        moved?.set(at(channel, address), person)
      }
    },
  }
}

/** Neither half can have a blank in it. */
const at = (one: string, other: string) => `${one} ${other}`

async function loadPeople(redis: Redis, ids: readonly string[]): Promise<Map<string, PersonInFull>> {
  const people = new Map<string, PersonInFull>()
  for (const person of await findInFull(redis, ids)) if (person) people.set(person.id, person)
  return people
}

async function loadRemoved(redis: Redis, ids: readonly string[]): Promise<Set<string>> {
  const found = await readByBucket(ids, (bucket, some) => redis.smismember(keys.removedPeople(bucket), ...some))
  return new Set(ids.filter((_, index) => found[index] === 1))
}

async function loadContacts(redis: Redis, ids: readonly string[]): Promise<Map<string, StoredContact>> {
  const rows = await createContactStore(redis).getAll(ids)
  const found = new Map<string, StoredContact>()
  for (const [index, contacts] of rows.entries())
    for (const [channel, contact] of Object.entries(contacts)) found.set(at(channel, ids[index] as string), contact)
  return found
}

/** Owners of the addresses that are not yet the person's own; and only those whose contacts agree (see contacts.ts). */
async function loadOwners(
  redis: Redis,
  roster: readonly RosterPerson[],
  own: ReadonlyMap<string, readonly string[]>,
): Promise<Map<string, string>> {
  const owners = new Map<string, string>()
  for (const [name, addresses] of own) {
    const [channel = '', person = ''] = name.split(' ')
    for (const address of addresses) owners.set(at(channel, address), person)
  }
  const store = createContactStore(redis)
  const asked = new Map<string, readonly [channel: string, address: string]>()
  for (const [channel, written] of roster.flatMap(({ addresses }) => [...addresses])) {
    for (const { address } of written)
      if (!owners.has(at(channel, address))) asked.set(at(channel, address), [channel, address])
  }
  await Promise.all(
    [...asked].map(async ([name, [channel, address]]) => {
      const person = await redis.get(keys.contactOf(channel, address))
      if (person === null) return
      if (hasAddress(await store.get(channel, person), address)) owners.set(name, person)
    }),
  )
  return owners
}

async function loadMembers(redis: Redis, roster: readonly RosterPerson[]): Promise<Set<string>> {
  const candidates = new Map<string, Set<string>>()
  for (const { id, groups } of roster) {
    for (const { group } of groups) candidates.set(group, (candidates.get(group) ?? new Set()).add(id))
  }
  const members = new Set<string>()
  await Promise.all(
    [...candidates].map(async ([group, people]) => {
      const ids = [...people]
      // of a group whose removal was cut off there may be members still
      const [isThere, within] = await Promise.all([
        redis.exists(keys.group(group)),
        redis.smismember(keys.members(group), ...ids),
      ])
      if (isThere === 0) return
      for (const [index, id] of ids.entries()) if (within[index] === 1) members.add(at(group, id))
    }),
  )
  return members
}
