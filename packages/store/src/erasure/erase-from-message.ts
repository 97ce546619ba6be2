/** Takes one person out of what is kept of a message. Their receipts stay in its counts, and are nobody's. */
import { hash } from 'node:crypto'
import { erasedPerson, type HistoryRef, memberOf, narrowingIn, type PersonalText } from '@courier-fleet/api-types'
import type { Redis } from '../connection/client.ts'
import { tagOf } from '../hash-tags.ts'
import { audienceIn, headBytes, readAudience } from '../history/audience.ts'
import { decisionField } from '../history/decisions.ts'
import { type MessageRecord, packRecord, parseRecord } from '../history/message-record.ts'
import { hashOfAudience, packAudience } from '../history/packed-audience.ts'
import { readSnapshot, type Snapshot } from '../history/snapshot.ts'
import { findOrdinal } from '../history/unknown-receipts.ts'
import { urlsIn } from '../history/url-recipients.ts'
import { packVersion, parseVersion, type Version } from '../history/versions.ts'
import { keys } from '../keys.ts'
import { flagReply } from '../replies.ts'
import { defineScript } from '../script.ts'
import { namesPerson } from './needles.ts'

const eraseScript = defineScript('erase-recipient', {
  keys: ['history', 'record', 'audience'],
  args: ['message', 'tag', 'ordinal', 'row', 'before', 'after', 'isNamed'],
  reply: flagReply,
})

/** @returns whether there was anything of them */
export async function eraseFromMessage(redis: Redis, ref: HistoryRef, person: string): Promise<boolean> {
  for (;;) {
    const snapshot = await readSnapshot(redis, ref)
    if (!snapshot) return false
    const wasSaid = await eraseWord(redis, snapshot, person)
    const change = await changeOf(redis, snapshot, person)
    if (!change) return wasSaid
    const isGone = parseRecord(change.after).text === ''
    await eraseVersions(redis, snapshot, (version) => (isGone ? goneOf(version) : withoutValues(version, person)))
    const { ordinal, row, before, after, isNamed } = change
    const names = { history: keys.history(ref), record: keys.record(ref), audience: keys.audience(ref) }
    const about = { message: memberOf(ref), tag: tagOf(ref.shard), ordinal: ordinal ?? '', row, before, after }
    if (await eraseScript(redis, names, { ...about, isNamed: isNamed ? 1 : 0 })) return true
  }
}

interface Change {
  readonly ordinal: number | undefined
  readonly row: string
  readonly before: string
  readonly after: string
  readonly isNamed: boolean
}

async function changeOf(redis: Redis, snapshot: Snapshot, person: string): Promise<Change | undefined> {
  const { ref, hash: fields, record: before } = snapshot
  // nothing was put, or it is gone
  if (before === undefined) return undefined
  const record = parseRecord(before)
  const { width } = record
  const size = Number(fields.size)
  const ordinal = await findOrdinal(redis, snapshot, person)
  const isPersonal = size === 1 && ordinal === 0
  const left = leftOf(record, person, isPersonal)
  if (ordinal === undefined && !left) return undefined

  const named = left ?? record
  const everyone = async () => audienceIn(before, width) ?? (await readAudience(redis, ref, width, 0, size))
  // of one that was cancelled before it started there are none
  const ids = await everyone()
  if (ordinal !== undefined) ids[ordinal] = erasedPerson
  const sha256 = named.sha256 && ids.length > 0 ? await hashOfAudience(packAudience(ids)) : named.sha256
  const rows = Buffer.from(
    ids
      .slice(0, headBytes)
      .map((id) => id.padEnd(width))
      .join(''),
    'latin1',
  )
  return {
    ordinal,
    row: erasedPerson.padEnd(width),
    before,
    after: packRecord({ ...named, sha256 }, rows),
    isNamed: left !== undefined,
  }
}

/** The record without what it says of them beside the audience; undefined where it says nothing. */
function leftOf(record: MessageRecord, person: string, isPersonal: boolean): MessageRecord | undefined {
  const { to, online, sha256 } = record
  const left = to.map((token) => tokenWithout(token, person))
  const isAddressed = left.some((token, at) => token !== to[at])
  // of a message that was cancelled, whose people are not kept: a hash of one id is as good as the id
  const isHash = sha256 === hash('sha256', person)
  const isTold = record.data !== undefined && namesPerson(person)(JSON.stringify(record.data))
  // what is posted to URLs is for nobody else
  const isAbout = online === person || (isTold && urlsIn(to) !== undefined)
  const isGiven = Object.hasOwn(record.personal?.each ?? {}, person)
  if (!isAddressed && !isPersonal && !isAbout && !isTold && !isHash && !isGiven) return undefined
  const { data: _data, subject: _subject, personal: _personal, ...rest } = record
  const about =
    isPersonal || isAbout
      ? { ...rest, subject: undefined, files: undefined, text: '' }
      : { ...withoutValues(record, person), ...(isTold ? { data: undefined } : {}) }
  return {
    ...about,
    to: left,
    ...(online === person ? { online: erasedPerson } : {}),
    ...(isHash ? { sha256: hash('sha256', erasedPerson) } : {}),
  }
}

/** They are named themselves, or by a message of theirs: that it was meant stays. */
function tokenWithout(token: string, person: string): string {
  if (token === `user:${person}`) return `user:${erasedPerson}`
  const narrowing = narrowingIn(token)
  if (narrowing === undefined || narrowing.kind === 'unread') return token
  const [shard, sender, id] = narrowing.key.split('.')
  return sender === person ? `${narrowing.kind}:${shard}.${erasedPerson}.${id}` : token
}

function withoutValues<Written extends PersonalText>(written: Written, person: string): Written {
  const { personal } = written
  if (!personal?.each) return written
  const each = Object.fromEntries(Object.entries(personal.each).filter(([id]) => id !== person))
  return { ...written, personal: { ...personal, each } }
}

const goneOf = ({ atMs, by }: Version): Version => ({ text: '', atMs, by })

/** What they have said or done as somebody who looks after messages: that it was done stays. */
async function eraseWord(redis: Redis, snapshot: Snapshot, person: string): Promise<boolean> {
  const isTheirs = ({ by }: Version) => by === person
  const found = [
    await eraseDecisions(redis, snapshot, person),
    await eraseToldByVoice(redis, snapshot, person),
    await eraseVersions(redis, snapshot, (version) => (isTheirs(version) ? { ...version, by: erasedPerson } : version)),
  ].some(Boolean)
  const { ref } = snapshot
  // it was purged meanwhile, and what was written belongs to nothing
  if (found && (await redis.hexists(keys.history(ref), 'state')) === 0)
    await redis.unlink(keys.history(ref), keys.byVoice(ref), keys.versions(ref))
  return found
}

async function eraseDecisions(redis: Redis, { ref, hash: fields }: Snapshot, person: string): Promise<boolean> {
  const history = keys.history(ref)
  let found = false
  for (const [field, value] of Object.entries(fields)) {
    const [, decision, leg = '', by] = decisionField.exec(field) ?? []
    if (by === person) {
      await redis.hset(history, `${decision}:${leg}:${erasedPerson}`, value)
      await redis.hdel(history, field)
      found = true
    } else if (value === person || value.endsWith(` ${person}`)) {
      if (!/^(cancelled-by|released|sent-now:.*|cancelled:.*)$/.test(field)) continue
      await redis.hset(history, field, `${value.slice(0, value.length - person.length)}${erasedPerson}`)
      found = true
    }
  }
  return found
}

async function eraseToldByVoice(redis: Redis, { ref, hash: fields }: Snapshot, person: string): Promise<boolean> {
  if (fields['by-voice'] === undefined) return false
  let found = false
  for (const [ordinal, value] of Object.entries(await redis.hgetall(keys.byVoice(ref)))) {
    const [ms, by] = value.split(' ')
    if (by !== person) continue
    await redis.hset(keys.byVoice(ref), ordinal, `${ms} ${erasedPerson}`)
    found = true
  }
  return found
}

/** Of its texts, where it was corrected. */
async function eraseVersions(
  redis: Redis,
  { ref, hash: fields }: Snapshot,
  without: (version: Version) => Version,
): Promise<boolean> {
  if (fields.version === undefined) return false
  let found = false
  for (const [version, before] of Object.entries(await redis.hgetall(keys.versions(ref)))) {
    const after = packVersion(without(parseVersion(before)))
    if (after === before) continue
    await redis.hset(keys.versions(ref), version, after)
    found = true
  }
  return found
}
