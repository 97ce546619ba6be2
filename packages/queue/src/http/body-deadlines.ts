/**
 * A body has to keep coming: a client that sends half of it and waits holds a connection for nothing. Whether bytes come is
 * looked at once a second, of all calls together.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { Problem } from '@courier-fleet/api-types'
import { alignedInterval } from '@courier-fleet/process'
import type { FastifyInstance } from 'fastify'
import { rawProblem } from './http-errors.ts'

const lookEveryMs = 1_000
/** a body that is streamed may take as long as it likes, and pause so many times longer */
const streamedTimes = 3

interface Coming {
  readonly reply: ServerResponse
  readonly isStreamed: boolean
  readonly began: number
  bytes: number
  /** when the last bytes came */
  since: number
}

/** @param timeoutMs for a whole body; undefined: as long as it takes */
export function addBodyDeadlines(app: FastifyInstance, timeoutMs: number | undefined): void {
  if (timeoutMs === undefined) return
  const coming = new Map<IncomingMessage, Coming>()
  const stopLooking = alignedInterval(Math.min(lookEveryMs, timeoutMs), () => look(coming, timeoutMs))
  app.addHook('onClose', async () => stopLooking())
  app.addHook('onRequest', async ({ raw, routeOptions }, reply) => {
    if (raw.complete) return
    const now = performance.now()
    const isStreamed = routeOptions.config?.idempotency === 'own'
    coming.set(raw, { reply: reply.raw, isStreamed, began: now, bytes: raw.socket.bytesRead, since: now })
    raw.once('close', () => coming.delete(raw))
  })
}

function look(coming: Map<IncomingMessage, Coming>, timeoutMs: number): void {
  const now = performance.now()
  for (const [request, call] of coming) {
    if (request.complete || request.socket.destroyed) {
      coming.delete(request)
      continue
    }
    if (request.socket.bytesRead !== call.bytes) {
      call.bytes = request.socket.bytesRead
      call.since = now
    }
    const isOver = call.isStreamed ? now - call.since > streamedTimes * timeoutMs : now - call.began > timeoutMs
    if (!isOver) continue
    coming.delete(request)
    if (call.reply.headersSent) request.socket.destroy()
    else request.socket.end(rawProblem(new Problem(408, 'too-slow', 'the body did not come in time')))
  }
}
