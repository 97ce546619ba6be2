/** Which rule says that somebody has had enough, and until when, in words. */
import type { Limit, Reason } from '@courier-fleet/api-types'
import type { Language } from './catalogue.ts'
import { wordsIn } from './words-in.ts'

const iso = (ms: number) => new Date(ms).toISOString()

/** @param moment Unix ms, on the clock of the reader */
export function limitWords(language: Language, reason: Reason | undefined, limit: Limit, moment = iso): string {
  const { limits } = wordsIn(language)
  const { n, per, type, until, earlier } = limit
  if (earlier) return limits.duplicate(moment(Date.parse(earlier.at)))
  const free = moment(Date.parse(until))
  const of = type === undefined ? limits.ofAny : limits.ofType(type)
  if (reason === 'not-important') return limits.important(n, free)
  if (reason === 'too-soon') return limits.interval(of, spanWords(language, per), free)
  return per === 'day' ? limits.day(n, of, free) : limits.window(n, of, spanWords(language, per), free)
}

/** `1 hour 30 minutes`, of an ISO 8601 duration. */
export function spanWords(language: Language, duration: string): string {
  const { spans } = wordsIn(language).limits
  const parts = [...duration.matchAll(/(\d+)([DHMS])/g)]
  return parts.map(([, count, unit]) => spans[unit as keyof typeof spans](Number(count))).join(' ')
}
