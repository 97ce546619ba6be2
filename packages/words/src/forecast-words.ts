/** What a message is expected to come to, in one sentence: no more than was foreseen, and what is not known is said. */
import type { Cost, Plan } from '@courier-fleet/api-types'
import { pricedParts } from '@courier-fleet/api-types/priced-parts'
import type { Catalogue, Language } from './catalogue.ts'
import { moneyWords } from './money-words.ts'
import { wordsIn } from './words-in.ts'

export interface ForecastForm {
  /** parts of SMS, where the text is another than was foretold, or there was none */
  readonly partsEach?: number | undefined
}

/**
 * `2 SMS each, 454 in all, 908 ₽`
 * @returns undefined where there is nothing to say
 */
export function forecastWords(language: Language, plan: Plan, { partsEach }: ForecastForm = {}): string | undefined {
  const { cost } = plan.forecast ?? {}
  const priced = cost && partsEach !== undefined ? pricedParts(cost, partsEach) : cost
  return priced && costOf(wordsIn(language), language, priced, plan.sample !== undefined)
}

function costOf({ forecast: said, people }: Catalogue, language: Language, cost: Cost, isSample: boolean) {
  const { partsEach, parts = 0, currency, millionths = 0, unpriced } = cost
  if (partsEach === undefined || parts === 0) return undefined
  const isPriced = currency !== undefined && unpriced < cost.people
  const money = isPriced ? [said.money(moneyWords(language, millionths, currency), isSample)] : []
  const sms = [said.sms(partsEach, parts, isSample), ...money].join(', ')
  return currency === undefined || unpriced === 0 ? sms : `${sms} (${said.unpriced}: ${people(unpriced)})`
}
