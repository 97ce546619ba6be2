/** What an inbound process says to whoever wrote to it: a message to one person, counted against nobody's limit. */
import { acceptance, answerBody, Problem, serviceType } from '@courier-fleet/api-types'
import { sourceOf } from '@courier-fleet/channels'
import { newHistoryRef } from '@courier-fleet/store'
import type { RouteDeps } from '../app-deps.ts'
import { readAcceptance } from '../histories/read-history.ts'
import { digestOf } from '../http/canonical-json.ts'
import type { App } from '../http/fastify-app.ts'
import { derivedHistoryId, ofIdempotencyKey } from '../http/idempotency.ts'
import { idempotencyKeyOf } from '../http/idempotency-hooks.ts'
import { unknown } from '../http/unknown.ts'
import { answers } from '../openapi/openapi.ts'
import { admitContact } from '../people/inbound-contacts.ts'

/** An answer that comes later answers nothing any more. */
const expiresAfterMs = 3_600_000

export function answerRoutes(app: App, deps: RouteDeps): void {
  const { histories, directory, rateLimits, systemMessages, clock, shards } = deps
  app.post(
    '/answers',
    {
      // whoever answers strangers itself learns that it has done so
      config: {
        problems: ['404 unknown-contact', '429 too-many-answers', '422 bad-address'],
        idempotency: 'message',
        keepsRefusals: true,
      },
      schema: {
        tags: ['messages'],
        operationId: 'answerContact',
        summary: 'Answer a contact that wrote to an inbound process, on its own channel',
        description:
          'With an Idempotency-Key a repetition never answers twice, whatever became of the first call. One contact gets 30 answers in a ' +
          'quarter of an hour; then the fleet tells it once until when it gets none, and the rest are refused.',
        body: answerBody,
        response: answers({ 201: acceptance }),
      },
    },
    async (request, reply) => {
      const { principal: caller, body } = request
      const { channel, address, text } = body
      await admitContact(rateLimits, caller, channel, address)
      const person = await directory.personOf(channel, address)
      const [contact] = person === undefined ? [] : await directory.contactsOf(channel, [person])
      const mayBeTold = person !== undefined && contact?.state !== 'opted-out'
      await rateLimits.countAnswer(`${caller.keyId} ${channel}:${address}`, async (spent) => {
        if (mayBeTold) await systemMessages.tellSpentAnswers(person, channel, spent)
      })
      if (person === undefined) unknown('contact', `${channel} ${address}`)
      if (!mayBeTold) throw new Problem(403, 'opted-out', `the person has said STOP on ${channel}`)

      const idempotencyKey = idempotencyKeyOf(request)
      const derivedId = idempotencyKey === undefined ? undefined : derivedHistoryId(caller.owner, idempotencyKey)
      const placed =
        derivedId === undefined
          ? { ref: newHistoryRef(caller.owner, shards) }
          : await histories.place(caller.owner, derivedId)
      const putting = histories.put({
        ...placed,
        issued: false,
        digest: digestOf(body),
        source: sourceOf(channel),
        text,
        to: [`user:${person}`],
        channels: [channel],
        class: 'urgent',
        rules: { type: serviceType },
        audience: [person],
        dueMs: 0,
        expiresMs: clock.now() + expiresAfterMs,
      })
      await putting.catch((error: unknown) => {
        throw ofIdempotencyKey(error)
      })
      reply.code(201)
      return readAcceptance(histories, placed.ref)
    },
  )
}
