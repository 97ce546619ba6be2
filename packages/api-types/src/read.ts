/** Who has read what, as providers tell. */
import { z } from 'zod'
import { address } from './directory.ts'
import { smallCount } from './fields.ts'
import { channelName } from './given-fields.ts'

/** in one call */
export const maxReads = 1000
export const readBody = z.strictObject({
  channel: channelName,
  reads: z
    .array(
      z.strictObject({
        address,
        upTo: z
          .string()
          .regex(/^[1-9]\d{0,14}$/, 'the number of a message')
          .describe("the provider's id of the newest message that was read: all before it were, too")
          .meta({ examples: ['5301'] }),
      }),
    )
    .min(1)
    .max(maxReads)
    .describe('who has read what, as the provider tells'),
})
export type ReadInput = z.input<typeof readBody>
export const readView = z
  .strictObject({ read: smallCount.describe('receipts that say now that they have been read, and did not before') })
  .describe('what was new of it')
export type ReadView = z.infer<typeof readView>
