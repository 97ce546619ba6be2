/** What a rule that counts has said of somebody: how many they may have in what time, and when there is room again. */
import { z } from 'zod'
import { durationOf } from './duration.ts'
import { historyKeyText, moment, smallCount, typeId } from './fields.ts'

export const limit = z.strictObject({
  settings: smallCount.describe('version of the settings that it was decided by'),
  n: smallCount.describe('so many messages at most'),
  per: z
    .string()
    .describe("`day`: by the person's own calendar; a duration: in any stretch of time of this length")
    .meta({ examples: ['day', 'PT24H'] }),
  type: typeId.optional().describe('of this type; absent: of any'),
  until: moment.describe('then there is room again, if nothing else comes'),
  earlier: z
    .strictObject({
      at: moment.describe('when it was sent'),
      key: historyKeyText.optional().describe('only for who may read that history'),
    })
    .optional()
    .describe('the message with the same text'),
})
export type Limit = z.infer<typeof limit>

/** A window as rules write it. */
export const perOf = (window: number | 'day'): string => (window === 'day' ? window : durationOf(window))
