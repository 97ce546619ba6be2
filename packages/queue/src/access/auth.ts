/** Checks every call: who is calling, and whether they may. */
import { type HistoryRef, Problem, parseHistoryKey, type Role, roles, systemSender } from '@courier-fleet/api-types'
import { type Directory, hasRole, mayReadHistory, type PersonInFull } from '@courier-fleet/directory'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { unknown } from '../http/unknown.ts'
import type { Allowances } from '../limits/allowances.ts'
import type { RedisRoom } from '../limits/redis-room.ts'
import { type Caller, type Callers, isUnsafe } from './callers.ts'
import { type Right, rightTo } from './rights.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** who may call this route: its row of rights.ts, of routes under /v1 */
    right?: Right
  }
  interface FastifyRequest {
    /** absent on a route for `anyone` */
    principal: Caller
    /** Finds out anew who is calling, for an answer that goes on for long. @throws Problem 401 · 403 when they may not any more */
    checkAgain: () => Promise<void>
  }
}

const rank = (role: Caller['role']) => roles.indexOf(role as Role)

/** What a person may do; of a role that nobody knows, the most, where it is asked who may act for them. */
export const mostOf = (directory: Pick<Directory, 'rightsOf'>, { role }: Pick<PersonInFull, 'role'>): Role =>
  directory.rightsOf(role) ?? 'admin'

const isOfRole = (caller: Caller, least: Role | 'inbound' | 'presence'): boolean => {
  if (least === 'inbound') return caller.role === 'inbound'
  if (least !== 'presence') return hasRole(caller, least)
  return caller.role === 'presence' || caller.role === 'inbound' || hasRole(caller, 'operator')
}

export function requireRole(caller: Caller, least: Role | 'inbound' | 'presence'): void {
  if (isOfRole(caller, least)) return
  const how = caller.inboundChannel === undefined ? '' : `, through an inbound process`
  throw new Problem(403, 'not-allowed', `this needs the role ${least}; you have the role ${caller.role}${how}`)
}

/** Whom a caller wants to act for: people for themselves, operators for everyone of no higher role. @throws Problem 403 · 404 */
export async function personFor(directory: Directory, caller: Caller, id: string): Promise<PersonInFull> {
  if (id !== caller.owner) requireRole(caller, 'operator')
  const person = (await directory.findPerson(id)) ?? unknown('person', id)
  if (id === caller.owner || rank(mostOf(directory, person)) <= rank(caller.role)) return person
  throw new Problem(403, 'not-allowed', `"${id}" has the role ${person.role}; you have the role ${caller.role}`)
}

/** Whom a caller may give a code that links a contact: operators everyone of no higher role, others students. */
export function mayEnrol(directory: Pick<Directory, 'rightsOf'>, caller: Caller, person: Pick<PersonInFull, 'role'>) {
  const rights = mostOf(directory, person)
  return hasRole(caller, 'operator') ? rank(rights) <= rank(caller.role) : rights === 'student'
}

/** An inbound process may do for a person what rights.ts lends it, and no more. */
function requireLent({ inboundChannel }: Caller, { lent }: Right, { channel }: { channel?: string }): void {
  if (inboundChannel === undefined || lent === true) return
  if (lent === undefined) throw new Problem(403, 'not-allowed', 'this cannot be done through an inbound process')
  if (channel === inboundChannel) return
  throw new Problem(403, 'wrong-channel', `through ${inboundChannel} this can be done about ${inboundChannel} only`)
}

interface AuthDeps {
  readonly callers: Callers
  readonly allowances: Allowances
  readonly redisRoom: RedisRoom
}

/** Refuses callers that lack the right to a route of this scope; a route without a row in rights.ts is a defect. */
export function addAuth(scope: FastifyInstance, { callers, allowances, redisRoom }: AuthDeps): void {
  scope.addHook('onRoute', (route) => {
    route.config = { ...route.config, right: route.config?.right ?? rightTo(String(route.method), route.url) }
  })
  scope.addHook('onRequest', async (request, reply) => {
    // an answer is for its caller alone and must not be cached; a route may override this
    reply.header('cache-control', 'no-store')
    const right: Right = request.routeOptions.config.right ?? { least: 'admin' }
    const { least } = right
    if (least === 'anyone') return
    const caller = await callers.identify(request)
    if (caller.owner === systemSender) throw new Problem(403, 'not-allowed', `nobody is "${systemSender}"`)
    request.principal = caller
    requireRole(caller, least)
    requireLent(caller, right, request.params as { channel?: string })
    if (isUnsafe(request.method)) await allowances.takeCall(caller)
    if (right.stores) await redisRoom.require()
    request.checkAgain = async () => {
      request.principal = await callers.identify(request, { isWaiting: true })
      requireRole(request.principal, least)
    }
  })
}

/**
 * The history named by the path, which must be the caller's own to put a message under its key. Operators see everybody's, and
 * stop and move them and decide about their unknown receipts, but not the fleet's own.
 */
export function historyOf(
  request: FastifyRequest<{ Params: { key: string } }>,
  purpose: 'read' | 'put' | 'manage',
): HistoryRef {
  const ref = parseHistoryKey(request.params.key)
  const caller = request.principal
  if (purpose === 'put' ? ref.sender !== caller.owner : !mayReadHistory(caller, ref)) {
    throw new Problem(403, 'not-your-history', 'this history key belongs to another sender', 'key')
  }
  return ref
}
