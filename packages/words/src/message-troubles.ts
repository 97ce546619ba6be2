/** Messages of anybody that an operator should look at, and why: the same on the page and in the terminal. */
import type { HistoryView, ListState } from '@courier-fleet/api-types'
import { missedIn } from '@courier-fleet/api-types/outcome'
import type { Language } from './catalogue.ts'
import { shortSpan } from './short-span.ts'

/** What is asked of `GET /v1/histories` to find them: whatever is not over, and the latest. */
export const troubledAmong: readonly { sender: '*'; limit: number; state?: ListState }[] = [
  { sender: '*', limit: 100, state: 'held' },
  { sender: '*', limit: 100, state: 'running' },
  { sender: '*', limit: 100 },
]

const maxShown = 20
/** A message that runs for longer is looked at. */
const lateMs = 60_000
/** so large a part of its people did not get it, or may not have it */
const missedShare = 0.1

const said = {
  ru: {
    held: 'ждёт оператора',
    late: (span: string) => `не закончено уже ${span}`,
    failed: (failed: string, of: string) => `не дошло: ${failed} из ${of}`,
    unknown: (unknown: string, of: string) => `неизвестно, дошло ли: ${unknown} из ${of}`,
  },
  en: {
    held: 'waits for an operator',
    late: (span: string) => `not over for ${span}`,
    failed: (failed: string, of: string) => `${failed} of ${of} did not get it`,
    unknown: (unknown: string, of: string) => `not known whether it arrived: ${unknown} of ${of}`,
  },
} as const

interface MessageInTrouble {
  readonly history: HistoryView
  readonly why: string
}

/** @param pages what was answered to `troubledAmong` */
export function messagesInTrouble(
  language: Language,
  pages: readonly { readonly histories: readonly HistoryView[] }[],
  nowMs: number,
): MessageInTrouble[] {
  const all = new Map(pages.flatMap(({ histories }) => histories).map((history) => [history.key, history]))
  return [...all.values()]
    .flatMap((history) => {
      const why = whyIn(language, history, nowMs)
      return why === undefined ? [] : [{ history, why }]
    })
    .slice(0, maxShown)
}

/** Undefined where all is well with it. */
function whyIn(language: Language, history: HistoryView, nowMs: number): string | undefined {
  const { heldSince, state, startedAt, people, audience } = history
  const words = said[language]
  if (heldSince) return words.held
  const forMs = nowMs - Date.parse(startedAt ?? '')
  if (state === 'running' && forMs > lateMs) return words.late(shortSpan(language, forMs))
  const missed = missedIn(history)
  const of = audience?.size ?? 0
  if (!people || missed === 0 || missed < of * missedShare) return undefined
  const { notDelivered, unknown } = people
  const { format } = new Intl.NumberFormat(language)
  const failed = notDelivered > 0 ? [words.failed(format(notDelivered), format(of))] : []
  // whoever is unknown may have it: sent it again they may have it twice
  return [...failed, ...(unknown > 0 ? [words.unknown(format(unknown), format(of))] : [])].join('; ')
}
