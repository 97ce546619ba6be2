/** Looks again, while somebody waits for an answer or reads a stream, whether they may still see the message. */
import { Problem } from '@courier-fleet/api-types'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { historyOf } from './auth.ts'

type OfHistory = FastifyRequest<{ Params: { key: string } }>

const checkMs = 5_000

/** Aborted with the Problem when they may not any more; Redis being away says nothing of that. */
export function refusedSignal(request: OfHistory, reply: FastifyReply): AbortSignal {
  const refused = new AbortController()
  const check = setInterval(() => {
    checkAgain(request).catch((error: unknown) => {
      if (error instanceof Problem && (error.status === 401 || error.status === 403)) refused.abort(error)
    })
  }, checkMs)
  reply.raw.once('close', () => clearInterval(check))
  if (reply.raw.destroyed) clearInterval(check)
  return refused.signal
}

async function checkAgain(request: OfHistory): Promise<void> {
  await request.checkAgain()
  historyOf(request, 'read')
}
