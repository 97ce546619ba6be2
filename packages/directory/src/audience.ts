/**
 * Whom messages are for, and whether their sender may write to them. Looked up for many messages at once, everything once:
 * first what is known of those they name, then the people of those that may be written to.
 */
import { type CallerRole, Problem, roles } from '@courier-fleet/api-types'
import { createRoll, idsOf, keys, type PackedAudience, packAudience } from '@courier-fleet/store'
import type { Redis } from 'ioredis'
import type { Directory, Principal } from './directory.ts'
import { readGroup } from './groups.ts'
import { piecesOf, readPeople, readSet } from './sets.ts'

const tokenPattern = /^(user|group|cohort|role):([A-Za-z0-9_-]{1,64})$/

interface Token {
  readonly kind: 'user' | 'group' | 'cohort' | 'role'
  readonly id: string
  readonly text: string
  readonly field: string
}

/** The tokens of a message, or why it is refused. */
type Named = readonly Token[] | Problem

interface Facts {
  /** users who are not in the directory */
  readonly strangers: ReadonlySet<string>
  /** records of groups and cohorts, by token; empty when there is none */
  readonly records: ReadonlyMap<string, Record<string, string>>
  /** users in groups of the sender's own, where that matters */
  readonly ownMembers: ReadonlySet<string>
}

/** Owning a group or a cohort is enough for trainers to write to it; these may write to everyone. */
const unbound: ReadonlySet<CallerRole> = new Set(['staff', 'operator', 'admin'])

export function createAudience({
  redis,
}: {
  redis: Redis
}): Pick<Directory, 'expand' | 'expandMany' | 'expandCounted'> {
  async function expandMany(lists: readonly (readonly string[])[], by: Principal): Promise<(PackedAudience | Error)[]> {
    const allowed = await allow(lists, by)
    const members = await readMembers(tokensIn(allowed))
    // lists of the same tokens share one audience
    const found = new Map<string, Promise<PackedAudience>>()
    return Promise.all(
      allowed.map((named) => {
        if (named instanceof Problem) return named
        const name = named.map(({ text }) => text).join(' ')
        const people = found.get(name) ?? peopleOf(named, members)
        found.set(name, people)
        return people
      }),
    )
  }

  return {
    expandMany,

    async expand(texts, by) {
      const [people] = await expandMany([texts], by)
      if (people instanceof Error) throw people
      return idsOf(people as PackedAudience)
    },

    async expandCounted(texts, by) {
      const [tokens] = await allow([texts], by)
      if (tokens instanceof Problem) throw tokens
      const each = tokens as readonly Token[]
      const members = await readMembers(each)
      let named = 0
      for (const token of each) named += (await peopleOf([token], members)).size
      return { people: await peopleOf(each, members), named }
    },
  }

  async function allow(lists: readonly (readonly string[])[], by: Principal): Promise<Named[]> {
    if (by.role === 'student' || by.role === 'inbound')
      return lists.map(() => notYours('students cannot send messages'))
    const parsed = lists.map(parseAll)
    const facts = await readFacts(tokensIn(parsed), by)
    return parsed.map((named) => (named instanceof Problem ? named : (refusalOf(named, facts, by) ?? named)))
  }

  async function readFacts(tokens: Iterable<Token>, by: Principal): Promise<Facts> {
    const users = new Set<string>()
    const reading = new Map<string, Promise<Record<string, string>>>()
    for (const { kind, id, text } of tokens) {
      if (kind === 'user') users.add(id)
      else if (kind !== 'role' && !reading.has(text)) {
        reading.set(text, redis.hgetall(kind === 'group' ? keys.group(id) : keys.cohort(id)))
      }
    }
    const [strangers, ownMembers, ...records] = await Promise.all([
      strangersAmong(users),
      unbound.has(by.role) ? new Set<string>() : membersOfOwn(users, by.owner),
      ...reading.values(),
    ])
    return { strangers, ownMembers, records: new Map([...reading.keys()].map((text, i) => [text, records[i] ?? {}])) }
  }

  async function strangersAmong(users: ReadonlySet<string>): Promise<Set<string>> {
    const strangers = new Set<string>()
    for (const piece of piecesOf([...users])) {
      const scores = await redis.zmscore(keys.personIds, ...piece)
      for (const [index, id] of piece.entries()) if (scores[index] === null) strangers.add(id)
    }
    return strangers
  }

  async function membersOfOwn(users: ReadonlySet<string>, owner: string): Promise<Set<string>> {
    if (users.size === 0) return new Set()
    const groups = await groupsOwnedBy(owner)
    const within = await Promise.all(
      [...users].map(async (user) => {
        const found = await Promise.all(groups.map((group) => redis.sismember(keys.members(group), user)))
        return found.includes(1) ? [user] : []
      }),
    )
    return new Set(within.flat())
  }

  async function groupsOwnedBy(owner: string): Promise<string[]> {
    const groups = [...(await readSet(redis, keys.groups))]
    const records = await Promise.all(groups.map((group) => redis.hgetall(keys.group(group))))
    return groups.filter((_, index) => isOwner(records[index] ?? {}, owner))
  }

  /** By token, the people of its groups; a group that several name is read once. */
  async function readMembers(tokens: Iterable<Token>): Promise<Map<string, readonly PackedAudience[]>> {
    const reading = new Map<string, Promise<PackedAudience>>()
    const read = (key: string) => {
      const known = reading.get(key) ?? readPeople(redis, key)
      reading.set(key, known)
      return known
    }
    const members = new Map<string, Promise<PackedAudience[]>>()
    for (const { kind, id, text } of tokens) {
      if (kind === 'user' || members.has(text)) continue
      if (kind === 'role') members.set(text, Promise.all([read(keys.role(id))]))
      else if (kind === 'group') members.set(text, Promise.all([read(keys.members(id))]))
      else
        members.set(
          text,
          readSet(redis, keys.cohortGroups(id)).then((groups) =>
            Promise.all([...groups].map((group) => read(keys.members(group)))),
          ),
        )
    }
    return new Map(await Promise.all([...members].map(async ([text, sets]) => [text, await sets] as const)))
  }
}

/** Each once, sorted by code unit. */
async function peopleOf(
  tokens: readonly Token[],
  members: ReadonlyMap<string, readonly PackedAudience[]>,
): Promise<PackedAudience> {
  const users: string[] = []
  const groups = new Set<PackedAudience>()
  for (const { kind, id, text } of tokens) {
    if (kind === 'user') users.push(id)
    for (const group of members.get(text) ?? []) groups.add(group)
  }
  const [only] = groups
  if (groups.size === 0 && users.length === 1) return packAudience(users)
  if (groups.size === 1 && users.length === 0) return only as PackedAudience
  const roll = createRoll([...groups].reduce((sum, { size }) => sum + size, users.length))
  roll.add(users)
  for (const group of groups) roll.addPacked(group)
  return roll.finish()
}

function* tokensIn(lists: readonly Named[]): Generator<Token> {
  for (const named of lists) if (!(named instanceof Problem)) yield* named
}

const whyNot = {
  user: 'not in a group of yours',
  group: 'not a group of yours',
  cohort: 'not a cohort of yours',
  role: 'for staff only',
} as const

function refusalOf(tokens: readonly Token[], facts: Facts, by: Principal): Problem | undefined {
  const missing = tokens.find((token) => !isKnown(token, facts))
  if (missing) return unknown(missing.text, missing.field)
  if (unbound.has(by.role)) return undefined
  const foreign = tokens.find((token) => !mayWrite(token, facts, by.owner))
  return foreign && notYours(`you may not write to ${foreign.text}: ${whyNot[foreign.kind]}`, foreign.field)
}

function isKnown({ kind, id, text }: Token, { strangers, records }: Facts): boolean {
  if (kind === 'role') return true
  return kind === 'user' ? !strangers.has(id) : Object.keys(records.get(text) ?? {}).length > 0
}

function mayWrite({ kind, id, text }: Token, { ownMembers, records }: Facts, owner: string): boolean {
  if (kind === 'role') return false
  return kind === 'user' ? ownMembers.has(id) : isOwner(records.get(text) ?? {}, owner)
}

const isOwner = (record: Record<string, string>, owner: string) =>
  readGroup('', record)?.owners.includes(owner) ?? false

/** The tokens, or the first that cannot be one. */
function parseAll(texts: readonly string[]): Named {
  const tokens: Token[] = []
  for (const [index, text] of texts.entries()) {
    const field = `to.${index}`
    const [, kind, id] = tokenPattern.exec(text) ?? []
    if (kind === undefined || id === undefined || (kind === 'role' && !roles.some((role) => role === id))) {
      return unknown(text, field)
    }
    tokens.push({ kind: kind as Token['kind'], id, text, field })
  }
  return tokens
}

const unknown = (token: string, field: string) =>
  new Problem(422, 'unknown-audience', `"${token.slice(0, 80)}" is nobody known here`, field)

const notYours = (detail: string, field?: string) => new Problem(403, 'not-your-audience', detail, field)
