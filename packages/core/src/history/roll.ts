/**
 * Gathers people in any order, some more than once, and gives them back in order, each once: as rows of bytes from the
 * beginning, for a set of a million strings is a hundred megabytes and its sort a second in which nobody is served.
 */
import { inPieces } from './in-pieces.ts'
import type { PackedAudience } from './packed-audience.ts'

export interface Roll {
  add(ids: readonly string[]): void
  addPacked(audience: PackedAudience): void
  /** Sorted by code unit, each once. Ends the roll. */
  finish(): Promise<PackedAudience>
}

/** Rows as PackedAudience has them, in whatever order. */
interface Rows {
  bytes: Buffer
  width: number
  size: number
}

const blank = 0x20
const byteValues = 256

/** @param expected how many will come, more or less: room for them is made at once */
export function createRoll(expected = 0): Roll {
  const rows: Rows = { bytes: Buffer.alloc(0), width: 1, size: 0 }

  function makeRoom(count: number, width: number): void {
    const size = rows.size + count
    if (width <= rows.width && size * rows.width <= rows.bytes.length) return
    const wider = Math.max(width, rows.width)
    const room = Math.max(expected, size, rows.size * 2)
    const bytes = Buffer.allocUnsafe(room * wider)
    copyRows(rows.bytes, rows.width, rows.size, bytes, wider)
    rows.bytes = bytes
    rows.width = wider
  }

  return {
    add(ids) {
      let widest = 1
      for (const id of ids) widest = Math.max(widest, id.length)
      makeRoom(ids.length, widest)
      const { bytes, width } = rows
      let at = rows.size * width
      for (const id of ids) {
        for (let i = 0; i < id.length; i += 1) bytes[at + i] = id.charCodeAt(i)
        bytes.fill(blank, at + id.length, at + width)
        at += width
      }
      rows.size += ids.length
    },

    addPacked(audience) {
      makeRoom(audience.size, audience.width)
      const { bytes, width, size } = rows
      copyRows(audience.rows, audience.width, audience.size, bytes.subarray(size * width), width)
      rows.size += audience.size
    },

    async finish() {
      await sort(rows)
      await dropRepeated(rows)
      const { bytes, width, size } = rows
      return { rows: bytes.subarray(0, size * width), width, size }
    },
  }
}

function copyRows(from: Buffer, fromWidth: number, size: number, to: Buffer, toWidth: number): void {
  if (fromWidth === toWidth) {
    from.copy(to, 0, 0, size * fromWidth)
    return
  }
  to.fill(blank, 0, size * toWidth)
  for (let row = 0; row < size; row += 1) from.copy(to, row * toWidth, row * fromWidth, (row + 1) * fromWidth)
}

/** Radix sort, from the last column to the first: a pass over all rows for each column in which they differ. */
async function sort(rows: Rows): Promise<void> {
  const { width, size } = rows
  const counts = new Uint32Array(width * byteValues)
  await inPieces(rows, (from, to) => count(rows.bytes, width, from, to, counts))
  let spare: Buffer | undefined
  for (let column = width - 1; column >= 0; column -= 1) {
    const starts = startsOf(counts.subarray(column * byteValues, (column + 1) * byteValues), width)
    // all the same here
    if (starts === undefined) continue
    const target: Buffer = spare ?? Buffer.allocUnsafe(size * width)
    await inPieces(rows, (from, to) => place(rows.bytes, target, width, from, to, column, starts))
    spare = rows.bytes
    rows.bytes = target
  }
}

function count(bytes: Buffer, width: number, from: number, to: number, counts: Uint32Array): void {
  for (let at = from * width; at < to * width; ) {
    for (let column = 0; column < counts.length; column += byteValues) {
      const slot = column + (bytes[at++] as number)
      counts[slot] = (counts[slot] as number) + 1
    }
  }
}

/** Where the first row with each byte belongs; undefined when there is only one byte. */
function startsOf(counts: Uint32Array, width: number): Uint32Array | undefined {
  const starts = new Uint32Array(byteValues)
  let different = 0
  let next = 0
  for (const [byte, count] of counts.entries()) {
    if (count > 0) different += 1
    starts[byte] = next
    next += count * width
  }
  return different > 1 ? starts : undefined
}

function place(
  bytes: Buffer,
  target: Buffer,
  width: number,
  from: number,
  to: number,
  column: number,
  starts: Uint32Array,
): void {
  for (let at = from * width; at < to * width; at += width) {
    const byte = bytes[at + column] as number
    const start = starts[byte] as number
    starts[byte] = start + width
    for (let i = 0; i < width; i += 1) target[start + i] = bytes[at + i] as number
  }
}

async function dropRepeated(rows: Rows): Promise<void> {
  const { bytes, width } = rows
  let kept = 0
  await inPieces(rows, (from, to) => {
    for (let row = from; row < to; row += 1) {
      if (kept > 0 && isSame(bytes, (kept - 1) * width, row * width, width)) continue
      if (kept < row) bytes.copyWithin(kept * width, row * width, (row + 1) * width)
      kept += 1
    }
  })
  rows.size = kept
}

function isSame(bytes: Buffer, one: number, other: number, width: number): boolean {
  // the last letters of neighbours differ most often
  for (let i = width - 1; i >= 0; i -= 1) if (bytes[one + i] !== bytes[other + i]) return false
  return true
}
