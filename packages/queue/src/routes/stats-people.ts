/** Who is behind a number of the statistics. */
import {
  channelName,
  instant,
  messageTypeId,
  type Passed,
  passed as passedSteps,
  reasons,
  receiptStates,
  statsPeople,
} from '@courier-fleet/api-types'
import { hourMs, isoOfHour } from '@courier-fleet/store'
import { z } from 'zod'
import { byCaller } from '../access/audit.ts'
import type { RouteDeps } from '../app-deps.ts'
import { countedPeople, placePattern } from '../histories/counted-people.ts'
import type { App } from '../http/fastify-app.ts'
import { answers } from '../openapi/openapi.ts'
import { limitParam } from './parameters.ts'
import { hoursOf } from './stats.ts'

const query = z
  .strictObject({
    from: instant.optional().describe('within this hour and later, as `GET /v1/stats` takes it'),
    to: instant.optional().describe('to the end of this hour, unless it is its beginning; now when absent'),
    type: messageTypeId.optional().describe('of messages of this type only'),
    channel: channelName.describe('whose receipts on this channel'),
    came: z
      .enum(receiptStates)
      .optional()
      .describe('whose receipt came to this state; `pending`: of messages that started. This or `passed`'),
    passed: z
      .enum(Object.keys(passedSteps.shape) as (keyof Passed)[])
      .optional()
      .describe('who came so far or further. This or `came`'),
    reason: z.enum(reasons).optional().describe('of `came`: those only whose receipt was given this reason'),
    before: z
      .string()
      .regex(placePattern, 'is not `next` of a page before')
      .optional()
      .describe('`next` of the page before')
      .meta({ examples: ['1788242400000~07.admin.V1StGXR8_Z5jdHi6B-myT~100'] }),
    limit: limitParam(1000, 100),
  })
  .refine(({ came, passed }) => (came === undefined) !== (passed === undefined), {
    message: 'say either came or passed',
    path: ['came'],
  })
  .refine(({ came, reason }) => reason === undefined || came !== undefined, {
    message: 'reasons are told of came, not of passed',
    path: ['reason'],
  })

export function statsPeopleRoutes(app: App, { histories, directory, audit, clock }: RouteDeps): void {
  app.get(
    '/stats/people',
    {
      schema: {
        tags: ['operations'],
        operationId: 'listPeopleOfStats',
        summary: 'The people behind a number of the statistics, with their messages, when and why',
        description:
          'Those whose receipt says now what the number of `GET /v1/stats` counts, and came to it in these hours. One call looks at about 500 messages, the latest accepted first: `searchedSince` says how far it came, and `next` goes on. ' +
          'The number may be another: a receipt that has gone on since, or a message that is not kept any more, still counts in it, and a receipt knows only when it came to the state it has now. ' +
          "Codes and the fleet's other messages are not in it. The audit says who has looked.",
        querystring: query,
        response: answers({ 200: statsPeople }),
      },
    },
    async ({ principal, query: { from, to, before, limit, ...which } }) => {
      const hours = hoursOf(from, to, clock.now())
      const span = { fromMs: hours.from * hourMs, toMs: hours.to * hourMs }
      const found = await countedPeople({ histories, directory }, { ...which, ...span }, { before, limit })
      const { type = 'all types', channel, came, passed, reason } = which
      await audit.write({
        action: 'people.looked-up',
        ...byCaller(principal),
        channel,
        detail: `${type}: ${[came ?? `${passed} or further`, reason].filter(Boolean).join(', ')}`,
      })
      return { from: isoOfHour(hours.from), to: isoOfHour(hours.to), ...found }
    },
  )
}
