/** How a message ended, and who did not get it. */
import type { HistoryView } from '@courier-fleet/api-types'
import { classOf } from '@courier-fleet/channels'
import type { Client } from '@courier-fleet/client'
import { type Language, outcomeWords, personWords } from '@courier-fleet/words'
import type { Outcome } from '../texts/words.ts'
import { missedOf } from './offers.ts'

/** people named */
const maxNamed = 20
/** those who are not, or not surely, going to have it */
const missedClasses = ['unknown', 'notDelivered', 'withoutContact'] as const

export async function outcomeOf(client: Client, history: HistoryView, language: Language): Promise<Outcome> {
  const { sentence } = outcomeWords(language, history)
  const missed: string[] = []
  if (missedOf(history) === 0) return { sentence, missed, moreMissed: false }
  for await (const receipt of client.allReceipts(history.key)) {
    if (!missedClasses.some((name) => name === classOf(receipt))) continue
    if (missed.length === maxNamed) return { sentence, missed, moreMissed: true }
    missed.push(`${receipt.name ?? receipt.person}: ${personWords(language, receipt)}`)
  }
  return { sentence, missed, moreMissed: false }
}
