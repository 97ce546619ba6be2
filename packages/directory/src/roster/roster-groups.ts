/**
 * The groups and streams a roster speaks of: made when they are new (named by their id), and given members' streams and
 * owners. What one import has seen or written it remembers, so each costs a read and a write once, not once a line.
 */
import { keys } from '@courier-fleet/core'
import type { Redis } from 'ioredis'
import { readGroup, writeGroup } from '../groups.ts'
import type { RosterPerson } from './roster-line.ts'

interface Known {
  readonly exists: boolean
  readonly name: string
  readonly owners: ReadonlySet<string>
}

interface Claim {
  readonly kind: 'group' | 'stream'
  readonly id: string
  readonly owner?: string
}

export interface RosterGroups {
  /** Reads what these people's lines speak of and is not known yet. */
  load(people: readonly RosterPerson[]): Promise<void>
  /** Whether the line brings a group, a stream, a link between them or an owner that is not there yet. */
  bringsNews(person: RosterPerson): boolean
  write(people: readonly RosterPerson[]): Promise<void>
}

export function createRosterGroups(redis: Redis): RosterGroups {
  const known = new Map<string, Known>()
  const links = new Map<string, boolean>()

  const recordKey = ({ kind, id }: Claim) => (kind === 'group' ? keys.group(id) : keys.stream(id))
  const isMet = (claim: Claim) => {
    const found = known.get(recordKey(claim))
    return found?.exists === true && (claim.owner === undefined || found.owners.has(claim.owner))
  }

  async function loadRecord(claim: Claim) {
    const found = readGroup(claim.id, await redis.hgetall(recordKey(claim)))
    const { name, owners } = found ?? { name: claim.id, owners: [] }
    known.set(recordKey(claim), { exists: found !== undefined, name, owners: new Set(owners) })
  }

  async function loadLink(stream: string, group: string) {
    links.set(`${stream}/${group}`, (await redis.sismember(keys.streamGroups(stream), group)) === 1)
  }

  /** Order: index, then the record. */
  async function writeRecord(claim: Claim, owners: readonly string[]) {
    const { name } = known.get(recordKey(claim)) as Known
    const group = { id: claim.id, name, owners: [...owners].sort() }
    await redis.sadd(claim.kind === 'group' ? keys.groups : keys.streams, claim.id)
    await redis.hset(recordKey(claim), writeGroup(group))
    known.set(recordKey(claim), { exists: true, name, owners: new Set(owners) })
  }

  return {
    async load(people) {
      const records = new Map<string, Claim>()
      const pairs = new Map<string, readonly [string, string]>()
      for (const person of people) {
        for (const claim of claimsOf(person)) if (!known.has(recordKey(claim))) records.set(recordKey(claim), claim)
        for (const pair of linksOf(person)) if (!links.has(pair.join('/'))) pairs.set(pair.join('/'), pair)
      }
      await Promise.all([
        ...[...records.values()].map(loadRecord),
        ...[...pairs.values()].map(([stream, group]) => loadLink(stream, group)),
      ])
    },

    bringsNews: (person) =>
      claimsOf(person).some((claim) => !isMet(claim)) || linksOf(person).some((pair) => !links.get(pair.join('/'))),

    async write(people) {
      const unmet = new Map<string, Claim & { owners: Set<string> }>()
      for (const claim of people.flatMap(claimsOf)) {
        if (isMet(claim)) continue
        const entry = unmet.get(recordKey(claim)) ?? { ...claim, owners: new Set(known.get(recordKey(claim))?.owners) }
        if (claim.owner !== undefined) entry.owners.add(claim.owner)
        unmet.set(recordKey(claim), entry)
      }
      await Promise.all([...unmet.values()].map((claim) => writeRecord(claim, [...claim.owners])))
      for (const [stream, group] of people.flatMap(linksOf)) {
        if (links.get(`${stream}/${group}`)) continue
        await redis.sadd(keys.streamGroups(stream), group)
        links.set(`${stream}/${group}`, true)
      }
    },
  }
}

function claimsOf(person: RosterPerson): Claim[] {
  const claims: Claim[] = []
  for (const { group, stream } of person.groups) {
    claims.push({ kind: 'group', id: group })
    if (stream !== undefined) claims.push({ kind: 'stream', id: stream })
  }
  for (const { kind, id } of person.owns) claims.push({ kind, id, owner: person.id })
  return claims
}

function linksOf(person: RosterPerson): (readonly [stream: string, group: string])[] {
  return person.groups.flatMap(({ group, stream }) => (stream === undefined ? [] : [[stream, group] as const]))
}
