/** What stands under a history's key at one moment, in one round trip: enough for its counts, and to know where its receipts are. */

import type { HistoryRef } from '@courier-fleet/api-types'
import type { Redis } from '../connection/client.ts'
import { keys } from '../keys.ts'

/** Given back to Histories.view() and receipts(); only the store reads the fields of the hash. */
export interface Snapshot {
  readonly ref: HistoryRef
  readonly hash: Readonly<Record<string, string>>
  /** absent while the key is only issued */
  readonly record?: string
}

/** `undefined` when there is no such history. */
export async function readSnapshot(redis: Redis, ref: HistoryRef): Promise<Snapshot | undefined> {
  const [hash, record] = await Promise.all([redis.hgetall(keys.history(ref)), redis.get(keys.record(ref))])
  if (!hash.state) return undefined
  return record === null ? { ref, hash } : { ref, hash, record }
}
