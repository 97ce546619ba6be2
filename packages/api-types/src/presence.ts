/** Who is online, as a system that knows it says. */
import { z } from 'zod'
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
    .describe('how many were named, each counted once')
    .meta({ examples: [2] }),
})
export type OnlineView = z.infer<typeof onlineView>
