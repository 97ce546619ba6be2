import { hash } from 'node:crypto'

const low63Bits = 0x7fff_ffff_ffff_ffffn

/**
 * The key under which a provider may fold a resend: 1 … 2^63-1, the same in every process and after every crash, because
 * it comes from nothing but the message, the leg (channel and version) and the recipient's span of the frozen audience.
 */
export function idempotencyKey(message: string, leg: string, span: number): bigint {
  const digest = hash('sha256', `${message}\n${leg}\n${span}`, 'buffer')
  return (digest.readBigUInt64BE(0) >> 1n) | 1n
}

/** Of those of a span who are sent the same text, where not all of it are. */
export function keyOfText(key: bigint, text: string): bigint {
  const digest = hash('sha256', text, 'buffer')
  return ((key ^ digest.readBigUInt64BE(0)) & low63Bits) | 1n
}
