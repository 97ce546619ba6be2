/** People in rows of bytes: a million of them are as many megabytes as their ids have letters, and no objects. */
import { createHash, hash } from 'node:crypto'
import { inPieces } from './in-pieces.ts'

export interface PackedAudience {
  /** ids in order, each padded with blanks to the width of the longest, one byte a character */
  readonly rows: Buffer
  /** bytes an id */
  readonly width: number
  readonly size: number
}

const blank = 0x20
const lineFeed = 0x0a

/** @param ids sorted and unique */
export function packAudience(ids: readonly string[]): PackedAudience {
  let width = 1
  for (const id of ids) width = Math.max(width, id.length)
  const padded = ids.map((id) => id.padEnd(width))
  return { rows: Buffer.from(padded.join(''), 'latin1'), width, size: ids.length }
}

/** The ids of the ordinals from … to-1. */
export function idsOf({ rows, width, size }: PackedAudience, from = 0, to = size): string[] {
  return unpack(rows.toString('latin1', from * width, Math.min(to, size) * width), width)
}

/** @param text rows, whole ones */
export function unpack(text: string, width: number): string[] {
  const ids: string[] = []
  for (let at = 0; at + width <= text.length; at += width) ids.push(text.slice(at, at + width).trimEnd())
  return ids
}

const hashes = new WeakMap<PackedAudience, Promise<string>>()

/** Hex SHA-256 of the ids joined by line feeds: anyone can compute it from a roster. Worked out once: of a million people it takes a while. */
export function hashOfAudience(audience: PackedAudience): Promise<string> {
  const known = hashes.get(audience) ?? hashNow(audience)
  hashes.set(audience, known)
  return known
}

/** of what is hashed by one call: nearly all messages are for one person or few, and an object of OpenSSL costs more than their hash */
const hashedAtOnce = 4096

async function hashNow(audience: PackedAudience): Promise<string> {
  const { size, width } = audience
  if (size * (width + 1) <= hashedAtOnce) {
    const lines = Buffer.allocUnsafe(size * (width + 1))
    return hash('sha256', lines.subarray(0, writeLines(audience, 0, size, lines)), 'hex')
  }
  const whole = createHash('sha256')
  let lines = Buffer.alloc(0)
  await inPieces(audience, (from, to) => {
    // the first piece is the longest; the others fit where it was
    if (from === 0) lines = Buffer.allocUnsafe((to - from) * (width + 1))
    whole.update(lines.subarray(0, writeLines(audience, from, to, lines)))
  })
  return whole.digest('hex')
}

/** Each id but the first of all with a line feed before it. @returns how many bytes they are */
function writeLines({ rows, width }: PackedAudience, from: number, to: number, lines: Buffer): number {
  let length = 0
  for (let row = from; row < to; row += 1) {
    if (row > 0) lines[length++] = lineFeed
    const end = (row + 1) * width
    for (let at = row * width; at < end && rows[at] !== blank; at += 1) lines[length++] = rows[at] as number
  }
  return length
}
