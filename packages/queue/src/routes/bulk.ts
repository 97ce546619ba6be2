/** Many different messages in one request, each line answered on its own and in order. */
import { Readable } from 'node:stream'
import { type BulkAnswer, historyKeyOf, messageBody } from '@courier-fleet/api-types'
import { allOf } from '@courier-fleet/process'
import type { Accepted, Offer } from '../acceptance/draft.ts'
import { newOffer } from '../acceptance/new-offer.ts'
import type { Caller } from '../access/callers.ts'
import type { RouteDeps } from '../app-deps.ts'
import { createBeginWrites } from '../http/durable-answers.ts'
import type { App } from '../http/fastify-app.ts'
import { derivedHistoryId, ofIdempotencyKeyOfLines } from '../http/idempotency.ts'
import { idempotencyKeyOf } from '../http/idempotency-hooks.ts'
import { inOrder } from '../http/in-order.ts'
import { parseInput } from '../http/invalid-input.ts'
import { type Line, readNdjson } from '../http/ndjson.ts'
import { problemDocumentOf, toProblem } from '../http/problem-json.ts'
import { createTurns } from '../http/turns.ts'
import { answers, content, streamOf } from '../openapi/openapi.ts'

const ndjson = 'application/x-ndjson'
const maxLineBytes = 262_144
/** lines that are accepted together, and how many such groups are worked on at a time: one is read while another is in Redis */
const maxLines = 320
const maxInFlight = 2
/** Answers are buffered for a client that sends everything before it reads anything; beyond this much no more lines are read. */
const bufferedAnswerBytes = 16 * 1_048_576

export async function bulkRoutes(app: App, deps: RouteDeps): Promise<void> {
  const { redis, acceptMessages, openCalls, log } = deps
  const turns = createTurns()
  const beginWrites = createBeginWrites(deps)

  function offerOf(line: Line, by: Caller, idempotencyKey: string | undefined): Offer | Error | Promise<Offer | Error> {
    try {
      if ('problem' in line) return line.problem
      const body = parseInput(messageBody, line.value)
      const derivedId = idempotencyKey === undefined ? undefined : derivedHistoryId(by.owner, idempotencyKey, line.line)
      const offer = newOffer(deps, body, by, derivedId)
      return offer instanceof Promise ? offer.catch((error: Error) => error) : offer
    } catch (error) {
      return error as Error
    }
  }

  function refusal(line: number, error: unknown): BulkAnswer {
    const problem = toProblem(error, redis)
    if (problem.status === 500) log.error({ err: error, line }, 'bulk line failed')
    const { status, code, detail, field } = problemDocumentOf(problem)
    return { line, status, code, detail, ...(field === undefined ? {} : { field }) }
  }

  async function answerLines(lines: readonly Line[], by: Caller, idempotencyKey: string | undefined): Promise<string> {
    // lines that are refused wait for nothing else
    await turns.next()
    const offers = await allOf(lines.map((line) => offerOf(line, by, idempotencyKey)))
    const confirmWrites = beginWrites()
    const known = await acceptMessages.many(offers.filter(isOffer), by)
    const doubt = await confirmWrites().catch((error: Error) => error)
    const accepted = known.map((answer) => (answer instanceof Error ? answer : (doubt ?? answer))).values()
    const told = idempotencyKey === undefined ? (error: Error) => error : ofIdempotencyKeyOfLines
    let text = ''
    for (const [index, { line }] of lines.entries()) {
      const offer = offers[index] as Offer | Error
      const answer = isOffer(offer) ? (accepted.next().value as Accepted | Error) : offer
      text += JSON.stringify(answer instanceof Error ? refusal(line, told(answer)) : acceptedLine(line, answer))
      text += '\n'
    }
    return text
  }

  await app.register(async (scope: App) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser(ndjson, (_request, payload, done) => done(null, payload))
    scope.post(
      '/messages::bulk',
      {
        config: { problems: ['429 too-many-open'], idempotency: 'own' },
        schema: {
          tags: ['messages'],
          operationId: 'sendMessages',
          summary: 'Send many different messages, one JSON object a line',
          description:
            'Each line is a MessageInput and is answered by a BulkAnswer, in order, while the rest is still coming. With an ' +
            'Idempotency-Key each line can be repeated: what was accepted before is answered 200 with the same key.',
          consumes: [ndjson],
          body: streamOf('MessageInput'),
          response: answers({ 200: content(ndjson, 'a BulkAnswer a line', streamOf('BulkAnswer')) }),
        },
      },
      async (request, reply) => {
        const { principal: by, body } = request
        openCalls.enter(by, reply)
        const idempotencyKey = idempotencyKeyOf(request)
        const lines = readNdjson(body.iterator({ destroyOnReturn: false }), maxLineBytes, maxLines)
        const out = inOrder(lines, maxInFlight, (some) => answerLines(some, by, idempotencyKey))
        return reply.type(ndjson).send(Readable.from(out, { objectMode: false, highWaterMark: bufferedAnswerBytes }))
      },
    )
  })
}

function acceptedLine(line: number, accepted: Accepted): BulkAnswer {
  const key = historyKeyOf(accepted.ref)
  if (!accepted.created) return { line, status: 200, key }
  return { line, status: 201, key, ...(accepted.plan ? { plan: accepted.plan } : {}) }
}

const isOffer = (offer: Offer | Error): offer is Offer => !(offer instanceof Error)
