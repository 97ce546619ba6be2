import { Readable } from 'node:stream'
import type { World } from '../world.ts'

/** a `since` below this is a sequence number, from here on it is Unix ms (the year 2001) */
const firstTimestamp = 1_000_000_000_000
const rowsPerChunk = 500

/**
 * NDJSON of what has been accepted up to now: from the row with this sequence number on, or of this moment and later. A
 * chunk at a time, as fast as the reader takes it: the list may be millions long.
 */
export function acceptedRows(world: World, since: number): Readable {
  const isTime = since >= firstTimestamp
  const { accepted } = world
  const end = accepted.length

  function* chunks(): Generator<string> {
    for (let start = isTime ? 0 : since; start < end; start += rowsPerChunk) {
      let text = ''
      for (const [i, message] of accepted.slice(start, Math.min(start + rowsPerChunk, end)).entries())
        if (!isTime || message.at >= since) text += `${JSON.stringify({ seq: start + i, ...message })}\n`
      if (text !== '') yield text
    }
  }
  return Readable.from(chunks(), { objectMode: false })
}
