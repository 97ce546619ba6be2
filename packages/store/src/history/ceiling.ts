import type { CeilingView } from '@courier-fleet/api-types'
import type { MessageRecord } from './message-record.ts'
import type { Snapshot } from './snapshot.ts'

/** @returns undefined of a message without one */
export const ceilingIn = ({ ceiling }: MessageRecord, hash: Snapshot['hash']): CeilingView | undefined =>
  ceiling && { ...ceiling, spent: Number(hash.spent ?? 0) }
