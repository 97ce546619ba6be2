/** Finds out who calls: by API key, by the key of an inbound process and a contact, or by the session of a browser. */
import { type CallerRole, Problem, type Source } from '@courier-fleet/api-types'
import { sourceOf } from '@courier-fleet/channels'
import type { ApiKeys, Directory, Reader } from '@courier-fleet/directory'
import { type LiveSettings, sharedRead } from '@courier-fleet/store'
import type { FastifyRequest } from 'fastify'
import type { RateLimits } from '../limits/rate-limits.ts'
import { admitContact } from '../people/inbound-contacts.ts'
import { readSessionCookie } from './cookies.ts'
import { principalOf, principalOfKey } from './principal-of.ts'
import { isCsrfTokenOf, type Session, type Sessions } from './sessions.ts'

export interface Caller extends Reader {
  /** what histories say of where their messages came from; absent: the message says it */
  readonly source?: Source
  /** of an inbound process by itself: the only channels it may speak of; any when absent */
  readonly channels?: readonly string[]
  /** of the API key that was shown, if it was one */
  readonly keyId?: string
  readonly session?: Session
  /** the secret that was shown: answers with secrets in them are sealed with it */
  readonly credential: string
}

export interface Callers {
  /** @param options `isWaiting`: nobody does anything, so a session is not prolonged. @throws Problem 401 · 403 */
  identify(request: FastifyRequest, options?: { isWaiting?: boolean }): Promise<Caller>
}

const safe = new Set(['GET', 'HEAD', 'OPTIONS'])
/** Whether a call of this method may change something. */
export const isUnsafe = (method: string) => !safe.has(method)

/** whose keys are: never another's, so it need not be read before the person is */
const maxOwners = 10_000

interface CallerDeps {
  readonly apiKeys: ApiKeys
  readonly directory: Directory
  readonly sessions: Sessions
  readonly settings: Pick<LiveSettings, 'current' | 'look'>
  readonly rateLimits: RateLimits
}

export function createCallers({ apiKeys, directory, sessions, settings, rateLimits }: CallerDeps): Callers {
  const owners = new Map<string, string>()

  /** Calls of one turn with the same key have one caller. */
  const byApiKey = sharedRead(async (apiKey: string): Promise<Caller> => {
    const likely = owners.get(apiKeyIdOf(apiKey))
    const reading = likely === undefined ? undefined : directory.findPerson(likely)
    // awaited only once the key is known to be good
    reading?.catch(() => {})
    const key = await apiKeys.authenticate(apiKey)
    if (!key) throw new Problem(401, 'bad-api-key', 'this API key is not known, or was revoked')
    const { id: keyId, owner, channels } = key
    if (owners.size >= maxOwners) owners.clear()
    owners.set(keyId, owner)
    const person = await (likely === owner ? reading : directory.findPerson(owner))
    const principal = await principalOfKey(settings, key, person)
    return { ...principal, ...(channels ? { channels } : {}), keyId, credential: apiKey }
  })

  async function onBehalf(inbound: Caller, contact: string): Promise<Caller> {
    if (inbound.role !== 'inbound') {
      throw new Problem(403, 'not-allowed', 'only the API key of an inbound process may act for others', 'On-Behalf-Of')
    }
    const [, channel, address] = /^([a-z][a-z0-9]{1,15}):(\S{1,200})$/.exec(contact) ?? []
    if (channel === undefined || address === undefined) {
      throw new Problem(400, 'invalid', 'On-Behalf-Of: a contact such as telegram:7001', 'On-Behalf-Of')
    }
    await admitContact(rateLimits, inbound, channel, address)
    const id = await directory.personOf(channel, address)
    const person = id === undefined ? undefined : await directory.findPerson(id)
    if (!person) throw new Problem(403, 'unknown-contact', `nobody has linked this ${channel} contact`)
    const [known] = await directory.contactsOf(channel, [person.id])
    if (known?.state === 'opted-out') {
      throw new Problem(403, 'opted-out', `the person has said STOP on ${channel}; START comes first`)
    }
    return {
      ...(await principalOf(settings, person)),
      source: sourceOf(channel),
      inboundChannel: channel,
      inboundAddress: address,
      credential: inbound.credential,
    }
  }

  async function bySession(request: FastifyRequest, token: string, isWaiting: boolean): Promise<Caller> {
    const session = await sessions.use(token, { prolong: !isWaiting })
    // the role is that of the directory now, not of when they signed in
    const person = session && (await directory.findPerson(session.person))
    if (!session || !person) throw new Problem(401, 'no-session', 'this session is over; sign in again')
    const given = request.headers['x-csrf-token']
    if (isUnsafe(request.method) && !(typeof given === 'string' && isCsrfTokenOf(session, given))) {
      throw new Problem(403, 'bad-csrf-token', 'send the csrfToken of the session as X-CSRF-Token', 'X-CSRF-Token')
    }
    return { ...(await principalOf(settings, person)), source: 'web', session, credential: token }
  }

  return {
    async identify(request, { isWaiting = false } = {}) {
      const { authorization, 'on-behalf-of': contact } = request.headers
      const token = authorization === undefined ? readSessionCookie(request) : undefined
      const caller =
        token === undefined ? await byApiKey(bearerOf(authorization)) : await bySession(request, token, isWaiting)
      return contact === undefined ? caller : onBehalf(caller, String(contact))
    },
  }
}

const apiKeyIdOf = (apiKey: string) => apiKey.split('_', 2)[1] ?? ''

/** An operator's or an admin's: they do things for others. */
export const hasPowers = (who: { readonly role: CallerRole } | undefined) =>
  who?.role === 'operator' || who?.role === 'admin'

/** What the audit says of where a call came from. */
export function viaOf({ inboundChannel, session }: Caller): string {
  return inboundChannel ?? (session ? 'web' : 'api')
}

function bearerOf(authorization = ''): string {
  const match = /^Bearer +(\S+)$/i.exec(authorization)
  if (!match) throw new Problem(401, 'no-api-key', 'send your API key as "Authorization: Bearer cf_…"')
  return match[1] as string
}
