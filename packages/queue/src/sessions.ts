/** Sessions of browsers. The cookie holds 192 random bits and Redis a digest of them; the CSRF token is derived from them. */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import type { Clock } from '@courier-fleet/process'
import { keys } from '@courier-fleet/store'
import type { Redis } from 'ioredis'

const idleMs = 12 * 3_600_000
export const maxSessionMs = 7 * 86_400_000

export interface Session {
  readonly token: string
  readonly person: string
  /** Unix ms, unless it is used again before */
  readonly expiresMs: number
}

export interface Sessions {
  open(person: string): Promise<Session>
  /** Finds a session and prolongs it. */
  use(token: string): Promise<Session | undefined>
  close(token: string): Promise<void>
}

export function createSessions({ redis, clock }: { redis: Redis; clock: Clock }): Sessions {
  const keyOf = (token: string) => keys.session(createHash('sha256').update(token).digest('hex'))

  return {
    async open(person) {
      const token = randomBytes(24).toString('base64url')
      const now = clock.now()
      await redis.set(keyOf(token), `${person} ${now}`, 'PX', idleMs)
      return { token, person, expiresMs: now + idleMs }
    },

    async use(token) {
      const found = await redis.getex(keyOf(token), 'PX', idleMs)
      if (found === null) return undefined
      const [person, opened] = found.split(' ') as [string, string]
      const now = clock.now()
      const lastMs = Number(opened) + maxSessionMs
      if (now < lastMs) return { token, person, expiresMs: Math.min(now + idleMs, lastMs) }
      await redis.del(keyOf(token))
      return undefined
    },

    async close(token) {
      await redis.del(keyOf(token))
    },
  }
}

/** Known to the page that signed in, which no other site can read; sent back with every unsafe call. */
export function csrfTokenOf({ token }: Pick<Session, 'token'>): string {
  return createHash('sha256').update(`csrf\n${token}`).digest('base64url')
}

export function isCsrfTokenOf(session: Pick<Session, 'token'>, given: string): boolean {
  const expected = Buffer.from(csrfTokenOf(session))
  const bytes = Buffer.from(given)
  return bytes.length === expected.length && timingSafeEqual(bytes, expected)
}
