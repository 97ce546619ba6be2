import { address, channelName, contactBody, contactOwner } from '@courier-fleet/core'
import { z } from 'zod'
import type { App, RouteDeps } from '../app-deps.ts'
import { answers } from '../openapi.ts'
import { unknown } from '../unknown.ts'
import { channelPersonParams } from './parameters.ts'

const tags = ['directory']

export function contactRoutes(app: App, { directory }: RouteDeps): void {
  app.get(
    '/contacts',
    {
      config: { least: 'staff' },
      schema: {
        tags,
        summary: 'Whose an address is',
        querystring: z.strictObject({ channel: channelName, address }),
        response: answers({ 200: contactOwner }),
      },
    },
    async ({ query: { channel, address } }) => {
      const person = (await directory.personOf(channel, address)) ?? unknown('contact', `${channel} ${address}`)
      return { channel, address, person }
    },
  )

  app.put(
    '/contacts/:channel/:person',
    {
      config: { least: 'admin' },
      schema: {
        tags,
        summary: 'Link an address to a person; it is taken from whoever had it',
        params: channelPersonParams,
        body: contactBody,
        response: answers({ 204: z.null() }),
      },
    },
    async ({ params: { channel, person }, body }, reply) => {
      await directory.linkContact(channel, person, body.address)
      return reply.code(204).send(null)
    },
  )

  app.delete(
    '/contacts/:channel/:person',
    {
      config: { least: 'admin' },
      schema: {
        tags,
        summary: 'Unlink; fine when there is nothing to unlink',
        params: channelPersonParams,
        response: answers({ 204: z.null() }),
      },
    },
    async ({ params: { channel, person } }, reply) => {
      await directory.unlinkContact(channel, person)
      return reply.code(204).send(null)
    },
  )
}
