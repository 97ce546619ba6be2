/**
 * The interface of actual_queue, for systems that were written for it: a thin entrance, off unless `ACTUAL_QUEUE=on`. What it takes
 * becomes a message like any other, of whoever the API key belongs to. docs/coming-from.md says which call maps to which, and what
 * is done otherwise.
 */
import { historyKeyOf, messageBody, Problem } from '@courier-fleet/api-types'
import { reportOnline } from '@courier-fleet/store'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { z } from 'zod'
import { newOffer } from '../acceptance/new-offer.ts'
import { addAuth } from '../access/auth.ts'
import { createCallers } from '../access/callers.ts'
import type { Right } from '../access/rights.ts'
import type { RouteDeps } from '../app-deps.ts'
import type { App } from '../http/fastify-app.ts'
import { derivedHistoryId, ofIdempotencyKey } from '../http/idempotency.ts'
import { idempotencyKeyOf } from '../http/idempotency-hooks.ts'
import { parseInput } from '../http/invalid-input.ts'
import { eventFields, messageOf, presenceFields } from './read-event.ts'
import { typeStatistics } from './statistics.ts'

const form = 'application/x-www-form-urlencoded'
const methods = ['GET', 'POST'] as const
/** whoever may have the fleet call what they name */
const sender: Right = { least: 'staff' }
/** as of POST /v1/people:online */
const presence: Right = { least: 'presence' }
const operator: Right = { least: 'operator' }

export async function actualQueueRoutes(app: App, deps: RouteDeps): Promise<void> {
  app.addContentTypeParser(form, { parseAs: 'string' }, (_request, body, done) =>
    done(null, Object.fromEntries(new URLSearchParams(body as string))),
  )
  app.decorateRequest('principal')
  app.decorateRequest('checkAgain')
  app.addHook('onRequest', async (request) => showKey(request))
  addAuth(app, { ...deps, callers: createCallers(deps) })
  addSendDelayed(app, deps)
  addUserOnline(app, deps)
  addStatistics(app, deps)
}

/**
 * Those systems cannot all be taught a header: the key may stand in the URL. A session does not count, for a GET that sends would be
 * sent by any page that is looked at. @throws Problem 401
 */
function showKey(request: FastifyRequest): void {
  const { key } = request.query as Record<string, unknown>
  if (request.headers.authorization !== undefined) return
  if (typeof key !== 'string' || key === '')
    throw new Problem(
      401,
      'no-api-key',
      'send your API key as "Authorization: Bearer cf_…", or as ?key=cf_… of the URL',
    )
  request.headers.authorization = `Bearer ${key}`
}

/** What stands in the URL and in the body; of both the body. */
function fieldsOf<T extends z.ZodType>(request: FastifyRequest, schema: T): z.output<T> {
  const { key: _key, ...query } = request.query as Record<string, unknown>
  const body = (request.body ?? {}) as Record<string, unknown>
  return parseInput(schema, { ...query, ...body })
}

/** A GET changes something here, so it counts as every other call that does. */
async function countCall({ allowances }: RouteDeps, request: FastifyRequest): Promise<void> {
  if (request.method === 'GET') await allowances.takeCall(request.principal)
}

const ok = (reply: FastifyReply) => reply.type('text/plain').send('ok')

function addSendDelayed(app: App, deps: RouteDeps): void {
  app.route({
    method: [...methods],
    url: '/send_delayed',
    config: { right: sender },
    schema: { hide: true },
    handler: async (request, reply) => {
      await countCall(deps, request)
      const by = request.principal
      const body = parseInput(messageBody, messageOf(fieldsOf(request, eventFields)))
      const idempotencyKey = idempotencyKeyOf(request)
      const derivedId = idempotencyKey === undefined ? undefined : derivedHistoryId(by.owner, idempotencyKey)
      const { ref } = await deps.acceptMessages
        .one(await newOffer(deps, body, by, derivedId), by)
        .catch((error: unknown) => {
          throw ofIdempotencyKey(error)
        })
      reply.header('location', `/v1/histories/${historyKeyOf(ref)}`)
      return ok(reply)
    },
  })
}

function addUserOnline(app: App, deps: RouteDeps): void {
  const { redis, settings } = deps
  app.route({
    method: [...methods],
    url: '/user_online',
    config: { right: presence },
    schema: { hide: true },
    handler: async (request, reply) => {
      await countCall(deps, request)
      const { uid } = fieldsOf(request, presenceFields)
      await reportOnline(redis, [uid], settings.current().onlineIntervalSeconds * 1000)
      return ok(reply)
    },
  })
}

function addStatistics(app: App, { stats, clock, rules }: RouteDeps): void {
  for (const span of ['daily', 'hourly'] as const)
    app.get(`/stats/types/${span}`, { config: { right: operator }, schema: { hide: true } }, () =>
      typeStatistics(span, { stats, nowMs: clock.now(), timeZone: rules.timeZone }),
    )
}
