/** What a message is expected to come to, in one sentence: no more than was foreseen, and what is not known is said. */
import type { Cost, Finish, ForecastReport, Plan, RehearsalView } from '@courier-fleet/api-types'
import { pricedParts } from '@courier-fleet/api-types/priced-parts'
import type { Catalogue, Language } from './catalogue.ts'
import { moneyWords } from './money-words.ts'
import { channelName } from './outcome-words.ts'
import { timeOf } from './time-of.ts'
import { wordsIn } from './words-in.ts'

export interface ForecastForm {
  /** parts of SMS, where the text is another than was foretold, or there was none */
  readonly partsEach?: number | undefined
  /** a moment, Unix ms, on the clock of the reader, such as `2 Sep 2026, 14:05`, and to the second where that is asked for; ISO 8601 when absent */
  readonly moment?: (ms: number, toTheSecond: boolean) => string
  /** when it is due, ISO 8601, once that is known: nothing ends before; when its plan was worked out when absent */
  readonly at?: string | undefined
  /** when it is read, Unix ms; when its plan was worked out when absent */
  readonly now?: number
}

const secondMs = 1000
const minuteMs = 60_000
/** a range shorter than this is said to the second: in whole minutes it would begin before the message, or end long after */
const shortMs = 2 * minuteMs
/** what is farther off than this is said to the minute: nobody waits for its seconds yet */
const nearMs = 60 * minuteMs
const iso = (ms: number) => new Date(ms).toISOString()

/**
 * `2 SMS each, 454 in all, 908 ₽; done between 14:05 and 14:09`
 * @param plan undefined of a message to URLs, which has none
 * @returns undefined where there is nothing to say
 */
export function forecastWords(language: Language, plan: Plan | undefined, form: ForecastForm = {}): string | undefined {
  if (plan === undefined) return undefined
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

/**
 * `454 SMS, 908 ₽; done at 14:07, as forecast`
 * @returns undefined before its end
 */
export function actualWords(
  language: Language,
  { forecast, actual }: ForecastReport,
  { moment = iso }: Pick<ForecastForm, 'moment'> = {},
): string | undefined {
  const { cost, finishedAt, isWithin } = actual
  if (finishedAt === undefined) return undefined
  const { forecast: said, number } = wordsIn(language)
  const sms = cost?.parts ? [withMoney(language, said.sent(number(cost.parts)), cost, false)] : []
  const finish = forecast?.finish
  const held = isWithin === undefined || finish === undefined ? [] : [heldWords(said, isWithin, finish, finishedAt)]
  const ended = moment(Date.parse(finishedAt), finish !== undefined && isShort(finish))
  return [...sms, [said.ended(ended), ...held].join(', ')].join('; ')
}

/** `Earlier forecasts of the end that held: 41 of 41` */
export const recordWords = (language: Language, { within, of }: NonNullable<RehearsalView['record']>): string =>
  wordsIn(language).forecast.record(within, of)

function heldWords(said: Catalogue['forecast'], isWithin: boolean, finish: Finish, finishedAt: string): string {
  if (isWithin) return said.asForetold
  return finishedAt < finish.from ? said.earlier : said.later
}

/** @returns undefined where there is no text, or nobody is sent it by SMS */
export function costOf({ forecast: said }: Catalogue, language: Language, cost: Cost, isSample: boolean) {
  const { partsEach, parts = 0 } = cost
  if (parts === 0) return undefined
  return withMoney(language, said.sms(partsEach, parts, isSample), cost, isSample)
}

/** What so many SMS cost, as far as there are prices; who has none is said. */
function withMoney(language: Language, sms: string, cost: Cost, isSample: boolean): string {
  const { people, unpriced, currency, millionths = 0 } = cost
  if (currency === undefined) return sms
  const words = wordsIn(language)
  const money = unpriced < people ? [words.forecast.money(moneyWords(language, millionths, currency), isSample)] : []
  const rest = unpriced === 0 ? '' : ` (${words.forecast.unpriced}: ${words.people(unpriced)})`
  return [sms, ...money].join(', ') + rest
}

/** Not before it is due, and to whole minutes or seconds later; nothing where nobody is sent it. */
function endOf({ forecast: said }: Catalogue, language: Language, plan: Plan, form: ForecastForm) {
  const asOf = Date.parse(plan.asOf)
  const { moment = iso, at, now = asOf } = form
  const { channels = {}, finish, deadline } = plan.forecast ?? {}
  const sent = Object.entries(channels).filter(([, { people }]) => people > 0)
  if (sent.length === 0) return undefined
  if (finish) {
    // a clock without seconds shows the minute in which it begins
    const fromMs = Math.max(Date.parse(finish.from), at === undefined ? asOf : Date.parse(at))
    const toTheSecond = isShort(finish) && fromMs - now < nearMs
    const unitMs = toTheSecond ? secondMs : minuteMs
    const shown = (ms: number) => moment(ms, toTheSecond)
    const from = shown(fromMs)
    const to = shown(Math.max(Math.ceil(Date.parse(finish.to) / unitMs) * unitMs, fromMs))
    const late =
      deadline && finish.to > deadline
        ? said.pastDeadline(timeOf(shown(Date.parse(deadline)), from), finish.from > deadline)
        : ''
    return rangeWords(said, from, to, shown(now)) + late
  }
  const [channel, unknown] = sent.map(([name, each]) => [name, each.unknown] as const).find(([, why]) => why) ?? []
  return channel && unknown && said.whenUnknown(said.unknown[unknown](channelName(language, channel)))
}

/** The day is said once, where it is not that of `now`, and both where it ends on another than it begins. */
function rangeWords(said: Catalogue['forecast'], from: string, to: string, now: string): string {
  const begin = timeOf(from, now)
  if (from === to) return said.doneBy(begin)
  const end = timeOf(to, from)
  if (begin !== from || end === to) return said.doneBetween(begin, end)
  const time = timeOf(from, from)
  return said.doneBetween(time, end, from.slice(0, from.length - time.length - 2))
}

const isShort = ({ from, to }: Finish) => Date.parse(to) - Date.parse(from) < shortMs
