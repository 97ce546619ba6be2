import { createHash, timingSafeEqual } from 'node:crypto'

/** Takes the same time whatever is wrong with what was given. An empty secret is none: nothing equals it. */
export function isSameSecret(given: string | Buffer | null | undefined, wanted: string): boolean {
  const digest = (value: string | Buffer) => createHash('sha256').update(value).digest()
  return wanted !== '' && timingSafeEqual(digest(given ?? ''), digest(wanted))
}
