/**
 * The frozen audience as Redis holds it: packed, so that any range is one GETRANGE. Its first bytes stand at the head of the
 * message's record, and an audience that does not fill that has no key of its own.
 */

import type { HistoryRef } from '@courier-fleet/api-types'
import type { Redis } from '../connection/client.ts'
import { keys } from '../keys.ts'
import { unpack } from './packed-audience.ts'

/** of every record; a few people fit in, and most messages are for one */
export const headBytes = 64

/** What stands before the JSON of a record: no id has a bracket in it. */
export function headOf(record: string): string {
  const end = record.indexOf('[')
  return end < 0 ? record : record.slice(0, end)
}

/** The first of the audience, as many as the record holds. */
export const idsInHead = (record: string, width: number): string[] => unpack(headOf(record), width)

/** Everyone, when the record holds all of them. */
export function audienceIn(record: string, width: number): string[] | undefined {
  const head = headOf(record)
  return head.length < headBytes ? unpack(head, width) : undefined
}

/** The ids of the ordinals from … to-1. */
export async function readAudience(
  redis: Redis,
  ref: HistoryRef,
  width: number,
  from: number,
  to: number,
): Promise<string[]> {
  if (to <= from) return []
  const text =
    to * width <= headBytes
      ? headOf(await redis.getrange(keys.record(ref), 0, to * width - 1)).slice(from * width)
      : (await redis.getrangeBuffer(keys.audience(ref), from * width, to * width - 1)).toString('latin1')
  return unpack(text, width)
}
