/** What goes wrong, and how fast is too fast. */
import { Problem } from '@courier-fleet/api-types'
import { type ChannelName, channelNames } from '@courier-fleet/channels'
import type { FastifyInstance } from 'fastify'
import type { Fault } from '../faults.ts'
import type { LimitChanges } from '../limits.ts'
import type { World } from '../world.ts'
import * as schemas from './schemas.ts'

export function addTroubleRoutes(app: FastifyInstance, world: World): void {
  app.get('/faults', async () => world.faults())
  app.post<{ Body: Fault }>('/faults', { schema: { body: schemas.fault } }, async ({ body }, reply) => {
    const { channel, kind, code, mode, centre } = body
    if (kind === 'reject' && !code) throw new Problem(400, 'bad-fault', 'reject needs the code of an error', 'code')
    if (channel !== 'sms' && (kind === 'down' || centre))
      throw new Problem(400, 'bad-fault', 'down and centre are of an SMS centre', centre ? 'centre' : 'kind')
    if (kind === 'reports' && !mode) throw new Problem(400, 'bad-fault', 'reports needs a mode', 'mode')
    world.addFault(body)
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
}
