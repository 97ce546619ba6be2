/** Many different messages in one request, each line answered on its own and in order. */
import { Readable } from 'node:stream'
import { type BulkAnswer, historyKeyOf, messageBody, newHistoryKey, parseHistoryKey } from '@courier-fleet/core'
import type { App, RouteDeps } from '../app-deps.ts'
import type { Caller } from '../callers.ts'
import { derivedHistoryId } from '../idempotency.ts'
import { idempotencyKeyOf } from '../idempotency-hooks.ts'
import { parseInput } from '../invalid-input.ts'
import { type Line, readNdjson } from '../ndjson.ts'
import { answers, content, streamed } from '../openapi.ts'
import { problemDocumentOf, toProblem } from '../problem-json.ts'

const ndjson = 'application/x-ndjson'
const maxLineBytes = 262_144
/** lines worked on at once */
const concurrency = 256
/** Answers are held for a client that sends everything before it reads anything; after this much we stop reading, too. */
const heldAnswerBytes = 16 * 1_048_576

export async function bulkRoutes(app: App, deps: RouteDeps): Promise<void> {
  const { acceptMessage, shards, log } = deps

  async function answerLine(line: Line, by: Caller, idempotencyKey: string | undefined): Promise<BulkAnswer> {
    try {
      if ('problem' in line) throw line.problem
      const body = parseInput(messageBody, line.value)
      const derivedId = idempotencyKey === undefined ? undefined : derivedHistoryId(by.owner, idempotencyKey, line.line)
      const ref = parseHistoryKey(newHistoryKey(by.owner, shards, derivedId))
      const { created } = await acceptMessage({ ref, issued: false, repeatable: derivedId !== undefined, body, by })
      return { line: line.line, status: created ? 201 : 200, key: historyKeyOf(ref) }
    } catch (error) {
      const problem = toProblem(error)
      if (problem.status === 500) log.error({ err: error, line: line.line }, 'bulk line failed')
      const { status, code, detail, field } = problemDocumentOf(problem)
      return { line: line.line, status, code, detail, ...(field === undefined ? {} : { field }) }
    }
  }

  async function* answerAll(body: Readable, by: Caller, idempotencyKey: string | undefined) {
    for await (const lines of readNdjson(body.iterator({ destroyOnReturn: false }), maxLineBytes)) {
      for (let from = 0; from < lines.length; from += concurrency) {
        const some = lines.slice(from, from + concurrency)
        const answered = await Promise.all(some.map((line) => answerLine(line, by, idempotencyKey)))
        yield answered.map((answer) => `${JSON.stringify(answer)}\n`).join('')
      }
    }
  }

  await app.register(async (scope: App) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser(ndjson, (_request, payload, done) => done(null, payload))
    scope.post(
      '/messages::bulk',
      {
        config: { least: 'trainer', idempotency: 'own' },
        schema: {
          tags: ['messages'],
          summary: 'Send many different messages, one JSON object a line',
          description:
            'Each line is a MessageBody and is answered by a BulkAnswer, in order, while the rest is still coming. With an ' +
            'Idempotency-Key each line can be repeated: what was accepted before is answered 200 with the same key.',
          consumes: [ndjson],
          body: streamed,
          response: answers({ 200: content(ndjson, 'a BulkAnswer a line', streamed) }),
        },
      },
      async (request, reply) => {
        const out = answerAll(request.body, request.principal, idempotencyKeyOf(request))
        return reply.type(ndjson).send(Readable.from(out, { objectMode: false, highWaterMark: heldAnswerBytes }))
      },
    )
  })
}
