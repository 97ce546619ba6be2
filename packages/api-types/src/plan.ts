/** Who gets a message now, who later and who never, as the rules say at one moment; a person is counted once, over all channels. */
import { z } from 'zod'
import { whyNotDelivered } from './people-classes.ts'
import { waveCauses } from './waves.ts'

export const plan = z.strictObject({
  asOf: z.string().describe('when it was worked out: what people and operators change later is not in it'),
  now: z.int().describe('people who are sent it as soon as it is due, on some channel'),
  later: z
    .array(
      z.strictObject({
        at: z.string().describe('not before this time'),
        people: z.int(),
        cause: z.enum(waveCauses),
      }),
    )
    .describe('people who wait, by until when and why; in the order of their times'),
  never: z
    .array(z.strictObject({ people: z.int(), why: z.enum([...whyNotDelivered, 'no-contact']) }))
    .describe('people who will not get it, by why'),
  sample: z
    .int()
    .optional()
    .describe('worked out from so many people, taken evenly from a large audience; absent: from everyone'),
})
export type Plan = z.infer<typeof plan>
