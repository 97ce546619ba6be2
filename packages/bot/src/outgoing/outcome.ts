/** How a message ended, who did not get it, and whom of them it can be sent to again. */
import { type HistoryView, toLeftOf } from '@courier-fleet/api-types'
import { classOf } from '@courier-fleet/channels'
import { type Client, isRefusal } from '@courier-fleet/client'
import { gettingIn, type Language, outcomeWords, personWords } from '@courier-fleet/words'
import type { Outcome, WaysLeft } from '../texts/words.ts'
import { mayGoAgain, missedOf } from './offers.ts'

/** people named */
const maxNamed = 20
/** those who are not, or not surely, going to have it */
const missedClasses = ['unknown', 'notDelivered', 'withoutContact'] as const

export async function outcomeOf(client: Client, history: HistoryView, language: Language): Promise<Outcome> {
  const { sentence } = outcomeWords(language, history)
  const missed: string[] = []
  if (missedOf(history) === 0) return { sentence, missed, moreMissed: false, left: undefined }
  const moreMissed = await nameMissed(client, history, language, missed)
  return { sentence, missed, moreMissed, left: mayGoAgain(history) ? await waysLeft(client, history) : undefined }
}

/** @returns whether there are more of them than are named */
async function nameMissed(client: Client, history: HistoryView, language: Language, missed: string[]) {
  for await (const receipt of client.allReceipts(history.key)) {
    if (!missedClasses.some((name) => name === classOf(receipt))) continue
    if (missed.length === maxNamed) return true
    missed.push(`${receipt.name ?? receipt.person}: ${personWords(language, receipt)}`)
  }
  return false
}

/** As it is now: a contact may have been blocked by this very message. @returns undefined where the API would refuse a message to them */
async function waysLeft(client: Client, history: HistoryView): Promise<WaysLeft | undefined> {
  try {
    const reach = await client.rehearse({ to: toLeftOf(history, 'unreached') })
    return { people: reach.people, getting: gettingIn(reach), nowhere: reach.people - reach.reachable }
  } catch (error) {
    if (isRefusal(error)) return undefined
    throw error
  }
}
