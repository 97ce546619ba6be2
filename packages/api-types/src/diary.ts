/** What counts of the messages somebody was sent, and what the rules leave them. */
import { z } from 'zod'
import { channelId, historyKeyText, moment, personId, smallCount, typeId } from './fields.ts'

export const diaryView = z
  .strictObject({
    person: personId,
    asOf: moment.describe('when this was true'),
    entries: z
      .array(
        z.strictObject({
          at: moment.describe('when it was allowed, just before it was sent'),
          type: typeId.describe('id of its type'),
          messages: smallCount.describe('so many: of days with very many the oldest are one entry'),
          channels: z.array(channelId).describe('on which they were sent it'),
          key: historyKeyText.optional().describe('only for who may read that history'),
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
          type: typeId.optional().describe('of this type; absent: of any'),
          n: smallCount.describe('so many messages at most'),
          per: z
            .string()
            .describe("`day`: by the person's own calendar; a duration: in any stretch of time of this length")
            .meta({ examples: ['day', 'PT24H'] }),
          used: smallCount.describe('so many count now'),
          left: smallCount.describe('so many more may come'),
          until: moment.optional().describe('where none is left: then there is room again, if nothing else comes'),
        }),
      )
      .describe('of each rule of the settings as they are now'),
  })
  .describe('what counts of the messages a person was sent, and what room the rules leave')
export type DiaryView = z.infer<typeof diaryView>
