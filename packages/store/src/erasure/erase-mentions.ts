/** Where what is kept of others names a message of the person, or their word: the keys of their messages begin with their id. */
import { erasedPerson, type HistoryKey, type Limit } from '@courier-fleet/api-types'
import type { Redis } from '../connection/client.ts'
import { evidenceOfLimit, holdsIds } from '../history/evidence.ts'

const pageSize = 500

/** The key of a history of theirs stands in it. */
export const hasKeyOf = (person: string) => (text: string) => text.includes(`.${person}.`)

/** What was said of others: who has told it, and which message came before. */
export async function eraseEvidence(redis: Redis, key: string, person: string): Promise<boolean> {
  let cursor = '0'
  let found = false
  do {
    const [next, flat] = await redis.hscan(key, cursor, 'COUNT', pageSize)
    const left: string[] = []
    for (let at = 0; at < flat.length; at += 2) {
      const [ordinal, value] = [flat[at] as string, flat[at + 1] as string]
      if (holdsIds(ordinal)) continue
      const after = evidenceWithout(value, person)
      if (after !== value) left.push(ordinal, after)
    }
    if (left.length > 0) await redis.hset(key, ...left)
    found ||= left.length > 0
    cursor = next
  } while (cursor !== '0')
  if (found) await unlessPurged(redis, key)
  return found
}

function evidenceWithout(value: string, person: string): string {
  const told = `@${person} `
  if (value.startsWith(told)) return `@${erasedPerson} ${evidenceWithout(value.slice(told.length), person)}`
  if (!value.startsWith('&') || !hasKeyOf(person)(value)) return value
  const { earlier, ...limit } = JSON.parse(value.slice(1)) as Limit & { earlier?: { at: string; key?: HistoryKey } }
  return evidenceOfLimit(earlier ? { ...limit, earlier: { at: earlier.at } } : limit)
}

/** It was purged meanwhile, and what was written belongs to nothing. */
async function unlessPurged(redis: Redis, key: string): Promise<void> {
  const history = key.replace(/^evidence/, 'history').replace(/:[^:]+$/, '')
  if ((await redis.exists(history)) === 0) await redis.unlink(key)
}

/**
 * The person's own entries, and those of others that name a message of theirs: whatever counted of it counts no more. What is counted of
 * one of these others in the very same moment may be lost, and then they may be sent one more.
 */
export async function eraseDiary(redis: Redis, key: string, person: string): Promise<boolean> {
  const isOwn = (await redis.hdel(key, person)) === 1
  const page = await redis.hgetallBuffer(key)
  let found = isOwn
  for (const [other, bytes] of Object.entries(page)) {
    if (!bytes.includes(`.${person}.`)) continue
    found = true
    const left = entriesIn(bytes).filter((entry) => !entry.includes(`.${person}.`))
    await (left.length === 0 ? redis.hdel(key, other) : redis.hset(key, other, Buffer.concat(left)))
  }
  return found
}

/** Before each stands how long it is. */
function entriesIn(bytes: Buffer): Buffer[] {
  const entries: Buffer[] = []
  for (let at = 0; at < bytes.length; ) {
    const end = at + 1 + (bytes[at] as number)
    entries.push(bytes.subarray(at, end))
    at = end
  }
  return entries
}

/** The numbers by which others answer to messages of theirs. */
export async function eraseAsked(redis: Redis, key: string, person: string): Promise<boolean> {
  const asked = Object.entries(await redis.hgetall(key))
  const wanted = asked.flatMap(([number, what]) => (hasKeyOf(person)(what) ? [number] : []))
  return wanted.length > 0 && (await redis.hdel(key, ...wanted)) > 0
}
