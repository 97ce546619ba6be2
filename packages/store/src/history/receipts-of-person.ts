/** The receipts of one person in some messages: the audience of each is in order, so that they are looked for in few steps. */
import type { HistoryRef, HistoryState } from '@courier-fleet/api-types'
import type { Redis } from '../connection/client.ts'
import type { PersonReceipt } from './histories.ts'
import { parseRecord, textNumber } from './message-record.ts'
import { readReceipts } from './receipts.ts'
import { readSnapshot } from './snapshot.ts'
import { findOrdinal } from './unknown-receipts.ts'

/** In order; `undefined` where the message is not for them, where nothing was put, and where its people are not kept: it was cancelled before it started. */
export async function receiptsOfPerson(
  redis: Redis,
  refs: readonly HistoryRef[],
  person: string,
): Promise<(PersonReceipt | undefined)[]> {
  return Promise.all(refs.map((ref) => receiptOfPerson(redis, ref, person)))
}

async function receiptOfPerson(redis: Redis, ref: HistoryRef, person: string): Promise<PersonReceipt | undefined> {
  const snapshot = await readSnapshot(redis, ref)
  if (snapshot?.record === undefined || snapshot.hash.state === 'cancelled') return undefined
  const ordinal = await findOrdinal(redis, snapshot, person)
  if (ordinal === undefined) return undefined
  const { rows } = await readReceipts(redis, snapshot, { from: ordinal, limit: 1 })
  const [receipt] = rows
  // purged meanwhile
  if (receipt?.person !== person) return undefined
  const record = parseRecord(snapshot.record)
  const { text, personal, confirm } = record
  return {
    state: snapshot.hash.state as HistoryState,
    text,
    personal,
    asks: confirm,
    version: textNumber(record),
    receipt,
  }
}
