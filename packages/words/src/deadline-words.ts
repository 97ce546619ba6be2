/** How many were told of a message within its deadline, in one sentence: of those who were told, for of the others nothing is known yet. */
import type { HistoryView } from '@courier-fleet/api-types'
import type { Language } from './catalogue.ts'
import { spanWords } from './limit-words.ts'
import { wordsIn } from './words-in.ts'

/** `In time (30 minutes): 992 of the 1000 it was sent to, 99.2 %.`; nothing while it was sent to nobody. */
export function deadlineWords(language: Language, { deadline }: Pick<HistoryView, 'deadline'>): string[] {
  const { within, inTime, late } = deadline ?? { within: '', inTime: 0, late: 0 }
  if (inTime + late === 0) return []
  const of = inTime + late
  return [wordsIn(language).inTime(spanWords(language, within), inTime, of, shareWords(language, inTime, of))]
}

/** `99.2 %`; never all or none of it where one is missing or there. */
export function shareWords(language: Language, part: number, all: number): string {
  const tenths = (1000 * part) / all
  const share = part > 0 && tenths < 1 ? 1 : Math.floor(tenths)
  return `${wordsIn(language).number(share / 10)} %`
}
