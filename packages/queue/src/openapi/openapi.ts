/** The OpenAPI 3.1 document, made from the same schemas that validate. */
import type { Readable } from 'node:stream'
import * as shapes from '@courier-fleet/api-types'
import swagger from '@fastify/swagger'
import type { FastifyContextConfig, FastifyInstance } from 'fastify'
import { createJsonSchemaTransform, createJsonSchemaTransformObject } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { sessionCookie } from '../access/cookies.ts'
import { operationOf } from '../access/rights.ts'
import { problemType } from '../http/problem-json.ts'
import { completeDocument } from './openapi-document.ts'
import type { OpenApiDocument } from './openapi-operation.ts'

/** What becomes a named component of the document, `…Input` as it is written; everything else stands where it is used. */
const named = {
  Message: shapes.messageBody,
  MessageCall: shapes.messageCall,
  CorrectedCall: shapes.correctedCall,
  RecalledCall: shapes.recalledCall,
  Acceptance: shapes.acceptance,
  HistoryView: shapes.historyView,
  ChannelLedger: shapes.channelLedger,
  ReceiptView: shapes.receiptView,
  TrackerReport: shapes.trackerReport,
  BulkAnswer: shapes.bulkAnswer,
  Person: shapes.personBody,
  PersonView: shapes.personView,
  GroupView: shapes.groupView,
  CohortView: shapes.cohortView,
  TopicView: shapes.topicView,
  MessageType: shapes.messageType,
  FleetSettings: shapes.fleetSettings,
  ImportReport: shapes.importReport,
  LimitsView: shapes.limitsView,
  SessionView: shapes.sessionView,
  RehearsalView: shapes.rehearsalView,
  AuditLine: shapes.auditLine,
  Change: shapes.changeBody,
  RecheckQuestion: shapes.recheckQuestion,
  StatsView: shapes.statsView,
  FlowRow: shapes.flowRow,
  FunnelView: shapes.funnelView,
  Forecast: shapes.forecast,
  ForecastReport: shapes.forecastReport,
  SubscriptionView: shapes.subscriptionView,
  SubscriptionDelivery: shapes.subscriptionDelivery,
  Problem: shapes.problemDocument,
} satisfies Record<string, z.ZodType>

const tags = {
  messages: 'Sending, and asking whom it would reach',
  histories: 'What became of a message, person by person, and changing one’s mind',
  directory: 'People, groups, cohorts and their contacts',
  people: 'What people do about their own contacts and wishes',
  topics: 'What people join and leave by themselves',
  templates: 'Texts that messages name, each with its versions',
  types: 'What messages are about, and the rules of each',
  roles: 'What people may do, and how much they may send',
  settings: 'What operators change while the fleet runs',
  events: 'Times on which messages hang',
  subscriptions: 'Being told of changes',
  webhooks: 'The secrets that calls are signed with',
  sessions: 'Signing in to the web',
  fleet: 'Channels and their couriers',
  'api keys': 'Who may call',
  mail: 'One click in a mail program',
  operations: 'For those who run it',
} as const

const description = `Mass messages to people over many channels, with a truthful answer to who got it.

Send your API key as \`Authorization: Bearer cf_…\`, or sign in: the cookie is enough to read, and other calls need the session's
csrfToken as \`X-CSRF-Token\`. With the API key of an inbound process, \`On-Behalf-Of: telegram:7001\` acts for the person
whose contact it is. Errors are problem+json (RFC 9457). Every POST, PUT, PATCH and DELETE takes an \`Idempotency-Key\`: the
same call again within a day gets the first answer.`

export async function addOpenApi(app: FastifyInstance): Promise<void> {
  const configs = new Map<string, FastifyContextConfig>()
  // the global one, for that is where describe() and meta() say what a schema means
  const schemaRegistry = z.globalRegistry
  for (const [id, schema] of Object.entries(named)) schemaRegistry.add(schema, { ...schemaRegistry.get(schema), id })
  // a streamed body has no schema beyond what its meta() says
  const ofRoute = createJsonSchemaTransform({ schemaRegistry, zodToJsonConfig: { unrepresentable: 'any' } })
  const ofNamed = createJsonSchemaTransformObject({ schemaRegistry })
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: { title: 'courier-fleet', version: '1.0.0', description, license: { name: 'MIT', identifier: 'MIT' } },
      servers: [{ url: '/' }],
      tags: Object.entries(tags).map(([name, about]) => ({ name, description: about })),
      components: {
        securitySchemes: {
          apiKey: { type: 'http', scheme: 'bearer' },
          session: { type: 'apiKey', in: 'cookie', name: sessionCookie },
        },
      },
      security: [{ apiKey: [] }, { session: [] }],
    },
    transform: (route) => {
      configs.set(operationOf(String(route.route.method), route.url), route.route.config ?? {})
      return ofRoute(route)
    },
    transformObject: (document) => completeDocument(ofNamed(document) as unknown as OpenApiDocument, configs),
  })
}

/** The `response` of a route: what it answers, and that anything else is a problem. */
export function answers<T extends Record<number, unknown>>(byStatus: T) {
  return {
    ...byStatus,
    default: { description: 'a problem', content: { [problemType]: { schema: shapes.problemDocument } } },
  }
}

/** There is nothing to say. */
export const done = z.null().describe('done')

/** The client has it already, as its `If-None-Match` says. */
export const notModified = z.null().describe('as the `ETag` in `If-None-Match` has it')

/** A body that is streamed, in or out, and never validated as a whole. */
export const streamed = z.custom<Readable>().meta({ type: 'string' })

/** Likewise, of many such things one after the other. */
export const streamOf = (name: keyof typeof named | `${keyof typeof named}Input`) =>
  z.custom<Readable>().meta({ type: 'string', contentSchema: { $ref: `#/components/schemas/${name}` } })

/** A body of an answer that is not JSON, for `answers`. */
export function content<T extends z.ZodType>(type: string, description: string, schema: T) {
  return { description, content: { [type]: { schema } } }
}
