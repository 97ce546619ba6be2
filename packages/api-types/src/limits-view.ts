/** What is left to a sender: of the day's messages, and of the budgets of their SMS. */
import { z } from 'zod'
import { budgetView } from './budgets.ts'
import { count, moment } from './fields.ts'

/** What is left of the day's messages. All null for those who have no limit: theirs are not counted. */
export const limitsView = z
  .strictObject({
    limit: count.nullable().describe('messages a day, whichever way they are sent'),
    used: count.nullable().describe('of these so many are sent'),
    left: count.nullable().describe('and so many may be sent yet'),
    resetsAt: moment.nullable().describe('when the day is over and all of them are there again'),
    budgets: z
      .array(budgetView)
      .optional()
      .describe('what is left of the budgets that their SMS count under; absent where none does'),
  })
  .describe(
    'how many messages the caller may still send today, all null for those who have no limit; and what their SMS may come to',
  )
export type LimitsView = z.infer<typeof limitsView>
