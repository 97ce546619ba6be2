/** The statistics of actual_queue, by type of the latest 7 days or 24 hours: `{ type: { <Unix ms>: { received, sent } } }`. */
import { hourMs, type Stats, statsTable } from '@courier-fleet/store'
import { localDays } from '../http/local-day.ts'

const spans = { daily: 7 * 24, hourly: 24 } as const
export type Span = keyof typeof spans

export type TypeStatistics = Record<string, Record<string, { received: number; sent: number }>>

interface StatisticsDeps {
  readonly stats: Pick<Stats, 'hours'>
  readonly nowMs: number
  /** whose midnight a day begins at */
  readonly timeZone: string
}

/** Hours as they are counted; a day is one of the fleet's, and sums those that begin in it. */
export async function typeStatistics(span: Span, { stats, nowMs, timeZone }: StatisticsDeps): Promise<TypeStatistics> {
  const next = Math.floor(nowMs / hourMs) + 1
  const dayAt = localDays(timeZone)
  const first = span === 'hourly' ? next - spans.hourly : Math.floor(dayAt(nowMs - 6 * 86_400_000).start / hourMs)
  const table = statsTable(await stats.hours(first, next), {
    by: new Set(['type', 'hour']),
    type: undefined,
    channel: undefined,
  })
  const told = new Map<string, Map<string, { received: number; sent: number }>>()
  const at = (type = '', hour = '') => {
    const ms = Date.parse(hour)
    const begins = String(span === 'hourly' ? ms : dayAt(ms).start)
    const ofType = told.get(type) ?? new Map()
    const counts = ofType.get(begins) ?? { received: 0, sent: 0 }
    told.set(type, ofType.set(begins, counts))
    return counts
  }
  for (const { type, hour, accepted } of table.messages) at(type, hour).received += accepted
  for (const { type, hour, came } of table.receipts) at(type, hour).sent += came.sent ?? 0
  return Object.fromEntries([...told].map(([type, ofType]) => [type, Object.fromEntries(ofType)]))
}
