/** What a message is expected to come to, in one sentence: no more than was foreseen, and what is not known is said. */
import type { Cost, Plan } from '@courier-fleet/api-types'
import { pricedParts } from '@courier-fleet/api-types/priced-parts'
import type { Catalogue, Language } from './catalogue.ts'
import { moneyWords } from './money-words.ts'
import { channelName } from './outcome-words.ts'
import { wordsIn } from './words-in.ts'

export interface ForecastForm {
  /** parts of SMS, where the text is another than was foretold, or there was none */
  readonly partsEach?: number | undefined
  /** a moment, Unix ms, on the clock of the reader, such as `2 Sep 2026, 14:05`; ISO 8601 when absent */
  readonly moment?: (ms: number) => string
}

const minuteMs = 60_000
const iso = (ms: number) => new Date(ms).toISOString()

/**
 * `2 SMS each, 454 in all, 908 ₽; done by 14:05–14:09`
 * @returns undefined where there is nothing to say
 */
export function forecastWords(language: Language, plan: Plan, form: ForecastForm = {}): string | undefined {
  const { cost } = plan.forecast ?? {}
  const priced = cost && form.partsEach !== undefined ? pricedParts(cost, form.partsEach) : cost
  const words = wordsIn(language)
  const said = [
    priced && costOf(words, language, priced, plan.sample !== undefined),
    endOf(words, language, plan, form),
  ].filter((part) => part !== undefined)
  if (said.length === 0) return undefined
  const sentence = said.join('; ')
  return sentence.slice(0, 1).toLocaleUpperCase(language) + sentence.slice(1)
}

function costOf({ forecast: said, people }: Catalogue, language: Language, cost: Cost, isSample: boolean) {
  const { partsEach, parts = 0, currency, millionths = 0, unpriced } = cost
  if (partsEach === undefined || parts === 0) return undefined
  const isPriced = currency !== undefined && unpriced < cost.people
  const money = isPriced ? [said.money(moneyWords(language, millionths, currency), isSample)] : []
  const sms = [said.sms(partsEach, parts, isSample), ...money].join(', ')
  return currency === undefined || unpriced === 0 ? sms : `${sms} (${said.unpriced}: ${people(unpriced)})`
}

/** In whole minutes, outwards; nothing where nobody is sent it. */
function endOf({ forecast: said }: Catalogue, language: Language, plan: Plan, { moment = iso }: ForecastForm) {
  const { channels = {}, finish } = plan.forecast ?? {}
  const sent = Object.entries(channels).filter(([, { people }]) => people > 0)
  if (sent.length === 0) return undefined
  if (finish) {
    const day = moment(Date.parse(plan.asOf))
    const from = timeOf(moment(Math.floor(Date.parse(finish.from) / minuteMs) * minuteMs), day)
    const to = timeOf(moment(Math.ceil(Date.parse(finish.to) / minuteMs) * minuteMs), day)
    return said.done(from === to ? to : `${from}–${to}`)
  }
  const [channel, unknown] = sent.map(([name, each]) => [name, each.unknown] as const).find(([, why]) => why) ?? []
  return channel && unknown && said.whenUnknown(said.unknown[unknown](channelName(language, channel)))
}

/** Of a moment of the same day the time alone. */
function timeOf(moment: string, day: string): string {
  const time = moment.lastIndexOf(', ')
  return time >= 0 && day.startsWith(moment.slice(0, time + 2)) ? moment.slice(time + 2) : moment
}
