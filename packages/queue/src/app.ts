/** Builds the HTTP service; main.ts listens. */
import { randomUUID } from 'node:crypto'
import helmet from '@fastify/helmet'
import Fastify, { type FastifyBaseLogger, LogController } from 'fastify'
import { createAcceptMessages } from './accept-message.ts'
import type { App, AppDeps, RouteDeps } from './app-deps.ts'
import { createAudit } from './audit.ts'
import { addAuth } from './auth.ts'
import { createCallers } from './callers.ts'
import { createEnrolments } from './enrolments.ts'
import { createIdempotency } from './idempotency.ts'
import { addIdempotency } from './idempotency-hooks.ts'
import { validatorCompiler } from './invalid-input.ts'
import { addNotFound } from './methods.ts'
import { createMetrics, measureRequests } from './metrics.ts'
import { addOpenApi } from './openapi.ts'
import { addPrefetch } from './prefetch.ts'
import { sendProblem } from './problem-json.ts'
import { createQuota } from './quota.ts'
import { createRateLimits } from './rate-limits.ts'
import { answerRoutes } from './routes/answers.ts'
import { apiKeyRoutes } from './routes/api-keys.ts'
import { audienceRoutes } from './routes/audiences.ts'
import { auditRoutes } from './routes/audit.ts'
import { bulkRoutes } from './routes/bulk.ts'
import { channelRoutes } from './routes/channels.ts'
import { cohortRoutes } from './routes/cohorts.ts'
import { consentRoutes } from './routes/consents.ts'
import { contactRoutes } from './routes/contacts.ts'
import { enrolmentRoutes } from './routes/enrolments.ts'
import { eventRoutes } from './routes/events.ts'
import { groupRoutes } from './routes/groups.ts'
import { historyRoutes } from './routes/histories.ts'
import { importRoutes } from './routes/imports.ts'
import { limitRoutes } from './routes/limits.ts'
import { messageRoutes } from './routes/messages.ts'
import { operationRoutes } from './routes/operations.ts'
import { peopleRoutes } from './routes/people.ts'
import { peopleSearchRoutes } from './routes/people-search.ts'
import { receiptRoutes } from './routes/receipts.ts'
import { sessionRoutes } from './routes/sessions.ts'
import { usualRules } from './rules.ts'
import { contentSecurityPolicy } from './security-policy.ts'
import { createSessions } from './sessions.ts'
import { createSignIns } from './sign-ins.ts'
import { serveWebApp } from './web-app.ts'

/** of a JSON body; imports and bulk are streamed and have limits of their own */
const bodyLimitBytes = 262_144

const routes = [
  messageRoutes,
  bulkRoutes,
  historyRoutes,
  receiptRoutes,
  eventRoutes,
  audienceRoutes,
  limitRoutes,
  peopleRoutes,
  peopleSearchRoutes,
  groupRoutes,
  cohortRoutes,
  contactRoutes,
  enrolmentRoutes,
  consentRoutes,
  answerRoutes,
  sessionRoutes,
  auditRoutes,
  importRoutes,
  channelRoutes,
  apiKeyRoutes,
]

export async function buildApp(deps: AppDeps): Promise<App> {
  const rules = deps.rules ?? usualRules
  const app: App = Fastify({
    trustProxy: rules.trustProxy ?? false,
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
  await app.register(helmet, { contentSecurityPolicy })
  await addOpenApi(app)

  const stopping = new AbortController()
  app.addHook('preClose', async () => stopping.abort())
  app.addHook('onResponse', async ({ raw }) => {
    // closing waits for connections, and clients keep theirs open
    if (stopping.signal.aborted) raw.socket.destroySoon()
  })
  const idempotency = createIdempotency(deps)
  const quota = createQuota({ ...deps, rules })
  const acceptMessages = createAcceptMessages({ ...deps, quota, metrics })
  const rateLimits = createRateLimits(deps)
  const sessions = createSessions(deps)
  const audit = createAudit(deps)
  const onRefused = (person: string) => audit.write({ action: 'session.refused', by: person, via: 'web', person })
  const signIns = createSignIns({ ...deps, rateLimits, onRefused })
  app.addHook('onClose', () => signIns.drain())
  const routeDeps: RouteDeps = {
    ...deps,
    acceptMessages,
    idempotency,
    quota,
    rateLimits,
    enrolments: createEnrolments(deps),
    sessions,
    signIns,
    audit,
    stopping: stopping.signal,
  }

  operationRoutes(app, deps, metrics)
  await app.register(
    async (v1) => {
      v1.decorateRequest('principal')
      addPrefetch(v1, deps.histories)
      addAuth(v1, createCallers({ ...deps, sessions }))
      addIdempotency(v1, idempotency)
      for (const add of routes) await add(v1 as App, routeDeps)
    },
    { prefix: '/v1' },
  )
  if (deps.webApp) await serveWebApp(app, deps.log, deps.webApp)
  return app
}
