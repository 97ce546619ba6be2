/** What goes wrong below Fastify, where there is no request yet: answered as problem+json, like everything else. */
import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { Problem } from '@courier-fleet/api-types'
import type { FastifyInstance, FastifyServerOptions } from 'fastify'
import { problemDocumentOf, problemType } from './problem-json.ts'

const parserProblems: Record<string, readonly [status: number, code: string, detail: string]> = {
  HPE_HEADER_OVERFLOW: [431, 'headers-too-large', 'the headers are longer than this server takes'],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: [413, 'too-large', 'the chunk extensions are longer than this server takes'],
}

/** A whole answer with this problem, after which the connection ends. */
export function rawProblem(problem: Problem): string {
  const body = JSON.stringify(problemDocumentOf(problem))
  return [
    `HTTP/1.1 ${problem.status} ${STATUS_CODES[problem.status]}`,
    `Content-Type: ${problemType}`,
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Cache-Control: no-store',
    'Connection: close',
    '',
    body,
  ].join('\r\n')
}

type ClientErrorHandler = NonNullable<FastifyServerOptions['clientErrorHandler']>

/** Answers what the HTTP parser refuses, unless an answer is on its way already. @param onLate when the head of a request is over time */
export const createClientErrorHandler =
  (onLate: (socket: Socket) => void): ClientErrorHandler =>
  (error, socket) => {
    if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT') onLate(socket)
    else answerParserError(error, socket)
  }

function answerParserError(error: NodeJS.ErrnoException, socket: Socket): void {
  const { _httpMessage } = socket as Socket & { _httpMessage?: { headersSent: boolean } }
  if (!socket.writable || error.code === 'ECONNRESET' || _httpMessage?.headersSent) return void socket.destroy()
  const usual = [400, 'bad-request', 'this is not a valid HTTP request'] as const
  const [status, code, detail] = parserProblems[error.code ?? ''] ?? usual
  socket.end(rawProblem(new Problem(status, code, detail)))
}

/** What Node itself would answer without a body: an unknown `Expect`, and a request without `Host`. */
export function answerHttpErrors(app: FastifyInstance): void {
  app.server.on('checkExpectation', (request) => {
    const detail = 'Expect: only 100-continue is known here'
    request.socket.end(rawProblem(new Problem(417, 'unknown-expectation', detail, 'Expect')))
  })
  app.addHook('onRequest', ({ raw }, _reply, done) => {
    const isMissing = raw.headers.host === undefined && raw.httpVersion === '1.1'
    done(isMissing ? new Problem(400, 'bad-request', 'Host: HTTP/1.1 needs this header', 'Host') : undefined)
  })
}
