/** How far the newest correction of a message is, or its recall, channel by channel: somebody may have the message by two. */
import type { HistoryView } from '@courier-fleet/api-types'
import { findChannel } from '@courier-fleet/channels'
import type { Language } from './catalogue.ts'
import { wordsIn } from './words-in.ts'

const corrected = ['edited', 'alsoTold', 'toBeTold', 'followedUp', 'pending', 'unknown', 'uncorrected'] as const
const recalled = ['deleted', 'replaced', 'pending', 'remaining'] as const

/** @returns no sentence where nobody had an older text, or the message that was withdrawn */
export function correctionWords(
  language: Language,
  { versions, recalled: recall }: Pick<HistoryView, 'versions' | 'recalled'>,
): string[] {
  const words = wordsIn(language)
  if (recall) return said(language, recall.channels, recalled, words.recalled).map(words.recall)
  return said(language, versions?.at(-1)?.corrected ?? {}, corrected, words.corrected).map(words.correction)
}

/** `Telegram: 290 edited, 3 still to be corrected; VK: …`, where that is anybody. */
function said<Place extends string>(
  language: Language,
  byChannel: Readonly<Record<string, Readonly<{ [Is in Place]?: number | undefined }>>>,
  places: readonly Place[],
  called: Readonly<Record<Place, string>>,
): string[] {
  const { counted } = wordsIn(language)
  const channels = Object.entries(byChannel).flatMap(([channel, counts]) => {
    const own: Partial<Record<string, string>> = { ...findChannel(channel)?.words[language].changes }
    const parts = places.flatMap((place) => {
      const { [place]: count = 0 } = counts
      return count > 0 ? [counted(count, own[place] ?? called[place])] : []
    })
    return parts.length > 0 ? [`${findChannel(channel)?.words[language].name ?? channel}: ${parts.join(', ')}`] : []
  })
  return channels.length > 0 ? [channels.join('; ')] : []
}
