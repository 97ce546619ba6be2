/** How far the newest correction of a message is, channel by channel: somebody may have the message by two. */
import type { HistoryView } from '@courier-fleet/api-types'
import { findChannel } from '@courier-fleet/channels'
import type { Language } from './catalogue.ts'
import { wordsIn } from './words-in.ts'

const places = ['edited', 'followedUp', 'pending', 'unknown', 'uncorrected'] as const

/** @returns no sentence where nobody had an older text */
export function correctionWords(language: Language, { versions }: Pick<HistoryView, 'versions'>): string[] {
  const words = wordsIn(language)
  const channels = Object.entries(versions?.at(-1)?.corrected ?? {}).flatMap(([channel, counts]) => {
    const said = places
      .filter((place) => counts[place] > 0)
      .map((place) => words.counted(counts[place], words.corrected[place]))
    return said.length > 0 ? [`${findChannel(channel)?.words[language].name ?? channel}: ${said.join(', ')}`] : []
  })
  return channels.length > 0 ? [words.correction(channels.join('; '))] : []
}
