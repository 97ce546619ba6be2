/** Builds the HTTP service; main.ts listens. */
import { randomUUID } from 'node:crypto'
import type { Log } from '@courier-fleet/process'
import Fastify, { type FastifyBaseLogger, LogController } from 'fastify'
import { addAuth } from './access/auth.ts'
import { createCallers } from './access/callers.ts'
import { actualQueueRoutes } from './actual-queue/routes.ts'
import type { AppDeps, RouteDeps } from './app-deps.ts'
import { createMetrics, measureRequests } from './fleet/metrics.ts'
import { addPrefetch } from './histories/prefetch.ts'
import { addDurableAnswers } from './http/durable-answers.ts'
import { endConnections } from './http/end-connections.ts'
import type { App } from './http/fastify-app.ts'
import { answerHttpErrors, createClientErrorHandler } from './http/http-errors.ts'
import { addIdempotency } from './http/idempotency-hooks.ts'
import { validatorCompiler } from './http/invalid-input.ts'
import { addNotFound } from './http/methods.ts'
import { createErrorHandler } from './http/problem-json.ts'
import { createRequestDeadlines } from './http/request-deadlines.ts'
import { RequestLog } from './http/request-log.ts'
import { addSecurityHeaders } from './http/security-headers.ts'
import { addOpenApi } from './openapi/openapi.ts'
import { serveWebApp } from './pages/web-app.ts'
import { applyRoutes } from './routes/apply.ts'
import { confirmLinkRoutes } from './routes/confirm-link.ts'
import { enrolmentLinkRoutes } from './routes/enrolment-link.ts'
import { fileLinkRoutes } from './routes/file-links.ts'
import { v1Routes } from './routes/index.ts'
import { operationRoutes } from './routes/operations.ts'
import { unsubscribeRoutes } from './routes/unsubscribe.ts'
import { createServices } from './services.ts'

/** of a JSON body; imports and bulk are streamed and have limits of their own */
const bodyLimitBytes = 262_144

export async function buildApp(deps: AppDeps): Promise<App> {
  const app = createFastify(deps)
  const metrics = createMetrics()
  measureRequests(app, metrics)
  await addOpenApi(app)

  const stopping = stopSignalOf(app)
  endConnections(app, stopping)
  const services = createServices(deps, metrics, stopping)
  app.addHook('onReady', async () => services.erasures.start())
  app.addHook('onReady', async () => services.files.start())
  app.addHook('onClose', async () => services.files.stop())
  app.addHook('onClose', () => services.erasures.stop())
  app.addHook('onClose', () => services.background.drain())
  app.addHook('onClose', () => deps.webhooks.client.close())
  addDurableAnswers(app, deps)
  operationRoutes(app, deps, metrics)
  await app.register((v1) => addV1(v1 as App, services), { prefix: '/v1' })
  await app.register(async (scope) => applyRoutes(scope as App, services), { prefix: '/a' })
  await app.register(async (scope) => confirmLinkRoutes(scope as App, services), { prefix: '/c' })
  await app.register(async (scope) => enrolmentLinkRoutes(scope as App, services), { prefix: '/e' })
  await app.register(async (scope) => fileLinkRoutes(scope as App, services), { prefix: '/f' })
  await app.register(async (scope) => unsubscribeRoutes(scope as App, services), { prefix: '/u' })
  if (deps.rules.actualQueue) await app.register((scope) => actualQueueRoutes(scope as App, services))
  if (deps.webApp) await serveWebApp(app, deps.log, deps.webApp)
  return app
}

function createFastify({ redis, log, rules }: AppDeps): App {
  const handleError = createErrorHandler({ redis, log })
  const deadlines = createRequestDeadlines(rules.bodyTimeoutMs)
  const app: App = Fastify({
    trustProxy: rules.trustProxy ? [...rules.trustProxy] : false,
    loggerInstance: log as FastifyBaseLogger,
    childLoggerFactory: (own, bindings) => new RequestLog(own as Log, bindings),
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: bodyLimitBytes,
    exposeHeadRoutes: false,
    genReqId: () => randomUUID(),
    forceCloseConnections: 'idle',
    clientErrorHandler: createClientErrorHandler(deadlines.suspect),
    // a missing Host is answered by us
    http: { requireHostHeader: false, ...deadlines.ofHeads },
    routerOptions: { maxParamLength: 200 },
    frameworkErrors: (error, request, reply) => {
      handleError(error, request, reply)
    },
  })
  app.removeContentTypeParser('text/plain')
  app.setValidatorCompiler(validatorCompiler)
  // answers are typed by the schemas and checked against them in the tests, not on every request
  app.setSerializerCompiler(() => JSON.stringify)
  app.setErrorHandler(handleError)
  addSecurityHeaders(app)
  addNotFound(app)
  answerHttpErrors(app)
  deadlines.addTo(app)
  return app
}

/** Aborted when the app begins to close. */
function stopSignalOf(app: App): AbortSignal {
  const stopping = new AbortController()
  app.addHook('preClose', async () => stopping.abort())
  return stopping.signal
}

async function addV1(v1: App, services: RouteDeps): Promise<void> {
  v1.decorateRequest('principal')
  v1.decorateRequest('checkAgain')
  addPrefetch(v1, services.histories)
  addAuth(v1, { ...services, callers: createCallers(services) })
  addIdempotency(v1, services)
  for (const add of v1Routes) await add(v1, services)
}
