/**
 * Begins to read the history that a call names while it is still being found out who calls: a round trip less, and it is round
 * trips that a reader waits for while Redis is busy. Nothing of it is told before the caller may know it.
 */

import { type HistoryRef, Problem, parseHistoryKey } from '@courier-fleet/api-types'
import type { Histories, Look } from '@courier-fleet/store'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { historyOf } from './auth.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** the route reads the history of its path, by lookOf() */
    reads?: 'history'
  }
  interface FastifyRequest {
    ahead: Promise<Look | undefined> | null
  }
}

type KeyRequest = FastifyRequest<{ Params: { key: string } }>

/** Before addAuth(), whose answer it does not wait for. */
export function addLookAhead(scope: FastifyInstance, histories: Histories): void {
  scope.decorateRequest('ahead', null)
  scope.addHook('onRequest', (request, _reply, done) => {
    const ref = request.routeOptions.config.reads === 'history' ? refIn(request as KeyRequest) : undefined
    if (ref) {
      request.ahead = histories.look(ref)
      // whoever is refused never asks what came of it
      request.ahead.catch(() => {})
    }
    done()
  })
}

/** What is no key is refused later, after whoever has not signed in. */
function refIn({ params }: KeyRequest): HistoryRef | undefined {
  try {
    return parseHistoryKey(params.key)
  } catch {
    return undefined
  }
}

/** What stands under the key of the path. @throws Problem 403 when the caller may not read it · 404 */
export async function lookOf(request: KeyRequest, histories: Histories): Promise<Look> {
  const ref = historyOf(request, 'read')
  const look = await (request.ahead ?? histories.look(ref))
  if (!look) throw new Problem(404, 'unknown-key', 'there is no history with this key', 'key')
  return look
}
