/**
 * Sorts rows of bytes where they lie: by the first column into buckets, each bucket by the next, and so on (American flag
 * sort). Nothing is held beside the rows, and other work is done while very many are sorted.
 */
import { setImmediate as nextTurn } from 'node:timers/promises'

export interface Rows {
  readonly bytes: Buffer
  /** bytes a row */
  readonly width: number
  readonly size: number
}

interface Bucket {
  readonly from: number
  readonly to: number
  /** those before it are the same in the whole bucket */
  readonly column: number
}

const byteValues = 256
/** so few are sorted by moving each up to where it belongs */
const few = 16
/** bytes that are looked at or moved at once: about a millisecond */
const turnBytes = 262_144

export async function sortRows(rows: Rows): Promise<void> {
  const rowsATurn = Math.max(1, Math.floor(turnBytes / rows.width))
  const ends = new Uint32Array(byteValues)
  const next = new Uint32Array(byteValues)
  const pending: Bucket[] = [{ from: 0, to: rows.size, column: 0 }]
  let done = 0
  for (let bucket = pending.pop(); bucket; bucket = pending.pop()) {
    const { from, to, column } = bucket
    if (to - from <= few) insertEach(rows, bucket)
    else {
      ends.fill(0)
      for (let row = from; row < to; row += rowsATurn) {
        if (row > from) await nextTurn()
        count(rows, row, Math.min(to, row + rowsATurn), column, ends)
      }
      layOut(from, ends, next)
      while (distribute(rows, column, ends, next, rowsATurn)) await nextTurn()
      if (column + 1 < rows.width) addBuckets(pending, from, ends, column + 1)
    }
    done += to - from
    if (done < rowsATurn) continue
    await nextTurn()
    done = 0
  }
}

function count({ bytes, width }: Rows, from: number, to: number, column: number, counts: Uint32Array): void {
  for (let at = from * width + column; at < to * width; at += width) {
    const byte = bytes[at] as number
    counts[byte] = (counts[byte] as number) + 1
  }
}

/** From counts to places: where the rows of each byte end, and where the next of them goes. */
function layOut(from: number, ends: Uint32Array, next: Uint32Array): void {
  let end = from
  for (let byte = 0; byte < byteValues; byte += 1) {
    next[byte] = end
    end += ends[byte] as number
    ends[byte] = end
  }
}

/** Brings rows to their buckets, at most so many. @returns whether there are more */
function distribute(rows: Rows, column: number, ends: Uint32Array, next: Uint32Array, most: number): boolean {
  const { bytes, width } = rows
  let left = most
  for (let byte = 0; byte < byteValues; byte += 1) {
    const end = ends[byte] as number
    let row = next[byte] as number
    for (; row < end && left > 0; left -= 1) {
      const own = bytes[row * width + column] as number
      if (own === byte) row += 1
      else {
        const place = next[own] as number
        swap(bytes, width, row, place)
        next[own] = place + 1
      }
    }
    next[byte] = row
    if (row < end) return true
  }
  return false
}

function addBuckets(pending: Bucket[], start: number, ends: Uint32Array, column: number): void {
  let from = start
  for (let byte = 0; byte < byteValues; byte += 1) {
    const to = ends[byte] as number
    if (to - from > 1) pending.push({ from, to, column })
    from = to
  }
}

function insertEach({ bytes, width }: Rows, { from, to, column }: Bucket): void {
  for (let row = from + 1; row < to; row += 1) {
    for (let at = row; at > from && isBefore(bytes, width, at, at - 1, column); at -= 1) swap(bytes, width, at, at - 1)
  }
}

function isBefore(bytes: Buffer, width: number, one: number, other: number, column: number): boolean {
  for (let i = column; i < width; i += 1) {
    const difference = (bytes[one * width + i] as number) - (bytes[other * width + i] as number)
    if (difference !== 0) return difference < 0
  }
  return false
}

function swap(bytes: Buffer, width: number, one: number, other: number): void {
  for (let i = 0, a = one * width, b = other * width; i < width; i += 1, a += 1, b += 1) {
    const byte = bytes[a] as number
    bytes[a] = bytes[b] as number
    bytes[b] = byte
  }
}
