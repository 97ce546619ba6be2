import { field, parsePositive, withDefault } from './settings.ts'

const dayMs = 86_400_000

/** RETENTION_DAYS, in ms: how long a message is kept once it is over */
export const retentionMs = withDefault(field('a number of days above 0, such as 90 or 0.5', daysInMs), 90 * dayMs)

function daysInMs(text: string): number | undefined {
  const days = parsePositive(text)
  return days === undefined ? undefined : Math.round(days * dayMs)
}
