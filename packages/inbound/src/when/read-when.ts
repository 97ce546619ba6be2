/**
 * A moment as people write it: `завтра 8:30`, `пт 14:00`, `in 2h`. Read in Russian and in English; whatever can be meant in
 * two ways, has passed, or names no time of day is asked back and never guessed.
 */
import { en, type ParsedResult, ru } from 'chrono-node'
import { inPlainEnglish, inPlainRussian } from './wording.ts'
import { momentsOf, offsetMinutes, type WallTime, wallTimeOf } from './zone.ts'

export type When =
  | { readonly at: number }
  /** not understood at all, or more than one moment was written */
  | { readonly ask: 'unclear' }
  /** a day without a time of day */
  | { readonly ask: 'no-time' }
  | { readonly ask: 'past'; readonly meant: number }
  /** further ahead than the bot takes */
  | { readonly ask: 'too-far'; readonly meant: number }
  | { readonly ask: 'which'; readonly either: number; readonly or: number }
  /** the clocks are put forward over it */
  | { readonly ask: 'no-such-time' }

export interface Here {
  /** Unix ms */
  readonly now: number
  /** IANA */
  readonly timeZone: string
}

const dayMs = 86_400_000
const furthestMs = 366 * dayMs
/** little words that may stand around a moment */
const filler = /^(?:[\s,.!]|пожалуйста|please|в|к|at|on|by)*$/i

export function readWhen(text: string, here: Here): When {
  const cleaned = text.trim().replace(/\s+/g, ' ')
  if (cleaned.length > 100) return { ask: 'unclear' }
  const readings = [read(ru, inPlainRussian(cleaned), here), read(en, inPlainEnglish(cleaned), here)].filter(
    (reading) => reading !== undefined,
  )
  const [first, second] = readings
  if (!first) return { ask: 'unclear' }
  if (second && 'at' in first && 'at' in second && first.at !== second.at) {
    return { ask: 'which', either: Math.min(first.at, second.at), or: Math.max(first.at, second.at) }
  }
  return first
}

/** One language's reading; undefined when it does not account for all that was written. */
function read(language: typeof ru | typeof en, text: string, here: Here): When | undefined {
  const reference = { instant: new Date(here.now), timezone: offsetMinutes(here.now, here.timeZone) }
  const results = language.parse(text, reference, { forwardDate: true })
  const [result] = results
  if (!result || results.length > 1 || result.end) return undefined
  const rest = text.slice(0, result.index) + text.slice(result.index + result.text.length)
  return filler.test(rest) ? meant(result, text, here) : undefined
}

function meant({ start }: ParsedResult, text: string, here: Here): When {
  if (!start.isCertain('hour')) return { ask: 'no-time' }
  // said from now on (`in 2h`), or with an offset of its own: a moment, whatever the clocks do
  if (start.isCertain('timezoneOffset')) return inTime(start.date().getTime(), here)

  const of = (part: 'year' | 'month' | 'day' | 'hour' | 'minute') => start.get(part) ?? 0
  const wall: WallTime = {
    year: of('year'),
    month: of('month'),
    day: of('day'),
    hour: of('hour'),
    minute: of('minute'),
  }
  const isDated = start.isCertain('day') || start.isCertain('weekday')
  // `8:30` is today's, and has passed when it has: chrono would take tomorrow's without a word
  if (!isDated) return onTheClock(today(wall, here), here)
  if (start.isCertain('weekday') && !start.isCertain('day') && !/next|след/i.test(text)) {
    const sameDay = momentsOf(today(wall, here), here.timeZone)[0]
    const isToday = start.get('weekday') === weekdayOf(here)
    const named = momentsOf(wall, here.timeZone)[0]
    if (isToday && sameDay !== undefined && sameDay > here.now && named !== undefined) {
      return { ask: 'which', either: sameDay, or: named === sameDay ? named + 7 * dayMs : named }
    }
  }
  return onTheClock(wall, here)
}

function onTheClock(wall: WallTime, here: Here): When {
  const [either, or] = momentsOf(wall, here.timeZone)
  if (either === undefined) return { ask: 'no-such-time' }
  if (or !== undefined && or > here.now) return { ask: 'which', either, or }
  return inTime(either, here)
}

function inTime(at: number, { now }: Here): When {
  if (at <= now) return { ask: 'past', meant: at }
  return at - now > furthestMs ? { ask: 'too-far', meant: at } : { at }
}

function today(wall: WallTime, { now, timeZone }: Here): WallTime {
  const { year, month, day } = wallTimeOf(now, timeZone)
  return { ...wall, year, month, day }
}

function weekdayOf({ now, timeZone }: Here): number {
  const { year, month, day } = wallTimeOf(now, timeZone)
  return new Date(Date.UTC(year, month - 1, day)).getUTCDay()
}
