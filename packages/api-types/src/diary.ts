/** What counts of the messages somebody was sent, and what the rules leave them. */
import { z } from 'zod'

export const diaryView = z.strictObject({
  person: z.string(),
  asOf: z.string(),
  entries: z
    .array(
      z.strictObject({
        at: z.string().describe('when it was allowed, just before it was sent'),
        type: z.string().describe('id of its type'),
        messages: z.int().describe('so many: of days with very many the oldest are one entry'),
        channels: z.array(z.string()),
        key: z.string().optional().describe('only for who may read that history'),
        contested: z
          .boolean()
          .describe('a process was taken over while it sent it: it counts, whatever the second attempt came to'),
      }),
    )
    .describe('the newest first; only of types that a rule counts, and as long as one may look back'),
  room: z
    .array(
      z.strictObject({
        rule: z.enum(['capped', 'too-soon', 'not-important']).describe('the reason of whoever has had enough'),
        type: z.string().optional().describe('of this type; absent: of any'),
        n: z.int(),
        per: z
          .string()
          .describe("`day`: by the person's own calendar; a duration: in any stretch of time of this length"),
        used: z.int(),
        left: z.int(),
        until: z.string().optional().describe('where none is left: then there is room again, if nothing else comes'),
      }),
    )
    .describe('of each rule of the settings as they are now'),
})
export type DiaryView = z.infer<typeof diaryView>
