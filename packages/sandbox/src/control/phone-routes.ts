/** The phones: whose they are and in which state, what stands on them, what their people write and press. */
import { Problem } from '@courier-fleet/api-types'
import type { ChannelName } from '@courier-fleet/channels'
import type { FastifyInstance } from 'fastify'
import { followLink } from '../follow-link.ts'
import type { Chats, PhoneChange, Press } from '../stand-in.ts'
import type { World } from '../world.ts'
import { findPhones } from './phone-view.ts'
import * as schemas from './schemas.ts'

interface PhoneParams {
  readonly channel: ChannelName
  readonly address: string
}

const maxFound = 60

export function addPhoneRoutes(app: FastifyInstance, world: World): void {
  app.get('/phones', async () => world.phones())
  app.put<{ Body: PhoneChange[] }>('/phones', { schema: { body: schemas.phones } }, async (request, reply) => {
    for (const phone of request.body) world.setPhone(phone)
    return reply.code(204).send()
  })
  app.get<{ Querystring: { find: string } }>(
    '/wall',
    { schema: { querystring: schemas.wallQuery } },
    async (request) => ({ phones: findPhones(world, request.query.find, maxFound) }),
  )
  app.post<{ Params: PhoneParams; Body: { text: string } }>(
    '/phones/:channel/:address/say',
    { schema: { params: schemas.phoneParams, body: schemas.saying } },
    async (request, reply) => {
      world.say({ ...request.params, text: request.body.text })
      return reply.code(202).send()
    },
  )
  app.post<{ Params: PhoneParams; Body: { url: string } }>(
    '/phones/:channel/:address/follow',
    { schema: { params: schemas.phoneParams, body: schemas.following } },
    async ({ params, body }, reply) => {
      const written = followLink(params.channel, body.url, world.inboundAddresses[params.channel])
      if (!written)
        throw new Problem(404, 'leads-elsewhere', 'this link does not lead to what people write to here', 'url')
      world.say({ ...params, ...written })
      return reply.code(202).send()
    },
  )
  app.post<{ Params: PhoneParams }>(
    '/phones/:channel/:address/open',
    { schema: { params: schemas.phoneParams } },
    async ({ params }, reply) => {
      world.open(params)
      return reply.code(202).send()
    },
  )
  app.get<{ Params: PhoneParams }>(
    '/phones/:channel/:address/chat',
    { schema: { params: schemas.phoneParams } },
    async ({ params }) => chatsOf(world, params.channel).read(params.address),
  )
  app.post<{ Params: PhoneParams; Body: Press }>(
    '/phones/:channel/:address/press',
    { schema: { params: schemas.phoneParams, body: schemas.press } },
    async ({ params, body }, reply) => {
      if (!chatsOf(world, params.channel).press(params.address, body))
        throw new Problem(404, 'no-button', 'there is no such message, or no such button on it')
      return reply.code(202).send()
    },
  )
}

function chatsOf(world: World, channel: ChannelName): Chats {
  const chats = world.chats[channel]
  if (!chats) throw new Problem(404, 'no-chats', `there is no stand-in of ${channel}`, 'channel')
  return chats
}
