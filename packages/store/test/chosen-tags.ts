/** How the tables of hash tags were made; a test makes them again. */

export const slots = 16384
/** so many tags in each table */
export const tagCount = 256

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

/** The bits of a number below 256 from right to left: of 0, 1, 2 … any power of two are as far from one another as can be. */
function spread(index: number): number {
  let bits = 0
  for (let at = 0; at < 8; at += 1) bits |= ((index >> at) & 1) << (7 - at)
  return bits
}

const width = slots / tagCount

/** Shards fill the slots from below and buckets from above, so that not the same masters get one more of both. */
export const shardSlots = Array.from({ length: tagCount }, (_unused, index) => width * spread(index) + 9)
export const bucketSlots = Array.from({ length: tagCount }, (_, index) => width * (tagCount - 1 - spread(index)) + 52)

/** A letter first: no tag is taken for the number of a shard; of buckets it is a `p`. */
export const shardFirsts = letters.filter((letter) => letter !== 'p')
export const bucketFirsts = ['p']

/** For each slot the first tag in it, the shortest first, then by alphabet. */
export function chosenTags(firsts: readonly string[], wanted: readonly number[]): (string | undefined)[] {
  const found = new Map<number, string>()
  let tags = firsts
  while (wanted.some((slot) => !found.has(slot)) && (tags[0] as string).length < 4) {
    tags = tags.flatMap((tag) => alphanumerics.map((next) => tag + next))
    for (const tag of tags) if (!found.has(slotOf(tag))) found.set(slotOf(tag), tag)
  }
  return wanted.map((slot) => found.get(slot))
}
