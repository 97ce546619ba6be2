/** Trouble for the fleet itself: what it does meanwhile, and what may be done to it, by whoever sits at this machine. */
import { isIPv4 } from 'node:net'
import { Problem } from '@courier-fleet/api-types'
import type { ChannelName } from '@courier-fleet/channels'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { FleetLink } from '../fleet-link.ts'
import * as schemas from './schemas.ts'

export function addFleetRoutes(app: FastifyInstance, fleet: FleetLink | undefined): void {
  async function ask({ socket }: FastifyRequest, what: string, details?: Record<string, string>): Promise<unknown> {
    if (!fleet?.isThere()) throw new Problem(404, 'no-fleet', 'no fleet that may be troubled has started this sandbox')
    if (!isLoopback(socket.remoteAddress))
      throw new Problem(403, 'not-here', 'a fleet is troubled from its own machine')
    try {
      return await fleet.ask(what, details)
    } catch (error) {
      throw new Problem(409, 'fleet-refused', (error as Error).message)
    }
  }

  app.get('/fleet', async (request) => (fleet?.isThere() ? ask(request, 'look') : { channels: [] }))
  app.post<{ Body: { channel: ChannelName } }>('/fleet/kill', { schema: { body: schemas.ofChannel } }, (request) =>
    ask(request, 'kill', { channel: request.body.channel }),
  )
  app.post('/fleet/redis-away', { schema: { body: schemas.nothing } }, (request) => ask(request, 'redis-away'))
}

function isLoopback(address = ''): boolean {
  const plain = address.replace(/^::ffff:/, '')
  return plain === '::1' || (isIPv4(plain) && plain.startsWith('127.'))
}
