/** Waiting on behalf of a client: ended by the client going away or by the service stopping. */
import type { FastifyReply } from 'fastify'

/** Aborted when the answer has been sent or the client has disconnected. */
export function closedSignal(reply: FastifyReply): AbortSignal {
  const closed = new AbortController()
  reply.raw.once('close', () => closed.abort())
  if (reply.raw.destroyed) closed.abort()
  return closed.signal
}
