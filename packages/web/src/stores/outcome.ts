/** How a message ended: the report, whether its counters agree with the receipts, and by name who was not reached. */

import type { HistoryView, ReceiptState, ReceiptView, RecountReport, TrackerReport } from '@courier-fleet/api-types'
import { classOf } from '@courier-fleet/channels'
import type { Client } from '@courier-fleet/client'
import { runsOf } from '../ordinal-runs.ts'

/** Receipts that say that somebody has not got it, in the order in which they are shown. */
export const unreachedStates: readonly ReceiptState[] = [
  'failed',
  'unknown',
  'suppressed',
  'expired',
  'cancelled',
  'no-contact',
]

/** people named on the page; the CSV has all of them */
export const maxNamed = 500
const pageSize = 200

export interface Outcome {
  readonly report: TrackerReport
  readonly recount: RecountReport
  readonly unreached: readonly ReceiptView[]
}

export async function readOutcome(api: Client, key: string): Promise<Outcome> {
  const [report, recount] = await Promise.all([api.track(key, 0), api.recount(key)])
  return { report, recount, unreached: await unreachedOf(api, report.history) }
}

/** Whoever was not reached at all was not reached on the best channel: only the receipts of that channel are read. */
async function unreachedOf(api: Client, { key, channels }: HistoryView): Promise<ReceiptView[]> {
  const missedOn = (name: string) => unreachedStates.reduce((sum, state) => sum + (channels[name]?.[state] ?? 0), 0)
  const [best] = Object.keys(channels).sort((a, b) => missedOn(a) - missedOn(b))
  if (best === undefined) return []
  const found = new Map<number, ReceiptView>()
  for (const state of unreachedStates) {
    if (!channels[best]?.[state]) continue
    for (let from: number | undefined = 0; from !== undefined && found.size < maxNamed; ) {
      const page = await pageOf(api, key, { from, channel: best, state })
      for (const row of page.receipts) if (isMissed(row)) found.set(row.ordinal, row)
      from = page.next
    }
  }
  return [...found.values()].sort((a, b) => a.ordinal - b.ordinal).slice(0, maxNamed)
}

function isMissed(row: ReceiptView): boolean {
  const found = classOf(row)
  return found === 'unknown' || found === 'notDelivered' || found === 'withoutContact'
}

/** Filtered rows have one channel only: those found are read again with all channels. */
async function pageOf(api: Client, key: string, filter: { from: number; channel: string; state: ReceiptState }) {
  const { receipts, next } = await api.receipts(key, { ...filter, limit: pageSize })
  const whole: ReceiptView[] = []
  for (const [from, to] of runsOf(receipts.map(({ ordinal }) => ordinal))) {
    whole.push(...(await api.receipts(key, { from, limit: to - from })).receipts)
  }
  return { receipts: whole, next }
}
