/** The deadline of a message, which it has of its type, and how many of those who were told of it were told in time; counted by lua/lib/in-time.lua. */
import { durationOf, type HistoryView } from '@courier-fleet/api-types'
import type { Snapshot } from './snapshot.ts'

export function deadlineIn(hash: Snapshot['hash']): HistoryView['deadline'] {
  if (!hash.deadline) return undefined
  return {
    within: durationOf(Number(hash.deadline)),
    inTime: Number(hash['in-time'] ?? 0),
    late: Number(hash.late ?? 0),
  }
}
