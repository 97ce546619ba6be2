/** What the stand-ins have accepted, what was changed of it, and what is told of the calls that came. */
import type { FastifyInstance } from 'fastify'
import type { World } from '../world.ts'
import { acceptedRows } from './accepted-rows.ts'
import { acceptedQuery } from './schemas.ts'

export function addAcceptedRoutes(app: FastifyInstance, world: World): void {
  app.get<{ Querystring: { since?: string } }>(
    '/accepted',
    { schema: { querystring: acceptedQuery } },
    async (request, reply) =>
      reply.type('application/x-ndjson; charset=utf-8').send(acceptedRows(world, Number(request.query.since ?? 0))),
  )
  app.get('/revisions', async (_, reply) =>
    reply
      .type('application/x-ndjson; charset=utf-8')
      .send(world.revisions.map((each) => `${JSON.stringify(each)}\n`).join('')),
  )
  app.get('/uploads', async () => world.uploads)
  app.get('/calls', async () => world.calls)
  app.post('/reset', async (_, reply) => {
    world.forget()
    return reply.code(204).send()
  })
}
