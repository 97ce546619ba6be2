/** How a message ended, and who did not get it. */

import { isReached, type ReceiptView, type TrackerReport } from '@courier-fleet/api-types'
import type { Client } from '@courier-fleet/client'
import type { Outcome, Words } from '../texts/words.ts'

/** people named */
const maxNamed = 20

export async function outcomeOf(client: Client, report: TrackerReport, words: Words): Promise<Outcome> {
  const { ending, silent, history } = report
  const size = history.audience?.size ?? 0
  const reached = history.people?.reached ?? 0
  const withoutContact = history.people?.withoutContact ?? 0
  const cancelled = history.cancelledAt !== undefined
  const everyone = { ending, cancelled, size, reached, withoutContact, silent, missed: [], moreMissed: false }
  if (history.state === 'cancelled' || reached === size) return everyone

  const missed: string[] = []
  for await (const receipt of client.allReceipts(history.key)) {
    if (isReached(receipt)) continue
    if (missed.length === maxNamed) return { ...everyone, missed, moreMissed: true }
    missed.push(missedLine(receipt, words))
  }
  return { ...everyone, missed }
}

function missedLine({ person, name, channels }: ReceiptView, words: Words): string {
  const why = Object.values(channels)
    .filter(({ state }) => state !== 'no-contact')
    .map(({ state, reason }) => (reason === undefined ? words.receipt[state] : words.reasons[reason]))
  return `${name ?? person}: ${why.length > 0 ? [...new Set(why)].join(', ') : words.noContact}`
}
