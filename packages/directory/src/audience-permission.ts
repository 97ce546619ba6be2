/** Whether a sender may write to those whom messages name. What is known of them is read once for all messages together. */
import { type CallerRole, type MadeRole, Problem } from '@courier-fleet/api-types'
import { keys, type Redis } from '@courier-fleet/store'
import { type Addressed, parseTokens, type Token, tokensIn, unknownAudience } from './audience-tokens.ts'
import type { Principal } from './directory.ts'
import { readGroup } from './groups.ts'
import { readByBucket } from './person-fields.ts'
import { readSet } from './sets.ts'
import { mayWriteToTopic, readTopic } from './topics.ts'

interface Facts {
  /** users who are not in the directory */
  readonly strangers: ReadonlySet<string>
  /** records of groups, cohorts and topics, by token; empty when there is none */
  readonly records: ReadonlyMap<string, Record<string, string>>
  /** users in groups of the sender's own, where that matters */
  readonly ownMembers: ReadonlySet<string>
}

/**
 * Owning a group or a cohort is enough for trainers to write to it; these may write to everyone, but not to a topic: people have
 * joined that for the sake of its own senders.
 */
const unbound: ReadonlySet<CallerRole> = new Set(['staff', 'operator', 'admin'])

/** @param made the roles that operators have made @returns of each message, in order, its tokens, or the Problem why it is refused */
export async function permit(
  redis: Redis,
  messages: readonly (readonly string[])[],
  by: Principal,
  made: readonly MadeRole[],
): Promise<Addressed[]> {
  if (by.role === 'student' || by.role === 'inbound') {
    return messages.map(() => notYours('students cannot send messages'))
  }
  const parsed = messages.map((texts) => parseTokens(texts, made))
  const facts = await readFacts(redis, tokensIn(parsed), by)
  return parsed.map((tokens) => (tokens instanceof Problem ? tokens : (refusalOf(tokens, facts, by) ?? tokens)))
}

async function readFacts(redis: Redis, tokens: Iterable<Token>, by: Principal): Promise<Facts> {
  const users = new Set<string>()
  const reading = new Map<string, Promise<Record<string, string>>>()
  for (const { kind, id, text } of tokens) {
    if (kind === 'user') users.add(id)
    else if (kind !== 'role' && !reading.has(text)) {
      reading.set(text, redis.hgetall(recordKeyOf[kind](id)))
    }
  }
  const [strangers, ownMembers, ...records] = await Promise.all([
    strangersAmong(redis, users),
    unbound.has(by.role) ? new Set<string>() : membersOfOwn(redis, users, by.owner),
    ...reading.values(),
  ])
  return { strangers, ownMembers, records: new Map([...reading.keys()].map((text, i) => [text, records[i] ?? {}])) }
}

async function strangersAmong(redis: Redis, users: ReadonlySet<string>): Promise<Set<string>> {
  const strangers = new Set<string>()
  const ids = [...users]
  const scores = await readByBucket(ids, (bucket, some) => redis.zmscore(keys.personIds(bucket), ...some))
  for (const [index, id] of ids.entries()) if (scores[index] === null) strangers.add(id)
  return strangers
}

async function membersOfOwn(redis: Redis, users: ReadonlySet<string>, owner: string): Promise<Set<string>> {
  if (users.size === 0) return new Set()
  const groups = await groupsOwnedBy(redis, owner)
  const within = await Promise.all(
    [...users].map(async (user) => {
      const found = await Promise.all(groups.map((group) => redis.sismember(keys.members(group), user)))
      return found.includes(1) ? [user] : []
    }),
  )
  return new Set(within.flat())
}

async function groupsOwnedBy(redis: Redis, owner: string): Promise<string[]> {
  const groups = [...(await readSet(redis, keys.groups))]
  const records = await Promise.all(groups.map((group) => redis.hgetall(keys.group(group))))
  return groups.filter((_, index) => isOwner(records[index] ?? {}, owner))
}

const recordKeyOf = { group: keys.group, cohort: keys.cohort, topic: keys.topic } as const

const whyNot = {
  user: 'not in a group of yours',
  group: 'not a group of yours',
  cohort: 'not a cohort of yours',
  topic: 'you are not among its senders',
  role: 'for staff only',
} as const

function refusalOf(tokens: readonly Token[], facts: Facts, by: Principal): Problem | undefined {
  const missing = tokens.find((token) => !isKnown(token, facts))
  if (missing) return unknownAudience(missing.text, missing.field)
  const foreign = tokens.find((token) => !mayWrite(token, facts, by))
  return foreign && notYours(`you may not write to ${foreign.text}: ${whyNot[foreign.kind]}`, foreign.field)
}

function isKnown({ kind, id, text }: Token, { strangers, records }: Facts): boolean {
  if (kind === 'role') return true
  return kind === 'user' ? !strangers.has(id) : Object.keys(records.get(text) ?? {}).length > 0
}

function mayWrite({ kind, id, text }: Token, { ownMembers, records }: Facts, by: Principal): boolean {
  if (kind === 'topic') {
    const topic = readTopic(id, records.get(text) ?? {})
    return topic !== undefined && mayWriteToTopic(topic, by)
  }
  if (unbound.has(by.role)) return true
  if (kind === 'role') return false
  return kind === 'user' ? ownMembers.has(id) : isOwner(records.get(text) ?? {}, by.owner)
}

const isOwner = (record: Record<string, string>, owner: string) =>
  readGroup('', record)?.owners.includes(owner) ?? false

const notYours = (detail: string, field?: string) => new Problem(403, 'not-your-audience', detail, field)
