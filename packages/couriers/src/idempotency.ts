import { hash } from 'node:crypto'

/**
 * The key under which a provider may fold a resend: 1 … 2^63-1, the same in every process and after every crash, because
 * it comes from nothing but the message, the leg (channel and version) and the recipient's span of the frozen audience.
 */
export function idempotencyKey(message: string, leg: string, span: number): bigint {
  const digest = hash('sha256', `${message}\n${leg}\n${span}`, 'buffer')
  return (digest.readBigUInt64BE(0) >> 1n) | 1n
}
