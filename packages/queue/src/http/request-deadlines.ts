/**
 * A request has to keep coming: a client that sends half of it and waits holds a connection for nothing. Whether bytes come is looked at
 * once a second, of all calls together, and the looks are what is counted: time in which this process stood still is not its callers', and
 * what came meanwhile is read before the next look.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { Problem } from '@courier-fleet/api-types'
import { alignedInterval } from '@courier-fleet/process'
import type { FastifyInstance } from 'fastify'
import { rawProblem } from './http-errors.ts'

const lookEveryMs = 1_000
/** a body that is streamed may take as long as it likes, and pause so many times longer */
const streamedTimes = 3
/** for the headers to come; no longer than a body has */
const longestHeadMs = 15_000

interface Body {
  readonly reply: ServerResponse
  readonly isStreamed: boolean
  bytes: number
  /** since it began, and since its last bytes came; ms in which this process looked */
  takenMs: number
  pausedMs: number
}

export interface RequestDeadlines {
  /** of the HTTP server, which looks at heads itself, by the clock */
  readonly ofHeads: { readonly headersTimeout: number; readonly connectionsCheckingInterval: number }
  /** Of a connection: by the clock the head of its request is over time. */
  suspect(socket: Socket): void
  addTo(app: FastifyInstance): void
}

/** @param bodyMs for a whole body; undefined: as long as it takes */
export function createRequestDeadlines(bodyMs: number | undefined): RequestDeadlines {
  const headMs = Math.min(longestHeadMs, bodyMs ?? longestHeadMs)
  /** of the time for a head what this process has to have looked for */
  const lookedMs = Math.floor(headMs / 3)
  const everyMs = Math.min(lookEveryMs, headMs)
  const mostMs = bodyMs ?? Number.POSITIVE_INFINITY
  /** how long each has been looked at, ms */
  const heads = new Map<Socket, number>()
  const bodies = new Map<IncomingMessage, Body>()

  function lookAtHeads(): void {
    for (const [socket, ms] of heads) {
      heads.set(socket, ms + everyMs)
      if (ms + everyMs < lookedMs) continue
      heads.delete(socket)
      // an answer to nothing would be taken for that to whatever is sent next
      if (socket.bytesRead === 0) socket.destroy()
      else if (socket.writable) socket.end(tooSlow('the request'))
    }
  }

  function lookAtBodies(): void {
    for (const [request, body] of bodies) {
      const { complete, socket } = request
      count(body, socket.bytesRead)
      const isOver = body.isStreamed ? body.pausedMs > streamedTimes * mostMs : body.takenMs > mostMs
      if (!isOver && !complete && !socket.destroyed) continue
      bodies.delete(request)
      if (complete || socket.destroyed) continue
      if (body.reply.headersSent) socket.destroy()
      else socket.end(tooSlow('the body'))
    }
  }

  function count(body: Body, bytes: number): void {
    body.takenMs += everyMs
    body.pausedMs = bytes === body.bytes ? body.pausedMs + everyMs : 0
    body.bytes = bytes
  }

  function look(): void {
    lookAtHeads()
    lookAtBodies()
  }

  return {
    ofHeads: { headersTimeout: headMs - lookedMs, connectionsCheckingInterval: lookedMs },
    suspect(socket) {
      heads.set(socket, 0)
      socket.once('close', () => heads.delete(socket))
    },
    addTo(app) {
      // what lies there is read before an immediate runs
      const stopLooking = alignedInterval(everyMs, () => setImmediate(look))
      app.addHook('onClose', async () => stopLooking())
      app.server.on('request', ({ socket }) => heads.delete(socket))
      app.addHook('onRequest', ({ raw, routeOptions }, reply, done) => {
        if (!raw.complete) {
          const isStreamed = routeOptions.config?.idempotency === 'own'
          bodies.set(raw, { reply: reply.raw, isStreamed, bytes: raw.socket.bytesRead, takenMs: 0, pausedMs: 0 })
          raw.once('close', () => bodies.delete(raw))
        }
        done()
      })
    },
  }
}

const tooSlow = (what: string) => rawProblem(new Problem(408, 'too-slow', `${what} did not come in time`))
