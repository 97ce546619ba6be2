import { STATUS_CODES } from 'node:http'
import { Problem } from '@courier-fleet/api-types'
import type { Log } from '@courier-fleet/process'
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'

/** Whatever goes wrong is answered as RFC 9457 problem+json, with the offending field where there is one. */
export function createProblemHandler(log: Log) {
  return (error: FastifyError | Problem, _: FastifyRequest, reply: FastifyReply): FastifyReply => {
    if (error instanceof Problem) return problem(reply, error.status, error.message, error.field)
    const status = error.statusCode ?? 500
    if (status < 500) return problem(reply, status, error.message, fieldOf(error.validation?.[0]))
    log.error({ err: error }, 'request failed')
    return problem(reply, status, 'something went wrong here; the log says what')
  }
}

export function sendNotFound(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  return problem(reply, 404, `there is no ${request.method} ${request.url.slice(0, 200)}`)
}

function problem(reply: FastifyReply, status: number, detail: string, field?: string): FastifyReply {
  const title = STATUS_CODES[status] ?? 'Error'
  const document = { type: 'about:blank', title, status, detail, ...(field ? { field } : {}) }
  return reply.code(status).type('application/problem+json').send(JSON.stringify(document))
}

/** A dotted path, such as `0.state`. */
function fieldOf(first: NonNullable<FastifyError['validation']>[number] | undefined): string | undefined {
  if (!first) return undefined
  const { instancePath, params } = first
  const name = params.missingProperty ?? params.additionalProperty
  const path = [...instancePath.split('/').slice(1), ...(typeof name === 'string' ? [name] : [])]
  return path.length > 0 ? path.join('.') : undefined
}
