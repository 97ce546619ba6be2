import { auditPage } from '@courier-fleet/api-types'
import { z } from 'zod'
import type { RouteDeps } from '../app-deps.ts'
import type { App } from '../http/fastify-app.ts'
import { answers } from '../openapi/openapi.ts'
import { limitParam } from './parameters.ts'

const query = z.strictObject({
  before: z
    .string()
    .regex(/^\d{1,15}-\d{1,15}$/)
    .optional()
    .describe('`next` of the page before')
    .meta({ examples: ['1788242400000-0'] }),
  limit: limitParam(1000, 100),
})

export function auditRoutes(app: App, { audit }: RouteDeps): void {
  app.get(
    '/audit',
    {
      schema: {
        tags: ['people'],
        operationId: 'readAudit',
        summary: 'Who changed what about whom, newest first',
        description:
          'Contacts, consent, codes, roles, people, groups, topics, API keys, settings and messages; never a code or a secret. The last 100 000 lines or so are kept.',
        querystring: query,
        response: answers({ 200: auditPage }),
      },
    },
    ({ query: { before, limit } }) => audit.read(before, limit),
  )
}
