/** Who gets a message now, who later and who never, as the rules say at one moment; a person is counted once, over all channels. */
import { z } from 'zod'
import { budgetView } from './budgets.ts'
import { count, moment } from './fields.ts'
import { cost, forecast } from './forecast.ts'
import { whyNotDelivered } from './people-classes.ts'
import { waveCauses } from './waves.ts'

export const plan = z
  .strictObject({
    asOf: moment.describe('when it was worked out: what people and operators change later is not in it'),
    now: count.describe('people who are sent it as soon as it is due, on some channel'),
    later: z
      .array(
        z.strictObject({
          at: moment.describe('not before this time'),
          until: moment
            .optional()
            .describe(
              'and by this time, as the rules say: people are written to over a while after their quiet hours (`quietJitterSeconds`), and very many times are told as fewer; absent: at that one time',
            ),
          people: count.describe('so many people'),
          cause: z.enum(waveCauses).describe('why they wait'),
        }),
      )
      .describe('people who wait, by until when and why; in the order of their times'),
    never: z
      .array(
        z.strictObject({
          people: count.describe('so many people'),
          why: z.enum([...whyNotDelivered, 'no-contact']).describe('why they never get it'),
        }),
      )
      .describe('people who will not get it, by why'),
    recheck: z
      .string()
      .optional()
      .describe('the host that is asked right before it is sent, whose answer may stop it; absent where none is')
      .meta({ examples: ['timetable.example.org'] }),
    sample: count
      .optional()
      .describe('worked out from so many people, taken evenly from a large audience; absent: from everyone'),
    forecast: forecast.optional(),
    costAtMost: cost
      .optional()
      .describe(
        'of a message with a `ceiling`, or one that a budget holds for, or in a rehearsal with `steps`: what its SMS cost where everybody who may be sent one is, whatever the ceiling; absent where none of its channels is SMS',
      ),
    budgets: z
      .array(budgetView)
      .optional()
      .describe('what is left of the budgets that its SMS count under; absent where none does'),
  })
  .describe('who is sent it when, as the rules say at one moment; each person counted once, over all channels')
export type Plan = z.infer<typeof plan>
