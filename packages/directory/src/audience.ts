/** Whom messages are for, of many messages at once: those that are refused, and the people of the others. */
import { type MadeRole, Problem } from '@courier-fleet/api-types'
import { allOf } from '@courier-fleet/process'
import {
  createAudienceBuilder,
  everyBucket,
  keys,
  type PackedAudience,
  packAudience,
  type Redis,
} from '@courier-fleet/store'
import { permit } from './audience-permission.ts'
import { type Token, tokensIn } from './audience-tokens.ts'
import type { Directory, Principal } from './directory.ts'
import { readPeople, readSet } from './sets.ts'

interface AudienceDeps {
  readonly redis: Redis
  readonly roles: () => readonly MadeRole[]
}

export function createAudience({ redis, roles }: AudienceDeps): Pick<Directory, 'expandMany' | 'expandCounted'> {
  async function expandMany(lists: readonly (readonly string[])[], by: Principal): Promise<(PackedAudience | Error)[]> {
    const allowed = await permit(redis, lists, by, roles())
    const members = await readMembers(redis, tokensIn(allowed))
    // lists of the same tokens share one audience
    const found = new Map<string, PackedAudience | Promise<PackedAudience>>()
    return allOf<PackedAudience | Error>(
      allowed.map((named) => {
        if (named instanceof Problem) return named
        const name = nameOf(named)
        const people = found.get(name) ?? peopleOf(named, members)
        found.set(name, people)
        return people
      }),
    )
  }

  return {
    expandMany,

    async expandCounted(texts, by) {
      const [tokens] = await permit(redis, [texts], by, roles())
      if (tokens instanceof Problem) throw tokens
      const each = tokens as readonly Token[]
      const members = await readMembers(redis, each)
      const sizes = new Map<string, number>()
      let named = 0
      for (const token of each) {
        const size = sizes.get(token.text) ?? (await peopleOf([token], members)).size
        sizes.set(token.text, size)
        named += size
      }
      return { people: await peopleOf(each, members), named }
    },
  }
}

/** By token, the people of its groups; a group that several tokens name is read once. */
async function readMembers(redis: Redis, tokens: Iterable<Token>): Promise<Map<string, readonly PackedAudience[]>> {
  const reading = new Map<string, Promise<PackedAudience>>()
  const read = (key: string, ...others: string[]) => {
    const known = reading.get(key) ?? readPeople(redis, key, ...others)
    reading.set(key, known)
    return known
  }
  const ofRole = (role: string) => read(...(everyBucket((bucket) => keys.role(bucket, role)) as [string, ...string[]]))
  const members = new Map<string, Promise<PackedAudience[]>>()
  for (const { kind, id, text } of tokens) {
    if (kind === 'user' || members.has(text)) continue
    if (kind === 'role') members.set(text, Promise.all([ofRole(id)]))
    else if (kind === 'topic') members.set(text, Promise.all([read(keys.topicMembers(id))]))
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

/** The same for lists of the same tokens. */
function nameOf(tokens: readonly Token[]): string {
  const [first] = tokens
  if (first && tokens.length === 1) return first.text
  return [...new Set(tokens.map(({ text }) => text))].sort().join(' ')
}

/** Each once, sorted by code unit. */
function peopleOf(
  tokens: readonly Token[],
  members: ReadonlyMap<string, readonly PackedAudience[]>,
): PackedAudience | Promise<PackedAudience> {
  const users: string[] = []
  const groups = new Set<PackedAudience>()
  for (const { kind, id, text } of tokens) {
    if (kind === 'user') users.push(id)
    for (const group of members.get(text) ?? []) groups.add(group)
  }
  const [only] = groups
  if (groups.size === 0 && users.length === 1) return packAudience(users)
  if (groups.size === 1 && users.length === 0) return only as PackedAudience
  const builder = createAudienceBuilder([...groups].reduce((sum, { size }) => sum + size, users.length))
  builder.add(users)
  for (const group of groups) builder.addPacked(group)
  return builder.finish()
}
