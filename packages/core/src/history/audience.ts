/** The frozen audience: ids in order, each padded to the width of the longest, so that any range is one GETRANGE. */
import { createHash } from 'node:crypto'
import type { Redis } from 'ioredis'
import { type HistoryRef, keys } from '../keys.ts'

export interface PackedAudience {
  readonly bytes: Buffer
  /** bytes an id */
  readonly width: number
  readonly size: number
  /** hex SHA-256 of the ids joined by line feeds: anyone can compute it from a roster */
  readonly sha256: string
}

export function packAudience(ids: readonly string[]): PackedAudience {
  let width = 1
  for (const id of ids) width = Math.max(width, id.length)
  const text = ids.map((id) => id.padEnd(width)).join('')
  const sha256 = createHash('sha256').update(ids.join('\n')).digest('hex')
  return { bytes: Buffer.from(text, 'latin1'), width, size: ids.length, sha256 }
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
  const bytes = await redis.getrangeBuffer(keys.audience(ref), from * width, to * width - 1)
  return unpack(bytes.toString('latin1'), width)
}

/** Everyone of several small messages of one shard, in order; nobody where a message is gone. One command. */
export async function readWholeAudiences(
  redis: Redis,
  messages: readonly { readonly ref: HistoryRef; readonly width: number }[],
): Promise<string[][]> {
  const texts = await redis.mget(...messages.map(({ ref }) => keys.audience(ref)))
  return texts.map((text, index) => (text === null ? [] : unpack(text, messages[index]?.width ?? 1)))
}

function unpack(text: string, width: number): string[] {
  const ids: string[] = []
  for (let at = 0; at + width <= text.length; at += width) ids.push(text.slice(at, at + width).trimEnd())
  return ids
}
