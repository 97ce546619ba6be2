/** Making due sets, work streams and other indexes of messages again from the histories, step by step. */
import { z } from 'zod'
import { count } from './fields.ts'

export const rebuildBody = z
  .strictObject({
    from: z
      .string()
      .regex(/^(\d{1,20}(\.\d{1,4})?|lists\.\d{1,4})$/, 'the `next` of the step before')
      .optional()
      .describe('where to go on: `next` of the step before; absent to begin')
      .meta({ examples: ['13107200'] }),
  })
  .describe('one step')

export const rebuildView = z
  .strictObject({
    next: z
      .string()
      .optional()
      .describe('where the next step goes on; absent: that was all')
      .meta({ examples: ['13107200'] }),
    histories: count.describe('messages that this step has looked at'),
    due: count.describe('deliveries that were missing among what is due, and are there again'),
    entries: count.describe('entries that were missing on work streams, and are there again'),
    indexes: count.describe(
      'messages that were missing among those to be removed one day, to expire, that wait for an operator, hang on an event, are the latest about something or are listed of their sender, and are there again',
    ),
  })
  .describe('what one step has found missing')
export type RebuildView = z.infer<typeof rebuildView>
