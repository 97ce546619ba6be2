/** Who of a message was told it by voice: a word of the sender's or an operator's, beside the receipts, which say what channels have done. */
import { type HistoryRef, memberOf, Problem, type ReceiptView } from '@courier-fleet/api-types'
import type { Redis } from '../connection/client.ts'
import { tagOf } from '../hash-tags.ts'
import { keys } from '../keys.ts'
import { textReply } from '../replies.ts'
import { asProblem, defineScript } from '../script.ts'
import type { Snapshot } from './snapshot.ts'
import { ordinalOf } from './unknown-receipts.ts'

type Told = NonNullable<ReceiptView['toldByVoice']>

const tellByVoiceScript = defineScript('tell-by-voice', {
  keys: ['history', 'byVoice'],
  args: ['message', 'tag', 'by', 'ordinal'],
  reply: textReply,
})

/**
 * @param by whoever says so; undefined: it is taken back. @returns who says so now
 * @throws Problem 404 · 409 `was-cancelled` · 422 `not-in-audience`
 */
export async function tellByVoice(
  redis: Redis,
  snapshot: Snapshot,
  person: string,
  by: string | undefined,
): Promise<Told | undefined> {
  const { ref, hash, record } = snapshot
  if (record === undefined || hash.state === 'cancelled')
    throw new Problem(409, 'was-cancelled', 'nobody was sent it, and who it was for is not kept')
  const ordinal = await ordinalOf(redis, snapshot, person)
  const names = { history: keys.history(ref), byVoice: keys.byVoice(ref) }
  const args = { message: memberOf(ref), tag: tagOf(ref.shard), by: by ?? '', ordinal }
  const now = await asProblem(tellByVoiceScript(redis, names, args), {
    UNKNOWN: [404, 'unknown-key', 'key'],
    STOPPED: [409, 'was-cancelled'],
  })
  return now === '' ? undefined : parse(now)
}

export const isAnyoneTold = (hash: Readonly<Record<string, string>>) => !(hash['by-voice'] ?? '0 ').startsWith('0 ')

/** Of an ordinal, who says so. Reads nothing where nobody was told. */
export type ToldByVoice = ReadonlyMap<number, Told>

export async function readToldByVoice(
  redis: Redis,
  ref: HistoryRef,
  hash: Readonly<Record<string, string>>,
): Promise<ToldByVoice> {
  if (!isAnyoneTold(hash)) return new Map()
  const told = await redis.hgetall(keys.byVoice(ref))
  return new Map(Object.entries(told).map(([ordinal, value]) => [Number(ordinal), parse(value)]))
}

function parse(value: string): Told {
  const [ms, by] = value.split(' ') as [string, string]
  return { by, at: new Date(Number(ms)).toISOString() }
}
