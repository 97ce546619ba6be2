/** Who is online, as a system that knows it says. */
import { z } from 'zod'
import { personId } from './fields.ts'
import { id } from './given-fields.ts'

export const onlineBody = z.strictObject({
  people: z
    .array(id)
    .min(1)
    .max(1000)
    .describe('ids of people; whom the directory does not know is passed over')
    .meta({ examples: [['anna', 'boris']] }),
})

export const onlineView = z.strictObject({
  people: z
    .int()
    .describe('of how many it was noted, each counted once')
    .meta({ examples: [2] }),
  unknown: z
    .array(personId)
    .optional()
    .describe('ids that the directory does not know: passed over; absent where it knows all'),
})
export type OnlineView = z.infer<typeof onlineView>
