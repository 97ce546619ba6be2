/** Who is asking, and what for: every call is checked here, on the server. */
import { type HistoryRef, Problem, parseHistoryKey, type Role, roles } from '@courier-fleet/core'
import type { ApiKeys, Principal } from '@courier-fleet/directory'
import type { FastifyInstance, FastifyRequest } from 'fastify'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** the least role that may call this route */
    least?: Role
  }
  interface FastifyRequest {
    principal: Principal
  }
}

export function hasRole(principal: Principal, least: Role): boolean {
  return roles.indexOf(principal.role) >= roles.indexOf(least)
}

export function requireRole(principal: Principal, least: Role): void {
  if (hasRole(principal, least)) return
  throw new Problem(403, 'not-allowed', `this needs the role ${least}; your API key has the role ${principal.role}`)
}

/** The API key of the request. @throws Problem 401 */
export function bearerOf(request: FastifyRequest): string {
  const match = /^Bearer +(\S+)$/i.exec(request.headers.authorization ?? '')
  if (!match) throw new Problem(401, 'no-api-key', 'send your API key as "Authorization: Bearer cf_…"')
  return match[1] as string
}

/** Lets nobody into the routes of this scope without an API key of sufficient role; a route that names no role is a defect. */
export function addAuth(scope: FastifyInstance, apiKeys: ApiKeys): void {
  scope.addHook('onRoute', (route) => {
    if (!route.config?.least) throw new Error(`${route.method} ${route.url} does not say who may call it`)
  })
  scope.addHook('onRequest', async (request) => {
    const principal = await apiKeys.authenticate(bearerOf(request))
    if (!principal) throw new Problem(401, 'bad-api-key', 'this API key is not known, or was revoked')
    request.principal = principal
    requireRole(principal, request.routeOptions.config.least ?? 'admin')
  })
}

/** The history named by the path, which must be the caller's own; an admin may read those of others. */
export function historyOf(
  request: FastifyRequest<{ Params: { key: string } }>,
  purpose: 'read' | 'change',
): HistoryRef {
  const ref = parseHistoryKey(request.params.key)
  const { owner, role } = request.principal
  if (ref.sender !== owner && !(role === 'admin' && purpose === 'read')) {
    throw new Problem(403, 'not-your-history', 'this history key belongs to another sender', 'key')
  }
  return ref
}

/** Whether this group or stream may be looked at: staff see all, trainers their own. */
export function mayRead(principal: Principal, { owners }: { readonly owners: readonly string[] }): boolean {
  return hasRole(principal, 'staff') || owners.includes(principal.owner)
}
