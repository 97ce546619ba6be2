/**
 * Gathers people in any order, some more than once, and gives them back in order, each once: as rows of bytes from the
 * beginning, for a set of a million strings is a hundred megabytes and its sort a second in which nobody is served.
 */
import { inPieces } from './in-pieces.ts'
import type { PackedAudience } from './packed-audience.ts'
import { type Rows, sortRows } from './sort-rows.ts'

export interface AudienceBuilder {
  add(ids: readonly string[]): void
  addPacked(audience: PackedAudience): void
  /** Sorted by code unit, each once. Ends the builder. */
  finish(): Promise<PackedAudience>
}

const blank = 0x20

/** @param expected how many will come, more or less: room for them is made at once */
export function createAudienceBuilder(expected = 0): AudienceBuilder {
  let bytes = Buffer.alloc(0)
  let width = 1
  let size = 0

  function makeRoom(count: number, wanted: number): void {
    if (wanted <= width && (size + count) * width <= bytes.length) return
    const wider = Math.max(width, wanted)
    const room = Buffer.allocUnsafe(Math.max(expected, size + count, size * 2) * wider)
    copyRows({ bytes, width, size }, room, wider)
    bytes = room
    width = wider
  }

  return {
    add(ids) {
      makeRoom(
        ids.length,
        ids.reduce((widest, id) => Math.max(widest, id.length), 1),
      )
      for (const id of ids) {
        const at = size * width
        for (let i = 0; i < width; i += 1) bytes[at + i] = i < id.length ? id.charCodeAt(i) : blank
        size += 1
      }
    },

    addPacked(audience) {
      makeRoom(audience.size, audience.width)
      copyRows({ bytes: audience.rows, ...audience }, bytes.subarray(size * width), width)
      size += audience.size
    },

    async finish() {
      await sortRows({ bytes, width, size })
      const kept = await dropRepeated({ bytes, width, size })
      return { rows: bytes.subarray(0, kept * width), width, size: kept }
    },
  }
}

function copyRows({ bytes, width, size }: Rows, to: Buffer, toWidth: number): void {
  if (width === toWidth) {
    bytes.copy(to, 0, 0, size * width)
    return
  }
  to.fill(blank, 0, size * toWidth)
  for (let row = 0; row < size; row += 1) bytes.copy(to, row * toWidth, row * width, (row + 1) * width)
}

/** @param rows sorted. @returns how many are left */
async function dropRepeated(rows: Rows): Promise<number> {
  const { bytes, width } = rows
  let kept = 0
  await inPieces(rows, (from, to) => {
    for (let row = from; row < to; row += 1) {
      if (kept > 0 && isSame(bytes, (kept - 1) * width, row * width, width)) continue
      if (kept < row) bytes.copyWithin(kept * width, row * width, (row + 1) * width)
      kept += 1
    }
  })
  return kept
}

function isSame(bytes: Buffer, one: number, other: number, width: number): boolean {
  // neighbours differ in their last letters most often
  for (let i = width - 1; i >= 0; i -= 1) if (bytes[one + i] !== bytes[other + i]) return false
  return true
}
