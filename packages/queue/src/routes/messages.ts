/** A message in one call: the key is issued, the message put, and if asked the outcome awaited. */
import { acceptance, maxWaitSeconds, messageBody, Problem, trackerReport } from '@courier-fleet/api-types'
import { z } from 'zod'
import { newOffer } from '../acceptance/new-offer.ts'
import type { RouteDeps } from '../app-deps.ts'
import { acceptanceOf } from '../histories/read-history.ts'
import type { App } from '../http/fastify-app.ts'
import { derivedHistoryId, ofIdempotencyKey } from '../http/idempotency.ts'
import { idempotencyKeyOf } from '../http/idempotency-hooks.ts'
import { closedSignal } from '../http/wait.ts'
import { answers } from '../openapi/openapi.ts'
import { ofMessages } from './message-problems.ts'

const query = z.strictObject({
  wait: z
    .string()
    .meta({ examples: ['30s'] })
    .regex(/^\d{1,3}(\.\d+)?s?$/, 'seconds, such as 60s')
    .transform((text) => Number.parseFloat(text))
    .refine((seconds) => seconds <= maxWaitSeconds, `at most ${maxWaitSeconds}s`)
    .optional()
    .describe('answer when the message has settled, or after this long, with what has become of it'),
})

export function messageRoutes(app: App, deps: RouteDeps): void {
  const { histories, tracker, acceptMessages, openCalls, stopping } = deps

  app.post(
    '/messages',
    {
      config: {
        idempotency: 'message',
        problems: [
          ...ofMessages,
          '409 another-reminder',
          '422 about-one-person',
          '429 too-many-open',
          '503 client-gone',
        ],
      },
      schema: {
        tags: ['messages'],
        operationId: 'sendMessage',
        summary: 'Send a message, now or later',
        description:
          'With an Idempotency-Key a repetition never sends twice, even if this service crashed in between. The status says which answer it is: 201, a message was accepted; 200, the reminder there is already; 202, with `wait`, what had become of it when it settled or the time was over.',
        querystring: query,
        body: messageBody,
        response: answers({
          200: acceptance.describe('the reminder that there is already'),
          201: acceptance,
          202: trackerReport,
        }),
      },
    },
    async (request, reply) => {
      const { principal: by, body, query } = request
      if (query.wait !== undefined) openCalls.enter(by, reply)
      const idempotencyKey = idempotencyKeyOf(request)
      const derivedId = idempotencyKey === undefined ? undefined : derivedHistoryId(by.owner, idempotencyKey)
      const offer = await newOffer(deps, body, by, derivedId)
      const accepted = await acceptMessages.one(offer, by).catch((error: unknown) => {
        // the key is no business of the caller's: it was derived from the Idempotency-Key
        throw ofIdempotencyKey(error)
      })
      const { ref, created, quotaLeft } = accepted
      if (quotaLeft !== undefined) reply.header('quota-left', quotaLeft)
      reply.code(created || body.about === undefined ? 201 : 200)
      if (query.wait === undefined) return acceptanceOf(histories, accepted)

      const closed = closedSignal(reply)
      const report = await tracker.track(ref, { timeoutMs: query.wait * 1000 }, AbortSignal.any([closed, stopping]))
      // nobody reads this answer; kept for the Idempotency-Key it would tell a repetition too little
      if (closed.aborted) throw new Problem(503, 'client-gone', 'the client went away while waiting')
      // accepted, and reports may still change what has become of it
      reply.code(202)
      return report
    },
  )
}
