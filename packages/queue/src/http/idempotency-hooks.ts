/** Honours `Idempotency-Key` on every unsafe call of a scope, except where a route does so itself. */
import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto'
import { Problem, parseHistoryKey } from '@courier-fleet/api-types'
import type { Histories } from '@courier-fleet/store'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { wasCancelled } from '../acceptance/was-cancelled.ts'
import { isUnsafe } from '../access/callers.ts'
import { digestOf } from './canonical-json.ts'
import { type Answer, anotherCall, type Begun, type Call, type Idempotency } from './idempotency.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /**
     * `own`: the route takes a stream and sees to it itself; `secret`: the kept answer is sealed with the secret of the caller, an
     * API key or a session; `message`: the answer tells of a message, and is not given again once that was cancelled; `reads`: the
     * route changes nothing, and repeating it reads again
     */
    idempotency?: 'own' | 'reads' | 'secret' | 'message'
    /** refusals are kept, too */
    keepsRefusals?: true
  }
  interface FastifyRequest {
    firstCall: FirstCall | null
  }
}

interface FirstCall {
  readonly digest: string
  readonly begun: Extract<Begun, { kind: 'first' }>
}

const exempt = new Set<string>(['own', 'reads'])

/** @throws Problem 400 */
export function idempotencyKeyOf(request: FastifyRequest): string | undefined {
  const key = request.headers['idempotency-key']
  if (key === undefined) return undefined
  if (typeof key === 'string' && /^[\x21-\x7e]{1,255}$/.test(key)) return key
  throw new Problem(400, 'invalid', 'Idempotency-Key: 1 to 255 printable characters without blanks', 'Idempotency-Key')
}

export function callOf(request: FastifyRequest, idempotencyKey: string): Call {
  const route = `${request.method} ${request.routeOptions.url}`
  return { owner: request.principal.owner, idempotencyKey, route }
}

/** As far as its route knows any. */
const queryOf = ({ query, routeOptions }: FastifyRequest) =>
  (routeOptions.schema?.querystring ? query : {}) as Readonly<Record<string, unknown>>

/** It changes nothing, and the call itself may come under the same key. */
const isRehearsal = (request: FastifyRequest): boolean => queryOf(request).dryRun !== undefined

/** What a call asks for beside its body, such as a recall; how long its caller waits for the answer is nothing of that. */
function asked(request: FastifyRequest): { readonly query?: object } {
  const { wait: _wait, ...query } = queryOf(request)
  return Object.keys(query).length > 0 ? { query } : {}
}

/** Undefined where no answer is kept. @throws Problem 400 */
function keptUnder(request: FastifyRequest): string | undefined {
  const idempotencyKey = isUnsafe(request.method) ? idempotencyKeyOf(request) : undefined
  const { config } = request.routeOptions
  // whoever has not signed in has no answers of their own to keep
  if (idempotencyKey === undefined || exempt.has(config.idempotency ?? '') || config.right?.least === 'anyone')
    return undefined
  return isRehearsal(request) ? undefined : idempotencyKey
}

function sendKept(reply: FastifyReply, answer: Answer): FastifyReply {
  return reply.code(answer.status).header('idempotency-replayed', 'true').type(answer.type).send(answer.body)
}

interface HookDeps {
  readonly idempotency: Idempotency
  readonly histories: Pick<Histories, 'accepted'>
}

export function addIdempotency(scope: FastifyInstance, { idempotency, histories }: HookDeps): void {
  scope.decorateRequest('firstCall', null)

  /** Undefined where the call is to be carried out. */
  async function answerKept(request: FastifyRequest, idempotencyKey: string): Promise<Answer | undefined> {
    const { config } = request.routeOptions
    const digest = digestOf({ path: request.url.split('?', 1)[0], ...asked(request), body: request.body ?? null })
    const begun = await idempotency.begin(callOf(request, idempotencyKey))
    if (begun.kind === 'first') {
      request.firstCall = { digest, begun }
      return undefined
    }
    const answer = begun.answerTo(digest)
    if (config.idempotency === 'message') await refuseCancelled(histories, answer)
    return config.idempotency === 'secret' ? open(answer, request.principal.credential) : answer
  }

  // `next` is not called where an answer was kept: an async hook that has answered is gone on from once the caller has left, too, and the
  // call would be carried out again while its answer waits to be confirmed
  scope.addHook('preHandler', (request, reply, next) => {
    const key = keptUnder(request)
    if (key === undefined) next()
    else answerKept(request, key).then((answer) => (answer ? void sendKept(reply, answer) : next()), next)
  })

  async function keep(call: FirstCall, request: FastifyRequest, reply: FastifyReply, payload: unknown): Promise<void> {
    // an answer is kept for what was done; a refusal did nothing, and "try again later" must not be the answer for a day
    const { keepsRefusals } = request.routeOptions.config
    const { statusCode } = reply
    if (statusCode >= 400 && !(keepsRefusals && statusCode < 500 && statusCode !== 429)) return call.begun.release()
    const answer: Answer = {
      status: reply.statusCode,
      type: String(reply.getHeader('content-type') ?? 'application/json'),
      body: typeof payload === 'string' ? payload : '',
    }
    const secret = request.routeOptions.config.idempotency === 'secret'
    await call.begun.finish(call.digest, secret ? seal(answer, request.principal.credential) : answer)
  }

  scope.addHook('onSend', (request, reply, payload, done) => {
    const call = request.firstCall
    if (!call) return done()
    request.firstCall = null
    keep(call, request, reply, payload).then(() => done(), done)
  })
}

/** @throws Problem 409 `cancelled` where the kept answer tells of a message that was cancelled since */
async function refuseCancelled(histories: HookDeps['histories'], { status, body }: Answer): Promise<void> {
  if (status >= 300) return
  const { key, history } = JSON.parse(body) as { key?: string; history?: { key: string } }
  const { cancelledMs } = await histories.accepted(parseHistoryKey(key ?? history?.key ?? ''))
  if (cancelledMs !== undefined) throw wasCancelled(cancelledMs, 'use another Idempotency-Key', 'Idempotency-Key')
}

const cipher = 'aes-256-gcm'
const secretOf = (credential: string) => createHash('sha256').update(`idempotency\n${credential}`).digest()

/** Redis must not hold an API key or a code in the clear, so an answer with one can be read only by whoever was given it. */
function seal(answer: Answer, credential: string): Answer {
  const iv = randomBytes(12)
  const encrypt = createCipheriv(cipher, secretOf(credential), iv)
  const body = Buffer.concat([iv, encrypt.update(answer.body, 'utf8'), encrypt.final(), encrypt.getAuthTag()])
  return { ...answer, body: body.toString('base64') }
}

/** @throws Problem 422 when it was another API key or session (of the same owner) that got this answer */
function open(answer: Answer, credential: string): Answer {
  const sealed = Buffer.from(answer.body, 'base64')
  try {
    const decrypt = createDecipheriv(cipher, secretOf(credential), sealed.subarray(0, 12)).setAuthTag(
      sealed.subarray(-16),
    )
    const body = Buffer.concat([decrypt.update(sealed.subarray(12, -16)), decrypt.final()])
    return { ...answer, body: body.toString('utf8') }
  } catch {
    throw anotherCall()
  }
}
