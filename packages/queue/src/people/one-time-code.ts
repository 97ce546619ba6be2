/** Codes that people read from one screen and type into another. Only digests of them are kept. */
import { createHash, randomInt } from 'node:crypto'

export function newCode(digits = 8): string {
  return String(randomInt(10 ** digits)).padStart(digits, '0')
}

/** Looked up or compared instead of the code, so that how long it takes tells nothing of the code itself. */
export function codeDigest(boundTo: string, code: string): string {
  return createHash('sha256').update(`${boundTo}\n${code}`).digest('hex')
}
