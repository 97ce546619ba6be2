/** What a correction or a recall would do, channel by channel: with the words of both languages, for one dialog alone says it. */
import type { CorrectionRehearsal, RecallRehearsal } from '@courier-fleet/api-types'
import { findChannel } from '@courier-fleet/channels'
import type { Language } from './catalogue.ts'
import { costOf } from './forecast-words.ts'
import { channelName } from './outcome-words.ts'
import { wordsIn } from './words-in.ts'

type Counts<View extends { channels: Readonly<Record<string, object>> }> = Exclude<
  keyof View['channels'][string],
  'cost' | 'untouched'
>

interface Said {
  readonly corrected: Readonly<Record<Counts<CorrectionRehearsal>, string>>
  readonly recalled: Readonly<Record<Counts<RecallRehearsal>, string>>
  readonly notBegun: { readonly correction: string; readonly recall: string }
  readonly nobody: string
}

const said: Readonly<Record<Language, Said>> = {
  ru: {
    corrected: {
      edited: 'изменим у получивших',
      alsoTold: 'из них сообщим и отдельно',
      followedUp: 'сообщим отдельно',
      uncorrected: 'останется прежний текст',
      attempting: 'отправляется прямо сейчас',
      notSent: 'сразу получат новый текст',
    },
    recalled: {
      deleted: 'удалим у получивших',
      replaced: 'заменим надписью «Сообщение отозвано»',
      remaining: 'останется или могло остаться',
      attempting: 'отправляется прямо сейчас',
      notSent: 'не получат',
    },
    notBegun: {
      correction: 'Отправка не началась: все получат только новый текст.',
      recall: 'Отправка не началась: никто не получит.',
    },
    nobody: 'Ни у кого нет этого сообщения, и отправлять его больше некому.',
  },
  en: {
    corrected: {
      edited: 'edited where they have it',
      alsoTold: 'of them also told by a message of its own',
      followedUp: 'told by a message of its own',
      uncorrected: 'keep the old text',
      attempting: 'being sent just now',
      notSent: 'get the new text at once',
    },
    recalled: {
      deleted: 'deleted where they have it',
      replaced: 'replaced by "Message withdrawn"',
      remaining: 'still have it, or may',
      attempting: 'being sent just now',
      notSent: 'will not get it',
    },
    notBegun: {
      correction: 'It has not begun: everybody gets the new text alone.',
      recall: 'It has not begun: nobody gets it.',
    },
    nobody: 'Nobody has this message, and nobody is still to be sent it.',
  },
}

/** A line a channel, such as `Telegram: 290 edited where they have it, 3 get the new text at once`, and what its SMS cost. */
export function correctionRehearsalWords(language: Language, { channels }: CorrectionRehearsal): string[] {
  const { corrected, notBegun } = said[language]
  if (Object.keys(channels).length === 0) return [notBegun.correction]
  const words = wordsIn(language)
  return linesOf(language, channels, corrected, ({ cost }) => cost && costOf(words, language, cost, false))
}

export function recallRehearsalWords(language: Language, { channels }: RecallRehearsal): string[] {
  const { recalled, notBegun } = said[language]
  if (Object.keys(channels).length === 0) return [notBegun.recall]
  return linesOf(language, channels, recalled, () => undefined)
}

/** Whoever is not touched at all is left out. */
function linesOf<Place extends string, Channel extends Readonly<{ [Is in Place]?: number | undefined }>>(
  language: Language,
  channels: Readonly<Record<string, Channel>>,
  called: Readonly<Record<Place, string>>,
  costsOn: (channel: Channel) => string | undefined,
): string[] {
  const { counted } = wordsIn(language)
  const places = Object.keys(called) as Place[]
  const lines = Object.entries(channels).flatMap(([channel, counts]) => {
    const own: Partial<Record<string, string>> = { ...findChannel(channel)?.words[language].changes }
    const parts = places.flatMap((place) => {
      const { [place]: count = 0 } = counts
      return count > 0 ? [counted(count, own[place] ?? called[place])] : []
    })
    if (parts.length === 0) return []
    const cost = costsOn(counts)
    return [`${channelName(language, channel)}: ${[parts.join(', '), ...(cost ? [cost] : [])].join('; ')}.`]
  })
  return lines.length > 0 ? lines : [said[language].nobody]
}
