import { z } from 'zod'
import { durationMs, durationPattern } from './duration.ts'

/** A duration of at least a second, and at most so many days. */
export const durationUpTo = (days: number) =>
  z
    .string()
    .regex(durationPattern, 'an ISO 8601 duration such as PT30M, PT12H or P7D')
    .refine((text) => {
      if (!durationPattern.test(text)) return true
      const ms = durationMs(text)
      return ms >= 1_000 && ms <= days * 86_400_000
    }, `from a second to ${days} days`)
    .describe(`an ISO 8601 duration, from a second to ${days} days`)
    .meta({ examples: ['PT30M', 'P7D'] })
