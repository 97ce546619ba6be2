/**
 * What taking an import back does to each person. Everything of them must be as the import has left it, or as it was before, where
 * that was put back already; whoever is another by now is left whole, and named.
 */
import { keys, type Redis } from '@courier-fleet/store'
import { addressesOf, hasAddress, type StoredContact } from '../contact-record.ts'
import { createContactStore } from '../contact-store.ts'
import type { TakeBackLine } from '../directory.ts'
import { readFields } from '../person-fields.ts'
import { nameInRecord } from '../person-record.ts'
import { readSet } from '../sets.ts'
import { type Kept, listOfKept } from './journal.ts'

/** people looked at together */
const chunkSize = 200

/** One person, and what becomes of them; with `why` nothing. */
export interface Step extends TakeBackLine {
  readonly kept: Kept
  /** they were to go, and are not there any more */
  readonly isGone: boolean
}

/** Who is left as they are, whatever was done to them. */
export interface Spared {
  /** whoever takes back */
  readonly by: string | undefined
  readonly erased: ReadonlySet<string>
}

/** A person as they are now. */
interface Now {
  readonly record: string | null
  readonly contacts: Readonly<Record<string, StoredContact>>
  readonly hasWishes: boolean
  readonly groups: readonly string[]
  readonly topics: readonly string[]
}

/** What there is now, asked once for all people. */
interface Surroundings {
  readonly redis: Redis
  readonly groups: ReadonlySet<string>
  readonly topics: ReadonlySet<string>
  readonly spared: Spared
}

/** In the order of the entries. */
export async function planPeople(
  redis: Redis,
  entries: readonly (readonly [person: string, kept: Kept])[],
  spared: Spared,
): Promise<Step[]> {
  const [groups, topics] = await Promise.all([readSet(redis, keys.groups), readSet(redis, keys.topics)])
  const around = { redis, groups, topics, spared }
  const steps: Step[] = []
  for (let from = 0; from < entries.length; from += chunkSize)
    steps.push(...(await planChunk(around, entries.slice(from, from + chunkSize))))
  return steps
}

async function planChunk(around: Surroundings, entries: readonly (readonly [string, Kept])[]): Promise<Step[]> {
  const { redis } = around
  const ids = entries.map(([id]) => id)
  const [now, owners] = await Promise.all([readNow(around, ids), readOwners(redis, entries)])
  return entries.map(([id, kept], index) => {
    const is = now[index] as Now
    const name = nameInRecord(kept.record?.[1] ?? kept.record?.[0] ?? is.record ?? undefined) ?? id
    const [before, after] = kept.record ?? [is.record, is.record]
    const what = before === null ? 'removed' : after === null ? 'returned' : 'restored'
    const why = whyNot(around, { id, what, kept, is, owners })
    return { id, name, what, ...(why && { why }), kept, isGone: what === 'removed' && is.record === null }
  })
}

interface Asked {
  readonly id: string
  readonly what: TakeBackLine['what']
  readonly kept: Kept
  readonly is: Now
  /** whose the addresses are now that would be theirs again: `<channel> <address>` → person */
  readonly owners: ReadonlyMap<string, string>
}

function whyNot(around: Surroundings, { id, what, kept, is, owners }: Asked): TakeBackLine['why'] {
  const { record, contacts = {}, groups = [], topics = [] } = kept
  if (around.spared.erased.has(id)) return 'erased'
  if (what === 'removed' && is.record === null) return undefined
  if (what === 'removed' && around.spared.by === id) return 'self'
  if (record ? is.record !== record[0] && is.record !== record[1] : is.record === null) return 'changed'
  for (const [channel, [before, after]] of Object.entries(contacts)) {
    const now = is.contacts[channel]
    const former = addressesOf(before)
    if (!isSame(addressesOf(now), listOfKept(after)) && !isSame(addressesOf(now), former)) return 'contact'
    // a STOP that would be lost
    if (now?.state === 'opted-out' && before === null) return 'contact'
    const holders = former.map((address) => owners.get(`${channel} ${address}`))
    if (holders.some((holder) => holder !== undefined && holder !== id)) return 'address-taken'
  }
  if (what === 'removed') {
    const isKnown = Object.keys(is.contacts).every((channel) => channel in contacts)
    if (!isKnown || is.hasWishes) return 'contact'
    if (is.topics.length > 0 || is.groups.some((group) => !groups.includes(group))) return 'group'
  }
  if (what === 'returned') {
    const isGone =
      groups.some((group) => !around.groups.has(group)) || topics.some((topic) => !around.topics.has(topic))
    if (isGone) return 'group-gone'
  }
  return undefined
}

const isSame = (some: readonly string[], others: readonly string[]) => some.join(' ') === others.join(' ')

async function readNow({ redis, groups, topics }: Surroundings, ids: readonly string[]): Promise<Now[]> {
  const among = async (sets: ReadonlySet<string>, keyOf: (id: string) => string) => {
    const found = await Promise.all(
      [...sets].map(async (set) => [set, await redis.smismember(keyOf(set), ...ids)] as const),
    )
    return ids.map((_id, index) => found.flatMap(([set, within]) => (within[index] === 1 ? [set] : [])))
  }
  const [records, contacts, wishes, inGroups, inTopics] = await Promise.all([
    readFields(redis, ids, keys.people),
    createContactStore(redis).getAll(ids),
    readFields(redis, ids, keys.wishes),
    among(groups, keys.members),
    among(topics, keys.topicMembers),
  ])
  return ids.map((_id, index) => ({
    record: records[index] ?? null,
    contacts: contacts[index] ?? {},
    hasWishes: (wishes[index] ?? null) !== null,
    groups: inGroups[index] ?? [],
    topics: inTopics[index] ?? [],
  }))
}

/** Only where whoever the index names agrees; see contacts.ts. */
async function readOwners(redis: Redis, entries: readonly (readonly [string, Kept])[]): Promise<Map<string, string>> {
  const store = createContactStore(redis)
  const asked = entries.flatMap(([, { contacts = {} }]) =>
    Object.entries(contacts).flatMap(([channel, [before]]) =>
      addressesOf(before).map((address) => [channel, address] as const),
    ),
  )
  const owners = new Map<string, string>()
  await Promise.all(
    asked.map(async ([channel, address]) => {
      const person = await redis.get(keys.contactOf(channel, address))
      if (person === null || !hasAddress(await store.get(channel, person), address)) return
      owners.set(`${channel} ${address}`, person)
    }),
  )
  return owners
}
