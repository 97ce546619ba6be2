/** The hands on the sandbox: what was accepted, whose phone is in which state, what goes wrong, how fast is too fast. */

import { Problem } from '@courier-fleet/api-types'
import { type ChannelName, channelNames, channels, type Endpoints } from '@courier-fleet/channels'
import type { Log } from '@courier-fleet/process'
import { type FastifyInstance, fastify } from 'fastify'
import type { Fault } from '../faults.ts'
import type { LimitChanges } from '../limits.ts'
import type { PhoneChange, Press } from '../stand-in.ts'
import type { World } from '../world.ts'
import { acceptedRows } from './accepted-rows.ts'
import { createLiveEvents } from './live-events.ts'
import { servePage } from './page-files.ts'
import { findPhones } from './phone-view.ts'
import { createProblemHandler, sendNotFound } from './problem-json.ts'
import * as schemas from './schemas.ts'

export interface ControlDeps {
  readonly world: World
  readonly endpoints: Endpoints
  readonly log: Log
}

/** a roster of a million phones */
const bodyLimit = 128 * 1024 * 1024
/** phones found at once */
const foundAtMost = 60

/** Built, not listening. */
export function createControl({ world, endpoints, log }: ControlDeps): FastifyInstance {
  const app = fastify({
    bodyLimit,
    forceCloseConnections: true,
    ajv: { customOptions: { coerceTypes: false, removeAdditional: false } },
  })
  const chatsOf = (channel: ChannelName) => {
    const chats = world.chats[channel]
    if (!chats) throw new Problem(404, 'no-chats', `there is no stand-in of ${channel}`, 'channel')
    return chats
  }
  const events = createLiveEvents(world)
  app.addHook('preClose', async () => events.stop())
  app.setErrorHandler(createProblemHandler(log))
  app.setNotFoundHandler(sendNotFound)

  servePage(app)
  app.get('/healthz', async () => ({ ok: true }))
  app.get<{ Querystring: { language: 'en' | 'ru' } }>(
    '/channels',
    { schema: { querystring: schemas.channelsQuery } },
    async ({ query }) => Object.fromEntries(channels.map(({ name, words }) => [name, words[query.language]])),
  )
  app.get('/endpoints', async () => endpoints)
  app.get('/events', (_, reply) => {
    reply.hijack()
    events.attach(reply.raw)
  })

  app.get<{ Querystring: { since?: string } }>(
    '/accepted',
    { schema: { querystring: schemas.acceptedQuery } },
    async (request, reply) =>
      reply.type('application/x-ndjson; charset=utf-8').send(acceptedRows(world, Number(request.query.since ?? 0))),
  )
  app.post('/reset', async (_, reply) => {
    world.forget()
    return reply.code(204).send()
  })

  app.get('/phones', async () => world.phones())
  app.put<{ Body: PhoneChange[] }>('/phones', { schema: { body: schemas.phones } }, async (request, reply) => {
    for (const phone of request.body) world.setPhone(phone)
    return reply.code(204).send()
  })
  app.get<{ Querystring: { find: string } }>(
    '/wall',
    { schema: { querystring: schemas.wallQuery } },
    async (request) => ({ phones: findPhones(world, request.query.find, foundAtMost) }),
  )
  app.post<{ Params: { channel: ChannelName; address: string }; Body: { text: string } }>(
    '/phones/:channel/:address/say',
    { schema: { params: schemas.phoneParams, body: schemas.saying } },
    async (request, reply) => {
      world.say({ ...request.params, text: request.body.text })
      return reply.code(202).send()
    },
  )
  app.get<{ Params: { channel: ChannelName; address: string } }>(
    '/phones/:channel/:address/chat',
    { schema: { params: schemas.phoneParams } },
    async (request) => chatsOf(request.params.channel).read(request.params.address),
  )
  app.post<{ Params: { channel: ChannelName; address: string }; Body: Press }>(
    '/phones/:channel/:address/press',
    { schema: { params: schemas.phoneParams, body: schemas.press } },
    async (request, reply) => {
      const { channel, address } = request.params
      if (!chatsOf(channel).press(address, request.body))
        throw new Problem(404, 'no-button', 'there is no such message, or no such button on it')
      return reply.code(202).send()
    },
  )

  app.get('/faults', async () => world.faults())
  app.post<{ Body: Fault }>('/faults', { schema: { body: schemas.fault } }, async (request, reply) => {
    const { kind, code, mode } = request.body
    if (kind === 'reject' && !code)
      throw new Problem(400, 'bad-fault', "reject needs the provider's error code", 'code')
    if (kind === 'receipts' && !mode) throw new Problem(400, 'bad-fault', 'receipts needs a mode', 'mode')
    world.addFault(request.body)
    return reply.code(201).send(world.faults())
  })
  app.delete<{ Querystring: { channel?: ChannelName } }>(
    '/faults',
    { schema: { querystring: schemas.faultQuery } },
    async (request, reply) => {
      world.clearFaults(request.query.channel)
      return reply.code(204).send()
    },
  )

  app.get('/limits', async () => world.limits)
  app.post<{ Body: LimitChanges }>('/limits', { schema: { body: schemas.limits } }, async (request) => {
    for (const channel of channelNames) Object.assign(world.limits[channel], request.body[channel])
    return world.limits
  })
  return app
}
