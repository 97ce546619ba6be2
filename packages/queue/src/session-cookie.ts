import type { FastifyReply, FastifyRequest } from 'fastify'
import { maxSessionMs } from './sessions.ts'

export const sessionCookie = 'fleet_session'
const form = new RegExp(`(?:^|;\\s*)${sessionCookie}=([A-Za-z0-9_-]{32})(?:;|$)`)

export function readSessionCookie(request: FastifyRequest): string | undefined {
  return form.exec(request.headers.cookie ?? '')?.[1]
}

/** @param token empty: the browser forgets it */
export function setSessionCookie(request: FastifyRequest, reply: FastifyReply, token: string): void {
  const maxAge = token === '' ? 0 : maxSessionMs / 1000
  const secure = request.protocol === 'https' ? '; Secure' : ''
  reply.header('set-cookie', `${sessionCookie}=${token}; Path=/; HttpOnly; SameSite=Strict; Max-Age=${maxAge}${secure}`)
}
