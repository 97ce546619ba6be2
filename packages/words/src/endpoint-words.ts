/** The URLs of a channel that are not called now, in words: for operators. */
import type { EndpointsView } from '@courier-fleet/api-types'
import type { Language } from './catalogue.ts'

type Endpoint = EndpointsView['first'][number]
type Time = (at: string) => string

interface EndpointTexts {
  readonly atLeast: string
  readonly leftAlone: (count: string) => string
  readonly off: (count: string) => string
  readonly leftAloneSince: (since: string) => string
  readonly offSince: (since: string) => string
  readonly nextAt: (at: string) => string
  /** its time is over, and nothing has come for it since */
  readonly nextMessage: string
  readonly more: (count: number) => string
}

const texts: Readonly<Record<Language, EndpointTexts>> = {
  en: {
    atLeast: 'at least',
    leftAlone: (count) => `URLs left alone: ${count}`,
    off: (count) => `switched off: ${count}`,
    leftAloneSince: (since) => `left alone since ${since}`,
    offSince: (since) => `switched off since ${since}, until somebody has it called again`,
    nextAt: (at) => `tried again at ${at}`,
    nextMessage: 'tried again with the next message for it',
    more: (count) => `and ${count} more`,
  },
  ru: {
    atLeast: 'не меньше',
    leftAlone: (count) => `временно не вызываем URL: ${count}`,
    off: (count) => `выключено: ${count}`,
    leftAloneSince: (since) => `не вызываем с ${since}`,
    offSince: (since) => `выключен с ${since}, пока его не включат снова`,
    nextAt: (at) => `попробуем снова в ${at}`,
    nextMessage: 'попробуем снова со следующим сообщением для него',
    more: (count) => `и ещё ${count}`,
  },
}

/** `URLs left alone: 3 · switched off: 1` */
export function endpointsWords(language: Language, { leftAlone, off, atLeast }: EndpointsView): string {
  const said = texts[language]
  const many = (count: number) => (atLeast ? `${said.atLeast} ${count}` : String(count))
  return [...(leftAlone > 0 ? [said.leftAlone(many(leftAlone))] : []), ...(off > 0 ? [said.off(many(off))] : [])].join(
    ' · ',
  )
}

/** `left alone since 12:03, tried again at 12:20`: of one of them, without what it said, which is in its own words. @param asOf of the view */
export function endpointWords(
  language: Language,
  { state, since, nextTryAt }: Endpoint,
  asOf: string,
  time: Time,
): string {
  const said = texts[language]
  if (state === 'off') return said.offSince(time(since))
  const isComing = nextTryAt !== undefined && Date.parse(nextTryAt) > Date.parse(asOf)
  return `${said.leftAloneSince(time(since))}, ${isComing ? said.nextAt(time(nextTryAt)) : said.nextMessage}`
}

/** `and 4 more`; undefined where all are named */
export function moreEndpointsWords(language: Language, { leftAlone, off, first }: EndpointsView): string | undefined {
  const rest = leftAlone + off - first.length
  return rest > 0 ? texts[language].more(rest) : undefined
}
