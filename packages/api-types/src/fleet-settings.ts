/** What an operator may change while the fleet runs. The newest settings count at the next decision about a person. */
import { z } from 'zod'
import { level } from './message-rules.ts'
import { caps, interval, maxTypes, messageType } from './message-types.ts'
import { quietHours } from './quiet-hours.ts'

export const fleetSettings = z.strictObject({
  types: z.array(messageType).max(maxTypes).default([]).describe('rules of the types of message'),
  quiet: quietHours
    .nullable()
    .default(null)
    .describe("when nobody is written to, on each person's own clock; null: there are no such hours"),
  quietJitterSeconds: z
    .int()
    .min(0)
    .max(3600)
    .default(120)
    .describe('who was held is written to within this time after the quiet hours, not all at once'),
  caps: caps.default([]).describe('how many messages of all types together a person gets'),
  interval: interval.nullable().default(null).describe('least time between two messages of any type; null: none'),
  levels: z
    .array(z.strictObject({ after: z.int().min(1).max(1000), least: level }))
    .max(2)
    .default([])
    .describe('who has had so many messages in a day of theirs is sent only what has at least this level'),
})
export type FleetSettings = z.infer<typeof fleetSettings>
export type FleetSettingsInput = z.input<typeof fleetSettings>
