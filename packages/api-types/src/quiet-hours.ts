/** Hours of the night in which nobody is written to, on the clock of each person. */
import { z } from 'zod'

const clockTime = z
  .string()
  .regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'a time of day such as 22:00')
  .meta({ examples: ['22:00'] })
export const minuteOfDay = (clock: string): number => Number(clock.slice(0, 2)) * 60 + Number(clock.slice(3))

const maxQuietMinutes = 20 * 60

/** How long they last; none where both ends are the same. */
export const quietMinutes = (from: string, to: string): number => (minuteOfDay(to) - minuteOfDay(from) + 1440) % 1440

const atMost20Hours = ({ from, to }: { from: string; to: string }) => quietMinutes(from, to) <= maxQuietMinutes
const tooLong = 'quiet hours last at most 20 hours'

const span = z.strictObject({
  from: clockTime.describe('from this minute on, such as 22:00'),
  to: clockTime.describe('until this minute, which is not quiet any more, such as 08:00'),
})

export const weekdays = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const
export type Weekday = (typeof weekdays)[number]

/** Of the fleet. */
export const quietHours = z
  .strictObject({
    ...span.shape,
    days: z
      .array(z.enum(weekdays))
      .min(1)
      .max(7)
      .optional()
      .describe('that begin on these days; every day when absent'),
  })
  .refine(atMost20Hours, tooLong)
  .meta({ examples: [{ from: '22:00', to: '08:00' }] })

/** Of a person: their own hours in the place of the fleet's, or none at all. */
export const ownQuietHours = z
  .union([z.literal('never'), span.refine(atMost20Hours, tooLong)])
  .meta({ examples: ['never', { from: '23:00', to: '07:00' }] })
export type OwnQuietHours = z.infer<typeof ownQuietHours>
