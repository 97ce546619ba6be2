/** Codes for the people of a group: a list, or a sheet to be printed. */
import { groupCodesBody, groupCodesView } from '@courier-fleet/api-types'
import { languageOf } from '@courier-fleet/words'
import { z } from 'zod'
import type { RouteDeps } from '../app-deps.ts'
import type { App } from '../http/fastify-app.ts'
import { answers } from '../openapi/openapi.ts'
import { groupCodesSheet } from '../pages/group-codes-sheet.ts'
import { plainPageHeaders } from '../pages/plain-page.ts'
import { makeGroupCodes } from '../people/group-codes.ts'
import { groupParams } from './parameters.ts'

const query = z.strictObject({
  format: z.enum(['json', 'html']).default('json').describe('html: a page to be printed, with a strip for each person'),
})

export function groupCodeRoutes(app: App, deps: RouteDeps): void {
  app.post(
    '/groups/:id/codes',
    {
      config: {
        problems: ['404 unknown-group', '422 unknown-channel', '429 too-many-codes'],
        idempotency: 'secret',
      },
      schema: {
        tags: ['people'],
        operationId: 'makeGroupCodes',
        summary: 'A one-time code for each person of a group, to link a contact on a channel',
        description:
          'Twelve digits each, good for days, once, for one person. Whoever has a contact there is left out unless asked for, and so is whom the caller may make no code for: operators may for everyone of no higher role, others for students. Codes made before for the same people and channel are void from then on.',
        params: groupParams,
        querystring: query,
        body: groupCodesBody,
        response: answers({
          201: {
            description: 'the codes, or the sheet',
            content: { 'application/json': { schema: groupCodesView }, 'text/html': { schema: z.string() } },
          },
        }),
      },
    },
    async ({ params, query: { format }, body, principal: caller }, reply) => {
      const made = await makeGroupCodes(deps, caller, params.id, body)
      reply.code(201)
      if (format === 'html') {
        const maker = await deps.directory.findPerson(caller.owner)
        return reply.headers(plainPageHeaders).send(await groupCodesSheet(made, languageOf(maker?.language ?? '')))
      }
      const { people: _people, groupName: _name, ...view } = made
      return view
    },
  )
}
