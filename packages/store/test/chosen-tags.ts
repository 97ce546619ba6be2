/** How the tables of hash tags were made; a test makes them again. */

export const slots = 16384

/** The slot of a hash tag in a Redis cluster: CRC16 (XMODEM) of it, modulo the number of slots. */
export function slotOf(tag: string): number {
  let crc = 0
  for (const byte of Buffer.from(tag)) {
    crc ^= byte << 8
    for (let bit = 0; bit < 8; bit += 1) crc = crc & 0x8000 ? (crc << 1) ^ 0x1021 : crc << 1
    crc &= 0xffff
  }
  return crc % slots
}

const letters = [...'abcdefghijklmnopqrstuvwxyz']
const alphanumerics = [...'0123456789', ...letters]

/** Two characters, the first a letter: none is taken for the number of a shard. */
export const shardCandidates = letters.flatMap((first) => alphanumerics.map((second) => first + second))

/** A `p` and two characters more. */
export const bucketCandidates = alphanumerics.flatMap((second) => alphanumerics.map((third) => `p${second}${third}`))

/** Of `count` tags the i-th is the candidate whose slot is nearest to the middle of the i-th of `count` equal ranges of slots. */
export function chosenTags(candidates: readonly string[], count: number): string[] {
  return Array.from({ length: count }, (_unused, index) => {
    const middle = ((index + 0.5) * slots) / count
    const distance = (tag: string) => Math.abs(slotOf(tag) - middle)
    return candidates.reduce((best, tag) => (distance(tag) < distance(best) ? tag : best))
  })
}
