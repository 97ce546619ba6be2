/** Whether and when somebody got what: for operators, who are asked, and for the person themself. */
import { instant, personReceipts as shape } from '@courier-fleet/api-types'
import { z } from 'zod'
import { byCaller } from '../access/audit.ts'
import { personFor } from '../access/auth.ts'
import type { RouteDeps } from '../app-deps.ts'
import { personReceipts } from '../histories/person-receipts.ts'
import type { App } from '../http/fastify-app.ts'
import { answers } from '../openapi/openapi.ts'
import { personParams } from './parameters.ts'

const query = z.strictObject({
  from: instant.optional().describe('only messages accepted then or later; all that are kept when absent'),
  to: instant
    .optional()
    .describe('only messages accepted before then, such as `next` of the call before; now when absent'),
})

export function personReceiptRoutes(app: App, { directory, histories, audit, rateLimits }: RouteDeps): void {
  app.get(
    '/people/:id/receipts',
    {
      config: { problems: ['404 unknown-person', '429 too-many-calls'] },
      schema: {
        tags: ['people'],
        operationId: 'listReceiptsOfPerson',
        summary: 'What one person got, message by message, and when',
        description:
          'For operators, and the audit says who has looked; and for the person themself, sixty times in a quarter of an hour: then only what has reached them, with all of its text. One call looks at about 500 messages, the latest accepted first, and `next` says where to go on, perhaps after none was found. ' +
          "Codes and the fleet's other messages are not in it, nor what was cancelled before it began: whom that was for is not kept.",
        params: personParams,
        querystring: query,
        response: answers({ 200: shape }),
      },
    },
    async ({ principal: caller, params, query: { from, to } }) => {
      const person = await personFor(directory, caller, params.id)
      const isOwn = person.id === caller.owner
      if (isOwn) await rateLimits.countReceived(person.id)
      const found = await personReceipts(histories, person, {
        isOwn,
        fromMs: from === undefined ? 0 : Date.parse(from),
        toMs: to === undefined ? Number.MAX_SAFE_INTEGER : Date.parse(to),
      })
      if (!isOwn) await audit.write({ action: 'person.looked-up', ...byCaller(caller), person: person.id })
      return found
    },
  )
}
