import { createHmac, randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { readWhole, writeWhole } from './files.ts'

/** Derives what nobody outside can guess, and what is the same when an event is dealt with once more after a crash. */
export interface Secret {
  /** 72 bits in base64url */
  nonceOf(...parts: readonly (string | number)[]): string
  /** Telegram's idempotency key of something said: 1 … 2^63-1 */
  randomIdOf(...parts: readonly (string | number)[]): bigint
}

export function openSecret(dataDir: string): Secret {
  const path = join(dataDir, 'secret')
  const kept = readWhole<string>(path) ?? randomBytes(32).toString('base64url')
  writeWhole(path, kept)
  const digest = (purpose: string, parts: readonly (string | number)[]) =>
    createHmac('sha256', kept)
      .update(JSON.stringify([purpose, ...parts]))
      .digest()
  return {
    nonceOf: (...parts) => digest('nonce', parts).subarray(0, 9).toString('base64url'),
    randomIdOf: (...parts) => (digest('random id', parts).readBigUInt64BE(0) >> 1n) | 1n,
  }
}
