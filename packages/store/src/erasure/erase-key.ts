/** Takes one person out of one key, as the table in places.ts says. */
import {
  erasedPerson,
  type HistoryRef,
  memberOf,
  Problem,
  parseHistoryKey,
  refOfMember,
} from '@courier-fleet/api-types'
import { personOfApplication } from '../applications.ts'
import { bucketOf } from '../buckets.ts'
import type { Redis } from '../connection/client.ts'
import { shardOfTag } from '../hash-tags.ts'
import { cancel } from '../history/history-scripts.ts'
import { keys } from '../keys.ts'
import { readVersions } from '../settings/read-versions.ts'
import { writeSettings } from '../settings/write-settings.ts'
import { createTemplates } from '../templates/templates.ts'
import { eraseFromMessage } from './erase-from-message.ts'
import { eraseAsked, eraseDiary, eraseEvidence, hasKeyOf } from './erase-mentions.ts'
import { eraseTold } from './erase-told.ts'
import { eraseEntries, eraseFields, eraseRanked } from './erase-values.ts'
import { namesInLine, namesPerson, tellsOf, type Whose } from './needles.ts'
import { kindOf, places } from './places.ts'

export interface Erased extends Whose {
  /** who asked for it: what must have somebody who did it has them from now on */
  readonly by: string
}

export type EraseKey = (key: string) => Promise<boolean>

/** @returns a function that takes this person out of a key, and says whether there was anything of them */
export function createEraseKey(redis: Redis, whose: Erased): EraseKey {
  const { person } = whose
  const names = namesPerson(person)
  const isInLine = namesInLine(person)
  const tells = tellsOf(whose)
  // as members of sets name a message: <sender>:<id>, after a blank
  const hasMessage = (text: string) => text.includes(` ${person}:`)
  const isOfThem = (text: string) => text.startsWith(`person:${person} `) || text.startsWith(`history:${person}:`)
  const steps: Readonly<Record<string, EraseKey>> = {
    history: (key) => eraseHistory(redis, key, whose),
    evidence: (key) => eraseEvidence(redis, key, person),
    diary: (key) => eraseDiary(redis, key, person),
    'waiting-online': (key) => (isOwn(key, person) ? isGone(redis, key) : eraseRanked(redis, key, hasMessage)),
    asked: (key) => (isOwn(key, person) ? isGone(redis, key) : eraseAsked(redis, key, person)),
    online: async (key) => (isOwn(key, person) || hasMessage((await redis.get(key)) ?? '')) && isGone(redis, key),
    dirty: (key) => eraseRanked(redis, key, (mark) => isOfThem(`${mark} `)),
    // whoever mends it may have read of a subscription before it was removed
    watched: (key) => eraseRanked(redis, key, isOfThem),
    applications: (key) => eraseApplications(redis, key, whose),
    barred: (key) => eraseFields(redis, key, names),
    deliveries: (key) => eraseEntries(redis, key, (fields) => tells(fields.join('\n'))),
    audit: (key) => eraseEntries(redis, key, (fields) => isLineOf(fields, person, isInLine)),
    idempotency: (key) => (isOwn(key, person) ? isGone(redis, key) : eraseAnswer(redis, key, tells)),
    limit: async (key) => isLimitOf(key, whose) && isGone(redis, key),
    // what a claim of theirs has left in the month of the fleet stays spent, under nobody's name
    budget: (key) => (isOwn(key, person) ? isGone(redis, key) : eraseFields(redis, key, hasKeyOf(person))),
    'provider-id': (key) => eraseProviderId(redis, key, person),
    unread: (key) => eraseUnread(redis, key, whose),
    settings: () => eraseVersions(redis, whose),
    template: (key) => eraseTemplate(redis, key, whose),
    'channel-pause': (key) => erasePause(redis, key, person),
    'subscription-due': (key) => eraseResource(redis, key, person),
    'subscription-again': (key) => eraseResource(redis, key, person),
    'subscription-views': (key) => eraseTold(redis, key, tells),
    'subscription-sending': (key) => eraseTold(redis, key, tells),
    // the job itself, until it is done
    erasures: async () => false,
  }
  return async (key) => {
    const kind = kindOf(key)
    const own = steps[kind]
    if (own) return own(key)
    switch (places.get(kind)) {
      case 'named':
        return isOwn(key, person) && isGone(redis, key)
      case 'field':
        return (await redis.hdel(key, person)) === 1
      case 'member':
        return eraseMember(redis, key, person)
      case 'word':
        return ((await redis.get(key)) ?? '').split(' ').includes(person) && isGone(redis, key)
      case 'owners':
        return eraseOwner(redis, key, person)
      default:
        return false
    }
  }
}

/** `<kind>:<person>`, with a tag or a word between them where the kind has one: what comes later in a name may be called as they are. */
function isOwn(key: string, person: string): boolean {
  const [kind, ...parts] = key.split(':').filter((part) => !part.startsWith('{'))
  const isOfWord = kind === 'webhook-secrets' && parts[0] === 'person'
  return parts[isOfWord ? 1 : 0] === person
}

/** `limit:<what>:<who>`: their tries, or those of somebody else in their name or with an address of theirs, which stand behind where they came from. */
function isLimitOf(key: string, { person, addresses }: Erased): boolean {
  const who = key.split(':').slice(2).join(':')
  return who === person || who.endsWith(` ${person}`) || addresses.some((address) => who.endsWith(`:${address}`))
}

/** A line of the audit that they have caused, that is about them, or that names them. */
function isLineOf(fields: readonly string[], person: string, names: ReturnType<typeof namesInLine>): boolean {
  const action = fields[fields.indexOf('action') + 1] ?? ''
  return fields.some((field, at) => {
    const text = fields[at + 1] ?? ''
    if (at % 2 === 1) return false
    if (field === 'by' || field === 'person') return text === person
    return field === 'history' ? text.includes(`.${person}.`) : names(action, text)
  })
}

/** From a contact of theirs; and what is left of the one by which they came into the list. A namesake is another. */
async function eraseApplications(redis: Redis, key: string, { person, addresses }: Erased): Promise<boolean> {
  const quoted = addresses.map((address) => JSON.stringify(address))
  const wanted = Object.entries(await redis.hgetall(key)).flatMap(([id, text]) =>
    personOfApplication(id) === person || quoted.some((address) => text.includes(address)) ? [id] : [],
  )
  return wanted.length > 0 && (await redis.hdel(key, ...wanted)) > 0
}

const isGone = async (redis: Redis, key: string) => (await redis.unlink(key)) === 1

async function eraseMember(redis: Redis, key: string, member: string): Promise<boolean> {
  const type = await redis.type(key)
  if (type === 'none') return false
  return (await (type === 'zset' ? redis.zrem(key, member) : redis.srem(key, member))) === 1
}

/** A message of theirs is made as old as can be: a timekeeper purges all of it, and the walk after finds nothing. */
async function eraseHistory(redis: Redis, key: string, { person, by }: Erased): Promise<boolean> {
  const ref = refIn(key)
  if (!ref) return false
  if (ref.sender !== person) return eraseFromMessage(redis, ref, person)
  const state = await redis.hget(key, 'state')
  if (state === 'issued') return isGone(redis, key)
  // whoever has settled meanwhile is as good as stopped
  if (state === 'scheduled' || state === 'running')
    await cancel(redis, ref, { left: '', by, unstarted: false }).catch(unlessProblem)
  await redis.zadd(keys.retention(ref.shard), 'XX', 1, memberOf(ref))
  return state !== null
}

function unlessProblem(error: unknown): void {
  if (!(error instanceof Problem)) throw error
}

function refIn(key: string): HistoryRef | undefined {
  const [, tag = '', member] = /^history:\{(\w+)\}:(.+)$/.exec(key) ?? []
  const shard = shardOfTag(tag)
  return shard && member ? refOfMember(shard, member) : undefined
}

/** A call that still runs has no answer. */
async function eraseAnswer(redis: Redis, key: string, tells: (text: string) => boolean): Promise<boolean> {
  const text = await redis.get(key)
  if (text === null || !tells(text)) return false
  const { answer } = JSON.parse(text) as { answer?: unknown }
  return answer !== undefined && isGone(redis, key)
}

/** Whom the provider's id stands for is known by their place in a message: the history says which places are nobody's. */
async function eraseProviderId(redis: Redis, key: string, person: string): Promise<boolean> {
  const recipient = await redis.hget(key, 'recipient')
  return recipient !== null && (await isTheirs(redis, recipient, person)) && isGone(redis, key)
}

/** Of an address of theirs all of it; of another's what is of their messages. */
async function eraseUnread(redis: Redis, key: string, { person, addresses }: Erased): Promise<boolean> {
  if (addresses.some((address) => key.endsWith(`:${address}`))) return isGone(redis, key)
  const { read: _read, ...recipients } = await redis.hgetall(key)
  const wanted: string[] = []
  for (const [id, recipient] of Object.entries(recipients))
    if (await isTheirs(redis, recipient, person)) wanted.push(id)
  return wanted.length > 0 && (await redis.hdel(key, ...wanted)) > 0
}

/** @param recipient as it is noted for reports: of a message of theirs, or they themselves, whose place in it says so by now */
async function isTheirs(redis: Redis, recipient: string, person: string): Promise<boolean> {
  const [history = '', , ordinal] = recipient.split(' ')
  if (hasKeyOf(person)(history)) return true
  const erased = await redis.hget(keys.history(parseHistoryKey(history)), 'erased')
  return erased?.includes(`,${ordinal},`) ?? false
}

/** A version cannot be written anew: the newest is written once more, by whoever erases, and those of this person go. */
async function eraseVersions(redis: Redis, { person, by }: Erased): Promise<boolean> {
  const [newest] = await readVersions(redis, 1)
  if (newest?.by === person)
    await writeSettings(redis, { expected: newest.version, stored: JSON.parse(newest.json), by })
  return eraseEntries(redis, keys.settings, (fields) => fields[fields.indexOf('by') + 1] === person)
}

/** As of the settings: a message that says the number of a version which is gone has to say another. */
async function eraseTemplate(redis: Redis, key: string, { person, by }: Erased): Promise<boolean> {
  const templates = createTemplates(redis)
  const id = key.slice(key.indexOf(':') + 1)
  const newest = await templates.newest(id)
  if (newest?.by === person) {
    const { version: expected, content } = newest
    await templates.write(id, { expected, content, by })
  }
  return eraseEntries(redis, key, (fields) => fields[fields.indexOf('by') + 1] === person)
}

async function erasePause(redis: Redis, key: string, person: string): Promise<boolean> {
  const [since, by] = (await redis.get(key))?.split(' ') ?? []
  if (by !== person) return false
  await redis.set(key, `${since} ${erasedPerson}`, 'XX')
  return true
}

/** Where what a subscription follows are people, or messages. */
async function eraseResource(redis: Redis, key: string, person: string): Promise<boolean> {
  const resource = await redis.hget(keys.subscription(key.slice(key.lastIndexOf(':') + 1)), 'resource')
  if (resource === 'person') return eraseMember(redis, key, person)
  if (resource !== 'history') return false
  const isSorted = (await redis.type(key)) === 'zset'
  const all = isSorted ? await redis.zrange(key, '0', '-1') : await redis.smembers(key)
  const wanted = all.filter(hasKeyOf(person))
  if (wanted.length === 0) return false
  return (await (isSorted ? redis.zrem(key, ...wanted) : redis.srem(key, ...wanted))) > 0
}

async function eraseOwner(redis: Redis, key: string, person: string): Promise<boolean> {
  const [owners, senders] = await redis.hmget(key, 'owners', 'senders')
  const without = (text: string) =>
    text
      .split(' ')
      .filter((id) => id !== person)
      .join(' ')
  let found = false
  for (const [field, text] of [
    ['owners', owners],
    ['senders', senders],
  ] as const) {
    if (!text || without(text) === text) continue
    await redis.hset(key, field, without(text))
    found = true
  }
  return found
}

/** At the very end: from now on the id is nobody's. */
export async function freeId(redis: Redis, person: string): Promise<void> {
  await redis.srem(keys.removedPeople(bucketOf(person)), person)
}
