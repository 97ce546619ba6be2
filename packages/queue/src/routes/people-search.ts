import { id, peoplePage } from '@courier-fleet/api-types'
import { z } from 'zod'
import type { RouteDeps } from '../app-deps.ts'
import type { App } from '../http/fastify-app.ts'
import { answers } from '../openapi/openapi.ts'
import { searchPeople } from '../people/people-search.ts'
import { limitParam } from './parameters.ts'

const query = z.strictObject({
  name: z
    .string()
    .max(200)
    .default('')
    .describe('each word begins a word of the name, or is part of the id; everyone when absent'),
  group: id.optional().describe('only its members'),
  after: id.optional().describe('`next` of the page before'),
  limit: limitParam(1000, 100),
})

export function peopleSearchRoutes(app: App, { directory }: RouteDeps): void {
  app.get(
    '/people::search',
    {
      config: { problems: ['404 unknown-group'] },
      schema: {
        tags: ['directory'],
        operationId: 'findPeople',
        summary: 'People by name, by id; a trainer finds those in groups of his own',
        description:
          'A page may be short, even empty, while there is a `next`: so many people are looked at in one call.',
        querystring: query,
        response: answers({ 200: peoplePage }),
      },
    },
    async ({ principal, query: { name, group, after = '', limit } }) =>
      searchPeople(directory, principal, { name, group, after, limit }),
  )
}
