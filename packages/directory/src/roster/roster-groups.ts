/**
 * The groups and cohorts a roster speaks of: made when they are new, and given members' cohorts and
 * owners. What one import has seen or written it remembers, so each costs a read and a write once, not once a line.
 */
import { keys, type Redis } from '@courier-fleet/store'
import type { NewGroup } from '../directory.ts'
import { clearLeft, markGroup, readGroup, writeGroup } from '../groups.ts'
import type { GroupIds, GroupKind } from '../ids-of-names.ts'
import type { RosterPerson } from './roster-line.ts'

/** `unwritten`: an accepted line has it, or has changed it, and `write` has yet to say so to Redis. */
type State = 'absent' | 'unwritten' | 'written'

interface Known {
  readonly kind: GroupKind
  readonly id: string
  name: string
  /** how it came to its name: it is new, or was called by its id */
  how?: 'made' | 'named'
  readonly owners: Set<string>
  state: State
}

interface Claim {
  readonly kind: GroupKind
  readonly id: string
  readonly owner?: string
}

/** What is about to be written of groups and cohorts, for the journal: `made:<kind>:<id>` and `named:<kind>:<id>` → its name, `pair:<cohort>/<group>` → nothing. */
export type GroupFacts = Readonly<Record<string, string>>

/** What a line brings. */
interface Brought {
  readonly isNew: boolean
  /** what its person owns by it, as tokens */
  readonly owns: readonly string[]
}

/** A group in a cohort. */
interface Pair {
  readonly cohort: string
  readonly group: string
  state: State
}

interface RosterGroups {
  /** those that accepted lines have brought */
  readonly made: readonly NewGroup[]
  /** Reads what these people's lines speak of and is not known yet. */
  load(people: readonly RosterPerson[]): Promise<void>
  /** Takes over what an accepted line says. */
  add(person: RosterPerson): Brought
  /** What write() is about to do, but for owners. */
  unwritten(): GroupFacts
  /** Writes what was added since the last time. Order: index, record, pairs. */
  write(): Promise<void>
}

export function createRosterGroups(redis: Redis, ids: GroupIds): RosterGroups {
  const known = new Map<string, Known>()
  const pairs = new Map<string, Pair>()
  const made: NewGroup[] = []

  async function loadRecord(key: string, { kind, id }: Claim) {
    const found = readGroup(id, await redis.hgetall(key))
    const { name, owners } = found ?? { name: ids.nameOf(kind, id), owners: [] }
    known.set(key, { kind, id, name, owners: new Set(owners), state: found ? 'written' : 'absent' })
  }

  async function loadPair(name: string, cohort: string, group: string) {
    const present = await redis.sismember(keys.cohortGroups(cohort), group)
    pairs.set(name, { cohort, group, state: present === 1 ? 'written' : 'absent' })
  }

  async function writePair(pair: Pair) {
    await redis.sadd(keys.cohortGroups(pair.cohort), pair.group)
    pair.state = 'written'
  }

  return {
    made,

    async load(people) {
      const records = new Map<string, Claim>()
      const newPairs = new Map<string, readonly [cohort: string, group: string]>()
      for (const person of people) {
        for (const claim of claimsOf(person)) if (!known.has(keyOf(claim))) records.set(keyOf(claim), claim)
        for (const pair of pairsOf(person)) if (!pairs.has(pair.join('/'))) newPairs.set(pair.join('/'), pair)
      }
      await Promise.all([
        ...[...records].map(([key, claim]) => loadRecord(key, claim)),
        ...[...newPairs].map(([name, pair]) => loadPair(name, ...pair)),
      ])
    },

    add(person) {
      let isNew = false
      const owns: string[] = []
      for (const claim of claimsOf(person)) {
        const entry = known.get(keyOf(claim)) as Known
        const newOwner = claim.owner !== undefined && !entry.owners.has(claim.owner)
        const name = ids.nameOf(claim.kind, claim.id)
        // one that was called by its id until now
        const newName = entry.name === entry.id && name !== entry.id
        if (entry.state !== 'absent' && !newOwner && !newName) continue
        if (entry.state === 'absent') made.push({ kind: entry.kind, id: entry.id, name })
        if (entry.state === 'absent') entry.how = 'made'
        else if (newName) entry.how ??= 'named'
        if (newName) entry.name = name
        if (newOwner) owns.push(`${claim.kind}:${claim.id}`)
        if (claim.owner !== undefined) entry.owners.add(claim.owner)
        entry.state = 'unwritten'
        isNew = true
      }
      for (const name of pairsOf(person)) {
        const pair = pairs.get(name.join('/')) as Pair
        if (pair.state !== 'absent') continue
        pair.state = 'unwritten'
        isNew = true
      }
      return { isNew, owns }
    },

    unwritten: () => factsOf([...known.values()], [...pairs.values()]),

    async write() {
      await Promise.all(
        [...known].filter(([, { state }]) => state === 'unwritten').map((entry) => writeRecord(redis, ...entry)),
      )
      await Promise.all([...pairs.values()].filter(({ state }) => state === 'unwritten').map(writePair))
    },
  }
}

async function writeRecord(redis: Redis, key: string, entry: Known): Promise<void> {
  const { kind, id, name, owners } = entry
  if (kind === 'group' && entry.how === 'made') await clearLeft(redis, id)
  await redis.sadd(kind === 'group' ? keys.groups : keys.cohorts, id)
  await redis.hset(key, writeGroup({ id, name, owners: [...owners].sort() }))
  await markGroup(redis, kind, id)
  entry.state = 'written'
}

function factsOf(known: readonly Known[], pairs: readonly Pair[]): GroupFacts {
  const changed = known.filter(({ state, how }) => state === 'unwritten' && how !== undefined)
  const joined = pairs.filter(({ state }) => state === 'unwritten')
  return Object.fromEntries([
    ...changed.map(({ how, kind, id, name }) => [`${how}:${kind}:${id}`, name]),
    ...joined.map(({ cohort, group }) => [`pair:${cohort}/${group}`, '']),
  ])
}

const keyOf = ({ kind, id }: Claim) => (kind === 'group' ? keys.group(id) : keys.cohort(id))

function claimsOf(person: RosterPerson): Claim[] {
  const claims: Claim[] = []
  for (const { group, cohort } of person.groups) {
    claims.push({ kind: 'group', id: group })
    if (cohort !== undefined) claims.push({ kind: 'cohort', id: cohort })
  }
  for (const { kind, id } of person.owns) claims.push({ kind, id, owner: person.id })
  return claims
}

function pairsOf(person: RosterPerson): (readonly [cohort: string, group: string])[] {
  return person.groups.flatMap(({ group, cohort }) => (cohort === undefined ? [] : [[cohort, group] as const]))
}
