import { hash } from 'node:crypto'

/**
 * The key under which a provider may fold a resend: 1 … 2^63-1, the same in every process and after every crash, because
 * it comes from nothing but the message, its version, the channel and the recipient's place in the frozen audience.
 */
export function idempotencyKey(message: string, version: number, channel: string, place: number): bigint {
  const digest = hash('sha256', `${message}\n${version}\n${channel}\n${place}`, 'buffer')
  return (digest.readBigUInt64BE(0) >> 1n) | 1n
}
