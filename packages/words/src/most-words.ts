/** What the SMS of a message come to at most, in words: with those of both languages, for one page alone says it. */
import type { Ceiling, Plan } from '@courier-fleet/api-types'
import { pricedParts } from '@courier-fleet/api-types/priced-parts'
import type { Language } from './catalogue.ts'
import { costOf, type ForecastForm } from './forecast-words.ts'
import { moneyWords } from './money-words.ts'
import { wordsIn } from './words-in.ts'

const said = {
  ru: {
    atMost: (cost: string) => `Не больше: ${cost}`,
    within: (cost: string, limit: string) => `Не больше: ${cost}; потратить можно ${limit}`,
    unpriced: 'кому нет цены, тем SMS не отправим',
  },
  en: {
    atMost: (cost: string) => `At most: ${cost}`,
    within: (cost: string, limit: string) => `At most: ${cost}; it may spend ${limit}`,
    unpriced: 'whoever has no price is sent no SMS',
  },
} as const

interface MostForm extends Pick<ForecastForm, 'partsEach'> {
  readonly ceiling?: Ceiling | undefined
}

/**
 * `At most: 2 SMS each, 454 in all, 908 ₽; it may spend 200 ₽`
 * @returns undefined where there is nothing to say: no plan, as of a message to URLs; no text yet, or nobody is sent an SMS
 */
export function mostWords(
  language: Language,
  { costAtMost, sample }: Partial<Plan> = {},
  form: MostForm = {},
): string | undefined {
  const { ceiling: limit, partsEach } = form
  const words = wordsIn(language)
  const { forecast, number } = words
  const { atMost, within, unpriced } = said[language]
  const cost = costAtMost && partsEach !== undefined ? pricedParts(costAtMost, partsEach) : costAtMost
  if (!cost) return undefined
  const most = costOf(words, language, cost, sample !== undefined)
  if (most === undefined) return undefined
  if (!limit) return atMost(most)
  if ('parts' in limit) return within(most, forecast.sent(number(limit.parts)))
  const sentence = within(most, moneyWords(language, limit.millionths, limit.currency))
  return cost.unpriced > 0 ? `${sentence}; ${unpriced}` : sentence
}
