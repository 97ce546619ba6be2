/**
 * Nobody is told that something was changed before it is as durable as REDIS_DURABILITY asks (docs/faults.md): one hook for all routes.
 * What is answered line by line, while more is coming, is seen to by its route.
 */
import { Problem } from '@courier-fleet/api-types'
import { createThrottledLog, type Log } from '@courier-fleet/process'
import { type Durability, NotDurable } from '@courier-fleet/store'
import type { FastifyRequest } from 'fastify'
import { isUnsafe } from '../access/callers.ts'
import type { App } from './fastify-app.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Whether all that was written since the request came is durable. @throws Problem 503 */
    confirmWrites: ConfirmWrites | null
  }
}

type ConfirmWrites = () => Promise<void>

interface DurableAnswersDeps {
  readonly durability: Durability
  readonly log: Log
}

export function addDurableAnswers(app: App, deps: DurableAnswersDeps): void {
  app.decorateRequest('confirmWrites', null)
  if (deps.durability.level === 'master') return
  const begin = createBeginWrites(deps)
  app.addHook('onRequest', async (request) => {
    if (changes(request)) request.confirmWrites = begin()
  })
  app.addHook('onSend', async (request, reply) => {
    const confirm = request.confirmWrites
    request.confirmWrites = null
    if (reply.statusCode < 400) await confirm?.()
  })
}

const changes = ({ method, routeOptions }: FastifyRequest): boolean =>
  isUnsafe(method) && routeOptions.config?.idempotency !== 'reads'

/** Called before something is written; what it returns, before that is told. */
export function createBeginWrites({ durability, log }: DurableAnswersDeps): () => ConfirmWrites {
  const tell = createThrottledLog((fields, text) => log.error(fields, text))
  return () => {
    const confirm = durability.begin()
    return async () => {
      try {
        await confirm()
      } catch (error) {
        if (!(error instanceof NotDurable)) throw error
        tell({ err: error }, 'no replica of Redis has confirmed a change in time; its caller was told to make it again')
        throw new Problem(503, 'not-durable', notDurable, undefined, 2)
      }
    }
  }
}

/** It holds for every route: what was done may be lost, and done again it is what it would have been. */
const notDurable =
  'it was written, but no replica of Redis has confirmed that in time, so it may still be lost; make the same call again: with the same ' +
  'key, or the same Idempotency-Key, it is done once'
