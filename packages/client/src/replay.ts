/** Reads what `GET /v1/histories/{key}/replay` answers. */
import type { ReplayHead } from '@courier-fleet/api-types'

export interface Replay extends ReplayHead {
  /** by channel, of each ordinal a position in `states` */
  readonly standing: readonly Uint8Array[]
  /** likewise, ms from the start until it came to that state; -1 for never */
  readonly offsets: readonly Float64Array[]
}

const lineFeed = 0x0a

/** @throws Error when the answer has broken off */
export function parseReplay(bytes: Uint8Array): Replay {
  const end = bytes.indexOf(lineFeed)
  const head = JSON.parse(new TextDecoder().decode(bytes.subarray(0, end))) as ReplayHead
  const { size, channels, block } = head
  const standing = channels.map(() => new Uint8Array(size))
  const offsets = channels.map(() => new Float64Array(size))
  let at = end + 1
  for (let from = 0; from < size; from += block) {
    const to = Math.min(size, from + block)
    for (const [channel, states] of standing.entries()) {
      states.set(bytes.subarray(at, at + to - from), from)
      at += to - from
      const times = offsets[channel] as Float64Array
      for (let ordinal = from; ordinal < to; ordinal += 1) {
        let value = 0
        let place = 1
        for (; (bytes[at] ?? 0) > 127; at += 1, place *= 128) value += ((bytes[at] as number) - 128) * place
        times[ordinal] = value + (bytes[at] ?? 0) * place - 1
        at += 1
      }
    }
  }
  if (at !== bytes.length) throw new Error('the answer has broken off')
  return { ...head, standing, offsets }
}
