/**
 * The frozen audience as Redis holds it: packed, so that any range is one GETRANGE. Its first bytes stand at the head of the
 * message's record, and an audience that does not fill that has no key of its own.
 */

import type { HistoryRef } from '@courier-fleet/api-types'
import type { Redis } from 'ioredis'
import { keys } from '../keys.ts'
import { unpack } from './packed-audience.ts'

/** of every record; a few people fit in, and most messages are for one */
export const headBytes = 64

/** What stands before the JSON of a record: no id has a bracket in it. */
function headOf(record: string): string {
  const end = record.indexOf('[')
  return end < 0 ? record : record.slice(0, end)
}

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

/**
 * Everyone of several small messages of one shard, in order; nobody where a message is gone. One command, and another when
 * there are audiences among them that do not fit into their records.
 */
export async function readWholeAudiences(
  redis: Redis,
  messages: readonly { readonly ref: HistoryRef; readonly width: number }[],
): Promise<string[][]> {
  const records = await redis.mget(...messages.map(({ ref }) => keys.record(ref)))
  const texts = records.map((record) => headOf(record ?? ''))
  const longer = [...messages.entries()].filter(([index]) => texts[index]?.length === headBytes)
  if (longer.length > 0) {
    const whole = await redis.mget(...longer.map(([, { ref }]) => keys.audience(ref)))
    for (const [at, [index]] of longer.entries()) texts[index] = whole[at] ?? ''
  }
  return messages.map(({ width }, index) => unpack(texts[index] as string, width))
}
