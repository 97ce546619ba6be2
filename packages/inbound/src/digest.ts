import { createHash } from 'node:crypto'

/** A short name for these texts together, fit for a file and for an Idempotency-Key. */
export function digest(...texts: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(texts)).digest('base64url').slice(0, 32)
}
