/** What the SMS of a message may come to, in words: before it is sent, and what of it is spent. */
import type { Ceiling, CeilingView, Plan } from '@courier-fleet/api-types'
import { pricedParts } from '@courier-fleet/api-types/priced-parts'
import type { Language } from './catalogue.ts'
import { costOf, type ForecastForm } from './forecast-words.ts'
import { moneyWords } from './money-words.ts'
import { wordsIn } from './words-in.ts'

/** `Spent on SMS: 44 ₽ of 200 ₽` · `Spent on SMS: 22 of 300 SMS` */
export function spentWords(language: Language, { spent, parts, millionths = 0, currency = '' }: CeilingView): string {
  const { ceiling, forecast, number } = wordsIn(language)
  if (parts !== undefined) return ceiling.spent(number(spent), forecast.sent(number(parts)))
  return ceiling.spent(moneyWords(language, spent, currency), moneyWords(language, millionths, currency))
}

interface MostForm extends Pick<ForecastForm, 'partsEach'> {
  readonly ceiling?: Ceiling | undefined
}

/**
 * `At most: 2 SMS each, 454 in all, 908 ₽; it may spend 200 ₽`
 * @returns undefined where there is nothing to say: no text yet, or nobody is sent an SMS
 */
export function mostWords(language: Language, { costAtMost, sample }: Plan, form: MostForm = {}): string | undefined {
  const { ceiling: limit, partsEach } = form
  const words = wordsIn(language)
  const { ceiling, forecast, number } = words
  const cost = costAtMost && partsEach !== undefined ? pricedParts(costAtMost, partsEach) : costAtMost
  if (!cost) return undefined
  const most = costOf(words, language, cost, sample !== undefined)
  if (most === undefined) return undefined
  if (!limit) return ceiling.atMost(most)
  if ('parts' in limit) return ceiling.within(most, forecast.sent(number(limit.parts)))
  const within = ceiling.within(most, moneyWords(language, limit.millionths, limit.currency))
  return cost.unpriced > 0 ? `${within}; ${ceiling.unpriced}` : within
}
