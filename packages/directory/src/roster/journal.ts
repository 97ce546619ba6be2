/**
 * What an import has changed, with what was there before: kept for a week, so that it can be taken back. What an import is about to
 * change is written here first. A crash in between leaves too much here, which is seen when it is taken back: what is as it was before is
 * left alone. Of a person there is one field, which goes with them when they are erased; nothing else here leads to anybody.
 */
import { randomBytes } from 'node:crypto'
import type { Wishes } from '@courier-fleet/api-types'
import { keys, markDirty, type Redis, redisNow } from '@courier-fleet/store'
import { addressesOf, type StoredContact } from '../contact-record.ts'
import type { LoadedList, PersonInFull } from '../directory.ts'
import { nameInRecord, writePerson } from '../person-record.ts'
import type { RosterChange } from './roster-change.ts'
import type { GroupFacts } from './roster-groups.ts'
import type { RosterPerson } from './roster-line.ts'
import type { RosterState } from './roster-state.ts'

/** so long an import can be taken back */
export const takeBackMs = 7 * 86_400_000
const perStep = 1000

/** In their order; nearly everyone has one, and null stands for none. */
type KeptAddresses = string | readonly string[] | null

export const listOfKept = (kept: KeptAddresses): readonly string[] => (kept === null ? [] : [kept].flat())

/** Of one person; null stands for none. */
export interface Kept {
  /** their record, as person-record.ts writes it */
  readonly record?: readonly [before: string | null, after: string | null]
  /** by channel; of what is there now the addresses alone */
  readonly contacts?: Readonly<Record<string, readonly [before: StoredContact | null, after: KeptAddresses]>>
  /** those they joined by it; of somebody removed those they were in */
  readonly groups?: readonly string[]
  /** `group:<id>` and `cohort:<id>` that they may write to since */
  readonly owns?: readonly string[]
  /** of somebody removed */
  readonly topics?: readonly string[]
  readonly wishes?: Wishes
  /** likewise: where they have said STOP and have no contact, by channel, with when */
  readonly stops?: Readonly<Record<string, number>>
}

export type Counts = Pick<LoadedList, 'created' | 'updated' | 'removed'>

export interface Journal {
  readonly id: string
  /** @returns once it is kept; nothing is begun before */
  keep(people: ReadonlyMap<string, Kept>, groups?: GroupFacts): Promise<void>
  /** @returns the id of what was kept, if anything was */
  finish(counts: Counts): Promise<string | undefined>
}

export function createJournal(redis: Redis): Journal {
  const id = randomBytes(8).toString('hex')
  let isBegun = false

  async function begin(): Promise<void> {
    const nowMs = await redisNow(redis, keys.imports)
    await redis.zremrangebyscore(keys.imports, '-inf', nowMs - takeBackMs)
    await redis.zadd(keys.imports, nowMs, id)
    isBegun = true
  }
  const lapse = (key: string) => redis.pexpire(key, takeBackMs)

  return {
    id,
    async keep(people, groups = {}) {
      const facts = Object.entries(groups).flat()
      if (people.size === 0 && facts.length === 0) return
      if (!isBegun) await begin()
      if (facts.length > 0) await redis.hset(keys.ofImport(id), ...facts)
      await lapse(keys.ofImport(id))
      if (people.size === 0) return
      await redis.hset(
        keys.importPeople(id),
        ...[...people].flatMap(([person, kept]) => [person, JSON.stringify(kept)]),
      )
      await lapse(keys.importPeople(id))
    },
    async finish({ created, updated, removed }) {
      if (!isBegun) return undefined
      await redis.hset(keys.ofImport(id), { created, updated, removed })
      await lapse(keys.ofImport(id))
      return id
    },
  }
}

/** What a line is about to change; undefined: nothing. */
export function keptOfLine(
  { status, person, before, contacts: changes, joins }: RosterChange,
  line: RosterPerson,
  state: RosterState,
  owns: readonly string[],
): Kept | undefined {
  const isNew = status === 'created'
  const after = writePerson(person)
  const was = before ? writePerson(before) : null
  // of somebody new all that the line has, whatever an import that was cut off has brought of it
  const channels = isNew ? [...line.addresses.keys()] : changes.map(({ channel }) => channel)
  const contacts = channels.map((channel) => {
    const after = state.addressesOf(channel, person.id)
    return [
      channel,
      [isNew ? null : (state.contactOf(channel, person.id) ?? null), after.length > 1 ? after : after[0]],
    ]
  })
  const groups = isNew ? line.groups.map(({ group }) => group) : joins
  const kept: Kept = {
    ...(was !== after && { record: [was, after] }),
    ...(contacts.length > 0 && { contacts: Object.fromEntries(contacts) }),
    ...(groups.length > 0 && { groups }),
    ...(owns.length > 0 && { owns }),
  }
  return Object.keys(kept).length > 0 ? kept : undefined
}

/** All that goes with somebody who is removed, and can come back. */
export function keptOfLeaver(
  person: PersonInFull,
  contacts: Readonly<Record<string, StoredContact>>,
  { groups, topics, wishes, stops }: Required<Pick<Kept, 'groups' | 'topics' | 'wishes' | 'stops'>>,
): Kept {
  const hasWishes = wishes.off.length > 0 || wishes.quiet !== undefined
  const before = Object.entries(contacts).map(([channel, contact]) => [channel, [contact, null]])
  return {
    record: [writePerson(person), null],
    contacts: Object.fromEntries(before),
    groups,
    topics,
    ...(hasWishes && { wishes }),
    ...(Object.keys(stops).length > 0 && { stops }),
  }
}

/** Of all people, by id. */
export async function readKept(redis: Redis, id: string): Promise<[person: string, kept: Kept][]> {
  const found = new Map<string, Kept>()
  let cursor = '0'
  do {
    const [next, flat] = await redis.hscan(keys.importPeople(id), cursor, 'COUNT', perStep)
    for (let at = 0; at < flat.length; at += 2)
      found.set(flat[at] as string, JSON.parse(flat[at + 1] as string) as Kept)
    cursor = next
  } while (cursor !== '0')
  return [...found].sort(([one], [other]) => (one < other ? -1 : 1))
}

/** Whom lists that were cut off have put into groups: it may have been before they were marked. Whoever loads the next list, which is the same one mostly, marks them. */
export async function markUnfinished(redis: Redis): Promise<void> {
  for (const { id } of (await listLoaded(redis)).filter(({ isWhole }) => !isWhole)) {
    const joined = (await readKept(redis, id)).filter(([, { groups = [] }]) => groups.length > 0)
    await markDirty(
      redis,
      'person',
      joined.map(([person]) => person),
    )
  }
}

/** Lists that can be taken back, the newest first. */
export async function listLoaded(redis: Redis): Promise<LoadedList[]> {
  const rows = await redis.zrange(keys.imports, '+inf', '-inf', 'BYSCORE', 'REV', 'WITHSCORES')
  const found: (LoadedList | undefined)[] = []
  for (let at = 0; at < rows.length; at += 2)
    found.push(await readLoaded(redis, rows[at] as string, Number(rows[at + 1])))
  return found.filter((list) => list !== undefined)
}

async function readLoaded(redis: Redis, id: string, atMs: number): Promise<LoadedList | undefined> {
  const [facts, left] = await Promise.all([redis.hgetall(keys.ofImport(id)), redis.hlen(keys.importPeople(id))])
  if (Object.keys(facts).length === 0 && left === 0) return undefined
  const count = (name: string) => Number(facts[name] ?? 0)
  return {
    id,
    atMs,
    untilMs: atMs + takeBackMs,
    isWhole: facts.created !== undefined,
    created: count('created'),
    updated: count('updated'),
    removed: count('removed'),
    left,
    ...(facts['taken-back'] !== undefined && { takenBackMs: Number(facts['taken-back']) }),
  }
}

/** As Directory has it. */
export async function knownOfImports(
  redis: Redis,
  person: string,
): Promise<{ name: string; addresses: string[] } | undefined> {
  const ids = await redis.zrange(keys.imports, '0', '-1')
  const texts = await Promise.all(ids.map((id) => redis.hget(keys.importPeople(id), person)))
  const kept = texts.flatMap((text) => (text === null ? [] : [JSON.parse(text) as Kept]))
  if (kept.length === 0) return undefined
  const records = kept.flatMap(({ record = [] }) => record.flatMap((text) => text ?? []))
  const changes = kept.flatMap(({ contacts = {} }) => Object.values(contacts))
  const addresses = changes.flatMap(([before, after]) => [...addressesOf(before), ...listOfKept(after)])
  return { name: nameInRecord(records.at(-1)) ?? person, addresses: [...new Set(addresses)] }
}
