/** The numbers by which people name messages that they are asked to confirm where there is no button: of each person, and not given again for a month. */
import { createHash } from 'node:crypto'
import { type HistoryKey, historyKeyOf, parseHistoryKey } from '@courier-fleet/api-types'
import { bucketOf } from './buckets.ts'
import type { Confirmation } from './confirm-token.ts'
import type { Redis } from './connection/client.ts'
import { keys } from './keys.ts'
import { numberReply } from './replies.ts'
import { defineScript } from './script.ts'

/** A message that somebody is asked to confirm. */
export interface Ask extends Confirmation {
  /** where the message is corrected they are asked anew, by another */
  readonly number: string
  /** Unix ms */
  readonly askedMs: number
}

const keptMs = 30 * 86_400_000
const numbers = 90
const smallest = 10

const askScript = defineScript('ask', { keys: ['asked'], args: ['what', 'first', 'keptMs'], reply: numberReply })

/** @returns the number, the same at every call */
export async function ask(redis: Redis, person: string, { ref, ordinal, version }: Confirmation): Promise<string> {
  const key = historyKeyOf(ref)
  const first = smallest + (createHash('sha1').update(key).digest().readUInt32BE(0) % numbers)
  const names = { asked: keys.asked(bucketOf(person), person) }
  return String(
    await askScript(redis, names, { what: `${key} ${ordinal}${version === 1 ? '' : ` ${version}`}`, first, keptMs }),
  )
}

/** What somebody is asked to confirm, the latest first. */
export async function readAsks(redis: Redis, person: string, nowMs: number): Promise<Ask[]> {
  const found = Object.entries(await redis.hgetall(keys.asked(bucketOf(person), person)))
  const asks = found.map(([number, entry]): Ask => {
    const [askedMs, key, ordinal, version = 1] = entry.split(' ') as [string, HistoryKey, string, string?]
    return {
      number,
      ref: parseHistoryKey(key),
      ordinal: Number(ordinal),
      version: Number(version),
      askedMs: Number(askedMs),
    }
  })
  return asks.filter(({ askedMs }) => askedMs + keptMs > nowMs).sort((a, b) => b.askedMs - a.askedMs)
}
