import { createHash } from 'node:crypto'
import type { Item } from '../courier.ts'

const low31Bits = 0x7fff_ffffn

/**
 * VK's idempotency key: a positive int32, always the same for the same key and part. The key is random already; the
 * finalizer of splitmix64 spreads the part's number over all bits of it.
 */
export function randomIdOf(key: bigint, part: number): number {
  let bits = BigInt.asUintN(64, key + BigInt(part) * 0x9e37_79b9_7f4a_7c15n)
  bits = BigInt.asUintN(64, (bits ^ (bits >> 30n)) * 0xbf58_476d_1ce4_e5b9n)
  bits = BigInt.asUintN(64, (bits ^ (bits >> 27n)) * 0x94d0_49bb_1331_11ebn)
  bits ^= bits >> 31n
  return Number(bits & low31Bits) || 1
}

/**
 * Where somebody is sent to in a call of their own, which those of the same hundred are not in: VK knows a random_id by its sender, and
 * might fold the calls of all of them into one. Whatever its text is by now: of what the button carries the signature alone is another.
 */
export const ownKey = ({ key, confirm }: Pick<Item, 'key' | 'confirm'>): bigint =>
  key +
  createHash('sha1')
    .update(confirm?.token.replace(/\.[^.]*$/, '') ?? '')
    .digest()
    .readBigUInt64BE(0)
