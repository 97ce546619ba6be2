import { createHash } from 'node:crypto'

/**
 * Telegram's idempotency key of one part of a message: 1 … 2^63-1, the same on every resend. The first part has the key
 * of the message itself, each further one its own, derived from it.
 */
export function randomIdOf(key: bigint, part: number): bigint {
  if (part === 0) return key
  const digest = createHash('sha256').update(`${key}/${part}`).digest()
  return (digest.readBigUInt64BE(0) >> 1n) | 1n
}
