/** All that is known of one person, for whoever has to give it to them. */
import { instant, personData as shape } from '@courier-fleet/api-types'
import { z } from 'zod'
import { byCaller } from '../access/audit.ts'
import type { RouteDeps } from '../app-deps.ts'
import type { App } from '../http/fastify-app.ts'
import { unknown } from '../http/unknown.ts'
import { answers } from '../openapi/openapi.ts'
import { personData } from '../people/person-data.ts'
import { personParams } from './parameters.ts'

const query = z.strictObject({
  to: instant.optional().describe('`next` of the call before: then only messages accepted before it; all when absent'),
})

export function personDataRoutes(app: App, deps: RouteDeps): void {
  const { directory, audit } = deps
  app.get(
    '/people/:id/data',
    {
      config: { problems: ['404 unknown-person'] },
      schema: {
        tags: ['people'],
        operationId: 'readDataOfPerson',
        summary: 'All that is known of a person',
        description:
          'For admins; the audit says who has looked. The first page has contacts, groups, wishes, the diary, sessions, subscriptions, what they sent and the lines of the audit about them; ' +
          'messages for them come about 500 that were looked at a page, as in `receipts`.',
        params: personParams,
        querystring: query,
        response: answers({ 200: shape }),
      },
    },
    async ({ principal: caller, params, query: { to } }) => {
      const person = (await directory.findPerson(params.id)) ?? unknown('person', params.id)
      const data = await personData(deps, person, caller, to === undefined ? undefined : Date.parse(to))
      await audit.write({ action: 'person.data-read', ...byCaller(caller), person: person.id })
      return data
    },
  )
}
