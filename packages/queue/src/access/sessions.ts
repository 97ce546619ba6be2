/**
 * Sessions of browsers. The cookie holds 192 random bits; Redis a digest of them, which is the session's id; the CSRF token is
 * derived from them. `sessions:<person>` lists the ids of a person, and is written first: no session is good without being listed.
 */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import type { Clock } from '@courier-fleet/process'
import { keys, type Redis } from '@courier-fleet/store'

const idleMs = 12 * 3_600_000
export const maxSessionMs = 7 * 86_400_000

export interface Session {
  readonly token: string
  readonly person: string
  /** Unix ms, unless it is used again before */
  readonly expiresMs: number
}

/** A session as others see it. */
export interface ListedSession {
  readonly id: string
  readonly openedMs: number
  readonly expiresMs: number
}

export interface Sessions {
  open(person: string): Promise<Session>
  /** Finds a session and, where nothing else is said, prolongs it. */
  use(token: string, options?: { prolong: boolean }): Promise<Session | undefined>
  /** Of one person, the newest first. */
  list(person: string): Promise<ListedSession[]>
  /** @returns the person whose session it is */
  ownerOf(id: string): Promise<string | undefined>
  close(person: string, id: string): Promise<void>
  closeAll(person: string): Promise<void>
}

export function createSessions({ redis, clock }: { redis: Redis; clock: Clock }): Sessions {
  async function close(person: string, id: string): Promise<void> {
    await redis.del(keys.session(id))
    await redis.zrem(keys.sessions(person), id)
  }

  async function find(id: string): Promise<{ person: string; openedMs: number } | undefined> {
    const [person, opened] = (await redis.get(keys.session(id)))?.split(' ') ?? []
    return person === undefined ? undefined : { person, openedMs: Number(opened) }
  }

  return {
    async open(person) {
      const token = randomBytes(24).toString('base64url')
      const id = sessionIdOf(token)
      const now = clock.now()
      const list = keys.sessions(person)
      await redis.multi().zadd(list, now, id).pexpire(list, maxSessionMs).exec()
      await redis.set(keys.session(id), `${person} ${now}`, 'PX', idleMs)
      return { token, person, expiresMs: now + idleMs }
    },

    async use(token, { prolong } = { prolong: true }) {
      const id = sessionIdOf(token)
      const found = prolong ? await redis.getex(keys.session(id), 'PX', idleMs) : await redis.get(keys.session(id))
      if (found === null) return undefined
      const [person, opened] = found.split(' ') as [string, string]
      const now = clock.now()
      const lastMs = Number(opened) + maxSessionMs
      if (now < lastMs) return { token, person, expiresMs: Math.min(now + idleMs, lastMs) }
      await close(person, id)
      return undefined
    },

    async list(person) {
      const ids = await redis.zrange(keys.sessions(person), '0', '-1', 'REV')
      const found = await Promise.all(
        ids.map(async (id) => {
          const [session, leftMs] = await Promise.all([find(id), redis.pttl(keys.session(id))])
          if (session && leftMs > 0) return { id, openedMs: session.openedMs, expiresMs: clock.now() + leftMs }
          await redis.zrem(keys.sessions(person), id)
          return undefined
        }),
      )
      return found.filter((session) => session !== undefined)
    },

    ownerOf: async (id) => (await find(id))?.person,

    close,

    async closeAll(person) {
      const ids = await redis.zrange(keys.sessions(person), '0', '-1')
      await Promise.all(ids.map((id) => close(person, id)))
    },
  }
}

export function sessionIdOf(token: string): string {
  return createHash('sha256').update(token).digest('hex')
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
