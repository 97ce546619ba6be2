/** What a rule that counts has said of somebody: how many they may have in what time, and when there is room again. */
import { z } from 'zod'
import { durationOf } from './duration.ts'

export const limit = z.strictObject({
  settings: z.int().describe('version of the settings that it was decided by'),
  n: z.int().describe('so many messages at most'),
  per: z.string().describe("`day`: by the person's own calendar; a duration: in any stretch of time of this length"),
  type: z.string().optional().describe('of this type; absent: of any'),
  until: z.string().describe('then there is room again, if nothing else comes'),
  earlier: z
    .strictObject({
      at: z.string(),
      key: z.string().optional().describe('only for who may read that history'),
    })
    .optional()
    .describe('the message with the same text'),
})
export type Limit = z.infer<typeof limit>

/** A window as rules write it. */
export const perOf = (window: number | 'day'): string => (window === 'day' ? window : durationOf(window))
