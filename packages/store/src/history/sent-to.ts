/** Who was sent a message on a channel, or may have been: what is paid for. */
import { reasonOfByte, receiptStateOf } from '@courier-fleet/api-types'
import type { Redis } from '../connection/client.ts'
import { readAudience } from './audience.ts'
import { receiptChunks } from './ledger.ts'
import { parseRecord } from './message-record.ts'
import type { Snapshot } from './snapshot.ts'

/** ids read in one command */
const pageSize = 1_000

const sentTo: ReadonlySet<string> = new Set(['sent', 'delivered', 'read', 'confirmed', 'unknown'])

/** Whoever was reported undelivered had been sent to. */
const wasSentTo = (state: number, reason: number | undefined) =>
  sentTo.has(receiptStateOf(state)) || (reason !== undefined && reasonOfByte(reason) === 'undelivered')

async function* ordinalsSentTo(redis: Redis, { ref, hash }: Snapshot, channel: string): AsyncGenerator<number[]> {
  let from = 0
  for await (const { states, reasons } of receiptChunks(redis, ref, channel, Number(hash.size))) {
    const why = await reasons()
    const found: number[] = []
    for (const [index, state] of states.entries()) if (wasSentTo(state, why[index])) found.push(from + index)
    yield found
    from += states.length
  }
}

export interface SentTo {
  /** How many on this channel. */
  count(snapshot: Snapshot, channel: string): Promise<number>
  /** Their ids, page by page. */
  people(snapshot: Snapshot, channel: string): AsyncGenerator<string[]>
}

export const createSentTo = (redis: Redis): SentTo => ({
  async count(snapshot, channel) {
    let people = 0
    for await (const ordinals of ordinalsSentTo(redis, snapshot, channel)) people += ordinals.length
    return people
  },
  async *people(snapshot, channel) {
    const { ref, record } = snapshot
    if (record === undefined) return
    const { width } = parseRecord(record)
    for await (const ordinals of ordinalsSentTo(redis, snapshot, channel)) {
      for (let at = 0; at < ordinals.length; at += pageSize) {
        const some = ordinals.slice(at, at + pageSize)
        const first = some[0] as number
        const people = await readAudience(redis, ref, width, first, (some.at(-1) as number) + 1)
        yield some.map((ordinal) => people[ordinal - first] as string)
      }
    }
  },
})
