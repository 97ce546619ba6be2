import type { HistoryRef } from '@courier-fleet/api-types'
import type { Redis } from '../connection/client.ts'
import { keys } from '../keys.ts'
import { audienceIn, readAudience } from './audience.ts'
import { packRecord, parseRecord } from './message-record.ts'
import { hashOfAudience, packAudience } from './packed-audience.ts'

/** Of the record of a message that nobody is sent: what it was counted by. Empty where nothing was put. */
export async function recordLeft(redis: Redis, ref: HistoryRef): Promise<string> {
  const [packed, size] = await Promise.all([redis.get(keys.record(ref)), redis.hget(keys.history(ref), 'size')])
  if (packed === null) return ''
  const { source, width, sha256, rules } = parseRecord(packed)
  const everyone = async () => audienceIn(packed, width) ?? (await readAudience(redis, ref, width, 0, Number(size)))
  const hash = sha256 ?? (await hashOfAudience(packAudience(await everyone())))
  const left = { source, text: '', to: [], width, sha256: hash, senderLine: undefined, subject: undefined, rules }
  return packRecord(left, Buffer.alloc(0))
}
