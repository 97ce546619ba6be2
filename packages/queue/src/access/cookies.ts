/** The two cookies of a browser: the session, and the secret by which a browser is known that asks for codes. */
import { randomBytes } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { maxSessionMs } from './sessions.ts'

export const sessionCookie = 'fleet_session'
const browserCookie = 'fleet_browser'
/** a browser in which nobody has signed in for so long is a new one */
export const browserMs = 180 * 86_400_000

function readCookie(request: FastifyRequest, name: string): string | undefined {
  return new RegExp(`(?:^|;\\s*)${name}=([A-Za-z0-9_-]{32})(?:;|$)`).exec(request.headers.cookie ?? '')?.[1]
}

/** @param value empty: the browser forgets it */
function setCookie(request: FastifyRequest, reply: FastifyReply, name: string, value: string, lifeMs: number): void {
  const maxAge = value === '' ? 0 : lifeMs / 1000
  const secure = request.protocol === 'https' ? '; Secure' : ''
  reply.header('set-cookie', `${name}=${value}; Path=/; HttpOnly; SameSite=Strict; Max-Age=${maxAge}${secure}`)
}

export const readSessionCookie = (request: FastifyRequest) => readCookie(request, sessionCookie)

export function setSessionCookie(request: FastifyRequest, reply: FastifyReply, token: string): void {
  setCookie(request, reply, sessionCookie, token, maxSessionMs)
}

export const readBrowserCookie = (request: FastifyRequest) => readCookie(request, browserCookie)

/** @returns the secret of this browser, which gets one when it has none */
export function keepBrowserCookie(request: FastifyRequest, reply: FastifyReply): string {
  const secret = readBrowserCookie(request) ?? randomBytes(24).toString('base64url')
  setCookie(request, reply, browserCookie, secret, browserMs)
  return secret
}
