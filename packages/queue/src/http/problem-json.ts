/** Turns every error into RFC 9457 problem+json; internals are never shown. */
import { STATUS_CODES } from 'node:http'
import { Problem, type ProblemDocument } from '@courier-fleet/api-types'
import { createThrottledLog, type Log } from '@courier-fleet/process'
import type { Redis } from '@courier-fleet/store'
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { InvalidInput } from './invalid-input.ts'
import { ProblemWithFacts } from './problem-with-facts.ts'
import { redisTrouble } from './redis-trouble.ts'

export const problemType = 'application/problem+json'

/** What Fastify finds wrong before a handler runs, in our words. */
const frameworkProblems: Record<string, readonly [code: string, detail: string]> = {
  FST_ERR_CTP_INVALID_JSON_BODY: ['bad-json', 'the body is not valid JSON'],
  FST_ERR_CTP_EMPTY_JSON_BODY: ['bad-json', 'the body is empty, but content-type says application/json'],
  FST_ERR_CTP_BODY_TOO_LARGE: ['too-large', 'the body is larger than this route takes'],
  FST_ERR_CTP_INVALID_MEDIA_TYPE: ['unsupported-media-type', 'this route does not take this content-type'],
  FST_ERR_MAX_PARAM_LENGTH: ['bad-url', 'a part of the path is longer than any that there is'],
  FST_ERR_BAD_URL: ['bad-url', 'the path is not validly encoded'],
}

/** @param redis the connection that whoever failed was using; absent: only what the error itself says */
export function toProblem(error: unknown, redis?: Redis): Problem {
  if (error instanceof Problem) return error
  const trouble = redisTrouble(error, redis)
  if (trouble) return new Problem(503, trouble.code, trouble.sentence, undefined, trouble.retryAfter)
  const { code, statusCode } = error as Partial<FastifyError>
  if (statusCode && statusCode >= 400 && statusCode < 500) {
    const [name, detail] = frameworkProblems[code ?? ''] ?? ['bad-request', (error as Error).message]
    return new Problem(statusCode, name, detail)
  }
  return new Problem(500, 'internal', 'something went wrong here; the log of the queue says what')
}

export function problemDocumentOf(problem: Problem): ProblemDocument {
  return {
    type: `urn:courier-fleet:problem:${problem.code}`,
    title: STATUS_CODES[problem.status] ?? 'Error',
    status: problem.status,
    detail: problem.message,
    code: problem.code,
    ...(problem.field === undefined ? {} : { field: problem.field }),
    ...(problem instanceof InvalidInput ? { errors: problem.errors } : {}),
    ...(problem instanceof ProblemWithFacts ? problem.facts : {}),
  }
}

/** The connection says by itself that it is away, and what moves. */
const toldByConnection = ['redis-away', 'redis-moving']
/** How often the same trouble of Redis is logged, however many calls it fails. */
const troubleEveryMs = 60_000

/** Answers whatever is thrown, and logs what the caller cannot mend. */
export function createErrorHandler({ redis, log }: { redis: Redis; log: Log }) {
  const tellTrouble = createThrottledLog((fields, text) => log.error(fields, text), troubleEveryMs)
  return (error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    const problem = toProblem(error, redis)
    if (problem.status === 500) request.log.error({ err: error }, 'request failed')
    else if (problem !== error && problem.status === 503 && !toldByConnection.includes(problem.code))
      tellTrouble({ err: error }, problem.message)
    return sendProblem(problem, reply)
  }
}

export function sendProblem(problem: Problem, reply: FastifyReply): FastifyReply {
  if (problem.status === 401) reply.header('www-authenticate', 'Bearer')
  if (problem.retryAfter !== undefined) reply.header('retry-after', problem.retryAfter)
  // Fastify would cut the connection after an unread body, and the client might lose this answer with it: Node reads on
  // and throws the rest away, for as long as the server's request timeout lets it.
  reply.removeHeader('connection')
  return reply
    .code(problem.status)
    .type(problemType)
    .send(JSON.stringify(problemDocumentOf(problem)))
}
