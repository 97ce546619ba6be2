/** The control API of the sandbox, and the page of its phones. */
import { randomInt } from 'node:crypto'
import { Problem } from '@courier-fleet/api-types'
import { channels, type Endpoints } from '@courier-fleet/channels'
import type { Log } from '@courier-fleet/process'
import { type FastifyInstance, fastify } from 'fastify'
import type { FleetLink } from '../fleet-link.ts'
import { refusalOf } from '../other-sites.ts'
import type { World } from '../world.ts'
import { addAcceptedRoutes } from './accepted-routes.ts'
import { addFleetRoutes } from './fleet-routes.ts'
import { createLiveEvents } from './live-events.ts'
import { servePage } from './page-files.ts'
import { addPhoneRoutes } from './phone-routes.ts'
import { createProblemHandler, sendNotFound } from './problem-json.ts'
import { channelsQuery } from './schemas.ts'
import { addTroubleRoutes } from './trouble-routes.ts'

export interface ControlDeps {
  readonly world: World
  readonly endpoints: Partial<Endpoints>
  /** see StandInDeps */
  readonly names?: readonly string[]
  /** that may be troubled from here; none when absent */
  readonly fleet?: FleetLink
  readonly log: Log
}

/** Where people can write to the fleet: an address that nobody of a roster has, another one each time. */
function strangerOf(channel: (typeof channels)[number]): { stranger?: string } {
  return 'inbound' in channel ? { stranger: channel.address.madeUp(randomInt(8_000_000, 9_000_000)) } : {}
}

/** a roster of a million phones */
const bodyLimit = 128 * 1024 * 1024

/** Built, not listening. */
export function createControl({ world, endpoints, names, fleet, log }: ControlDeps): FastifyInstance {
  const app = fastify({
    bodyLimit,
    // an address may be a URL
    routerOptions: { maxParamLength: 6000 },
    forceCloseConnections: true,
    ajv: { customOptions: { coerceTypes: false, removeAdditional: false } },
  })
  const events = createLiveEvents(world)
  app.addHook('preClose', async () => events.stop())
  app.setErrorHandler(createProblemHandler(log))
  app.setNotFoundHandler(sendNotFound)
  app.addHook('onRequest', async ({ headers }) => {
    const refusal = refusalOf(headers, names)
    if (refusal) throw new Problem(403, 'other-site', refusal)
  })

  servePage(app)
  app.get('/healthz', async () => ({ ok: true }))
  app.get<{ Querystring: { language: 'en' | 'ru' } }>(
    '/channels',
    { schema: { querystring: channelsQuery } },
    async ({ query: { language } }) =>
      Object.fromEntries(
        channels.map((channel) => [channel.name, { ...channel.words[language], ...strangerOf(channel) }]),
      ),
  )
  app.get('/endpoints', async () => endpoints)
  app.get('/events', (_, reply) => {
    reply.hijack()
    events.attach(reply.raw)
  })
  addAcceptedRoutes(app, world)
  addPhoneRoutes(app, world)
  addTroubleRoutes(app, world)
  addFleetRoutes(app, fleet)
  return app
}
