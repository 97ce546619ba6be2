/** Of an audience some people only; both lists are in order, and are walked through once. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { PackedAudience } from './packed-audience.ts'

const blank = 0x20
/** rows compared in one go: others are served in between */
const rowsAtOnce = 50_000

/** Those who are among the others as well, or with `except` those who are not. */
export async function narrow(audience: PackedAudience, others: PackedAudience, how: 'among' | 'except') {
  const { width, size } = audience
  const rows = Buffer.allocUnsafe(size * width)
  let kept = 0
  let other = 0
  for (let row = 0; row < size; row += 1) {
    if (row > 0 && row % rowsAtOnce === 0) await nextTurn()
    let order = 1
    while (other < others.size) {
      order = compare(audience, row, others, other)
      if (order <= 0) break
      other += 1
    }
    const isAmong = other < others.size && order === 0
    if (isAmong !== (how === 'among')) continue
    audience.rows.copy(rows, kept * width, row * width, (row + 1) * width)
    kept += 1
  }
  return { rows: rows.subarray(0, kept * width), width, size: kept } satisfies PackedAudience
}

/** By code unit; what is shorter is as if it went on in blanks, which stand before every letter. */
function compare(one: PackedAudience, row: number, other: PackedAudience, otherRow: number): number {
  const widest = Math.max(one.width, other.width)
  for (let i = 0; i < widest; i += 1) {
    const a = i < one.width ? (one.rows[row * one.width + i] as number) : blank
    const b = i < other.width ? (other.rows[otherRow * other.width + i] as number) : blank
    if (a !== b) return a - b
  }
  return 0
}
