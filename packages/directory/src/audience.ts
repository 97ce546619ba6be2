/** Whom a message is for, and whether its sender may write to them. */
import { type CallerRole, keys, Problem, roles } from '@courier-fleet/core'
import type { Redis } from 'ioredis'
import type { Directory, Principal } from './directory.ts'
import { readGroup } from './groups.ts'
import { readSet } from './sets.ts'

const tokenPattern = /^(user|group|stream|role):([A-Za-z0-9_-]{1,64})$/

interface Token {
  readonly kind: 'user' | 'group' | 'stream' | 'role'
  readonly id: string
  readonly text: string
  readonly field: string
}

/** Owning a group or a stream is enough for trainers to write to it; these may write to everyone. */
const unbound: ReadonlySet<CallerRole> = new Set(['staff', 'operator', 'admin'])

export function createAudience({ redis }: { redis: Redis }): Pick<Directory, 'expand' | 'expandCounted'> {
  return {
    async expand(texts, by) {
      const tokens = await allowed(texts, by)

      const people = new Set<string>()
      for (const key of await setsOf(tokens)) for (const person of await readSet(redis, key)) people.add(person)
      for (const { kind, id } of tokens) if (kind === 'user') people.add(id)
      return [...people].sort()
    },

    async expandCounted(texts, by) {
      const people = new Set<string>()
      let named = 0
      for (const token of await allowed(texts, by)) {
        const own = await peopleOf(token)
        named += own.size
        for (const person of own) people.add(person)
      }
      return { people: [...people].sort(), named }
    },
  }

  async function allowed(texts: readonly string[], by: Principal): Promise<Token[]> {
    if (by.role === 'student' || by.role === 'entrance') throw notYours('students cannot send messages')
    const tokens = texts.map(parse)
    const known = await Promise.all(tokens.map(exists))
    const missing = tokens[known.indexOf(false)]
    if (missing) throw unknown(missing.text, missing.field)
    if (!unbound.has(by.role)) await mustOwn(tokens, by.owner)
    return tokens
  }

  async function peopleOf(token: Token): Promise<Set<string>> {
    if (token.kind === 'user') return new Set([token.id])
    const people = new Set<string>()
    for (const key of await setsOf([token])) for (const person of await readSet(redis, key)) people.add(person)
    return people
  }

  async function exists({ kind, id }: Token): Promise<boolean> {
    if (kind === 'role') return true
    const key = kind === 'user' ? keys.person(id) : kind === 'group' ? keys.group(id) : keys.stream(id)
    return (await redis.exists(key)) === 1
  }

  /** The sets that hold the people of all tokens, each set once. */
  async function setsOf(tokens: readonly Token[]): Promise<Set<string>> {
    const sets = new Set<string>()
    for (const { kind, id } of tokens) {
      if (kind === 'role') sets.add(keys.role(id))
      if (kind === 'group') sets.add(keys.members(id))
      if (kind === 'stream')
        for (const group of await readSet(redis, keys.streamGroups(id))) sets.add(keys.members(group))
    }
    return sets
  }

  async function mustOwn(tokens: readonly Token[], owner: string): Promise<void> {
    const ownGroups = tokens.some(({ kind }) => kind === 'user') ? await groupsOwnedBy(owner) : []
    const allowed = await Promise.all(tokens.map((token) => mayWrite(token, owner, ownGroups)))
    const foreign = tokens[allowed.indexOf(false)]
    if (foreign) throw notYours(`you may not write to ${foreign.text}: ${whyNot[foreign.kind]}`, foreign.field)
  }

  async function mayWrite({ kind, id }: Token, owner: string, ownGroups: readonly string[]): Promise<boolean> {
    if (kind === 'role') return false
    if (kind === 'user') {
      const within = await Promise.all(ownGroups.map((group) => redis.sismember(keys.members(group), id)))
      return within.includes(1)
    }
    return isOwner(await redis.hgetall(kind === 'group' ? keys.group(id) : keys.stream(id)), owner)
  }

  async function groupsOwnedBy(owner: string): Promise<string[]> {
    const groups = [...(await readSet(redis, keys.groups))]
    const records = await Promise.all(groups.map((group) => redis.hgetall(keys.group(group))))
    return groups.filter((_, index) => isOwner(records[index] ?? {}, owner))
  }
}

const whyNot = {
  user: 'not in a group of yours',
  group: 'not a group of yours',
  stream: 'not a stream of yours',
  role: 'for staff only',
} as const

const isOwner = (record: Record<string, string>, owner: string) =>
  readGroup('', record)?.owners.includes(owner) ?? false

function parse(text: string, index: number): Token {
  const field = `to.${index}`
  const [, kind, id] = tokenPattern.exec(text) ?? []
  if (kind === undefined || id === undefined || (kind === 'role' && !roles.some((role) => role === id))) {
    throw unknown(text, field)
  }
  return { kind: kind as Token['kind'], id, text, field }
}

const unknown = (token: string, field: string) =>
  new Problem(422, 'unknown-audience', `"${token.slice(0, 80)}" is nobody known here`, field)

const notYours = (detail: string, field?: string) => new Problem(403, 'not-your-audience', detail, field)
