import type { HistoryRef } from '@courier-fleet/api-types'
import { reachedStates, receiptBytes, receiptStateOf } from '@courier-fleet/api-types'
import type { Redis } from 'ioredis'
import { receiptChunks } from './ledger.ts'

export interface PeopleSummary {
  /** have it on at least one channel */
  readonly reached: number
  /** have a contact on some channel, and have it on none */
  readonly unreached: number
  /** have no contact on any channel */
  readonly withoutContact: number
}

const reachedByte = new Uint8Array(256)
for (const byte of Object.values(receiptBytes)) if (reachedStates.has(receiptStateOf(byte))) reachedByte[byte] = 1

/** Person by person over all channels, from the bytes: 1 M people on three channels are 3 MB read in chunks. */
export async function summarizePeople(
  redis: Redis,
  ref: HistoryRef,
  channels: readonly string[],
  size: number,
): Promise<PeopleSummary> {
  const readers = channels.map((channel) => receiptChunks(redis, ref, channel, size))
  let reached = 0
  let withoutContact = 0
  for (;;) {
    const chunks = await Promise.all(readers.map(async (reader) => (await reader.next()).value))
    const first = chunks[0]
    if (!first) break
    for (let i = 0; i < first.length; i += 1) {
      let got = 0
      let contacts = 0
      for (const chunk of chunks) {
        const byte = (chunk as Buffer)[i] as number
        got |= reachedByte[byte] as number
        if (byte !== receiptBytes['no-contact']) contacts += 1
      }
      if (got) reached += 1
      else if (contacts === 0) withoutContact += 1
    }
  }
  return { reached, withoutContact, unreached: size - reached - withoutContact }
}
