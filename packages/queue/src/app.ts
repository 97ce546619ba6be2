/** Builds the HTTP service; main.ts listens. */
import { randomUUID } from 'node:crypto'
import helmet from '@fastify/helmet'
import Fastify, { type FastifyBaseLogger, LogController } from 'fastify'
import { createAcceptMessage } from './accept-message.ts'
import type { App, AppDeps, RouteDeps } from './app-deps.ts'
import { addAuth } from './auth.ts'
import { createIdempotency } from './idempotency.ts'
import { addIdempotency } from './idempotency-hooks.ts'
import { validatorCompiler } from './invalid-input.ts'
import { addNotFound } from './methods.ts'
import { createMetrics, measureRequests } from './metrics.ts'
import { addOpenApi } from './openapi.ts'
import { sendProblem } from './problem-json.ts'
import { apiKeyRoutes } from './routes/api-keys.ts'
import { bulkRoutes } from './routes/bulk.ts'
import { channelRoutes } from './routes/channels.ts'
import { contactRoutes } from './routes/contacts.ts'
import { eventRoutes } from './routes/events.ts'
import { groupRoutes } from './routes/groups.ts'
import { historyRoutes } from './routes/histories.ts'
import { importRoutes } from './routes/imports.ts'
import { messageRoutes } from './routes/messages.ts'
import { operationRoutes } from './routes/operations.ts'
import { peopleRoutes } from './routes/people.ts'
import { receiptRoutes } from './routes/receipts.ts'
import { streamRoutes } from './routes/streams.ts'

/** of a JSON body; imports and bulk are streamed and have limits of their own */
const bodyLimitBytes = 262_144

const routes = [
  messageRoutes,
  bulkRoutes,
  historyRoutes,
  receiptRoutes,
  eventRoutes,
  peopleRoutes,
  groupRoutes,
  streamRoutes,
  contactRoutes,
  importRoutes,
  channelRoutes,
  apiKeyRoutes,
]

export async function buildApp(deps: AppDeps): Promise<App> {
  const app: App = Fastify({
    loggerInstance: deps.log as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: bodyLimitBytes,
    exposeHeadRoutes: false,
    genReqId: () => randomUUID(),
    forceCloseConnections: 'idle',
    routerOptions: { maxParamLength: 200 },
    frameworkErrors: (error, request, reply) => {
      sendProblem(error, request, reply)
    },
  })
  app.removeContentTypeParser('text/plain')
  app.setValidatorCompiler(validatorCompiler)
  // answers are typed by the schemas and checked against them in the tests, not on every request
  app.setSerializerCompiler(() => JSON.stringify)
  app.setErrorHandler(sendProblem)
  addNotFound(app)

  const metrics = createMetrics()
  measureRequests(app, metrics)
  await app.register(helmet, { contentSecurityPolicy: { directives: { upgradeInsecureRequests: null } } })
  await addOpenApi(app)

  const stopping = new AbortController()
  app.addHook('preClose', async () => stopping.abort())
  app.addHook('onResponse', async ({ raw }) => {
    // closing waits for connections, and clients keep theirs open
    if (stopping.signal.aborted) raw.socket.destroySoon()
  })
  const idempotency = createIdempotency(deps)
  const acceptMessage = createAcceptMessage({ ...deps, metrics })
  const routeDeps: RouteDeps = { ...deps, acceptMessage, idempotency, stopping: stopping.signal }

  operationRoutes(app, deps, metrics)
  await app.register(
    async (v1) => {
      v1.decorateRequest('principal')
      addAuth(v1, deps.apiKeys)
      addIdempotency(v1, idempotency)
      for (const add of routes) await add(v1 as App, routeDeps)
    },
    { prefix: '/v1' },
  )
  return app
}
