/**
 * Begins to read the history that a call names while the caller is still being authenticated: this saves a round trip, and
 * round trips are what a reader waits for while Redis is busy. Nothing is answered before the caller is known to be allowed.
 */

import { type HistoryRef, parseHistoryKey } from '@courier-fleet/api-types'
import type { Histories, Snapshot } from '@courier-fleet/store'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { historyOf } from '../access/auth.ts'
import { unknownHistory } from '../http/unknown.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** the route reads the history of its path, by snapshotOf() */
    reads?: 'history'
  }
  interface FastifyRequest {
    prefetched: Promise<Snapshot | undefined> | null
  }
}

type KeyRequest = FastifyRequest<{ Params: { key: string } }>

/** Call it before addAuth(): the hooks run in order, and this one does not wait for the reply of Redis. */
export function addPrefetch(scope: FastifyInstance, histories: Histories): void {
  scope.decorateRequest('prefetched', null)
  scope.addHook('onRequest', (request, _reply, done) => {
    const ref = request.routeOptions.config.reads === 'history' ? refIn(request as KeyRequest) : undefined
    if (ref) {
      request.prefetched = histories.snapshot(ref)
      // a request that is refused never awaits it
      request.prefetched.catch(() => {})
    }
    done()
  })
}

/** An invalid key is refused later: a caller that has not signed in gets 401 first. */
function refIn({ params }: KeyRequest): HistoryRef | undefined {
  try {
    return parseHistoryKey(params.key)
  } catch {
    return undefined
  }
}

/** What stands under the key of the path. @throws Problem 403 when the caller may not read it · 404 */
export async function snapshotOf(request: KeyRequest, histories: Histories): Promise<Snapshot> {
  const ref = historyOf(request, 'read')
  const snapshot = await (request.prefetched ?? histories.snapshot(ref))
  return snapshot ?? unknownHistory()
}
