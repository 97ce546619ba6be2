/** What happened with a message for one person, in the order of time, as far as a time is known. */
import type { HistoryView, ReceiptView } from '@courier-fleet/api-types'

type Receipt = ReceiptView['channels'][string]

export type Step =
  | { readonly what: 'accepted' | 'due' | 'started'; readonly at: string }
  | { readonly what: 'toldByVoice'; readonly by: string; readonly at: string }
  /** the latest that is known of this leg; without a time nothing has happened yet, or none was kept */
  | { readonly what: 'receipt'; readonly leg: string; readonly receipt: Receipt; readonly at?: string }

export function stepsOf({ acceptedAt, at, startedAt }: HistoryView, { channels, toldByVoice }: ReceiptView): Step[] {
  const ofMessage: Step[] = [
    ...(acceptedAt ? [{ what: 'accepted', at: acceptedAt } as const] : []),
    // a message for now is due as it is accepted, give or take the way to Redis
    ...(at && Math.abs(Date.parse(at) - Date.parse(acceptedAt ?? at)) >= 1000 ? [{ what: 'due', at } as const] : []),
    ...(startedAt ? [{ what: 'started', at: startedAt } as const] : []),
  ]
  const ofLegs = Object.entries(channels).map(
    ([leg, receipt]): Step => ({ what: 'receipt', leg, receipt, ...(receipt.at ? { at: receipt.at } : {}) }),
  )
  const said: Step[] = toldByVoice ? [{ what: 'toldByVoice', ...toldByVoice }] : []
  return [...ofMessage, ...[...ofLegs, ...said].sort(byTime)]
}

/** what has no time yet is last */
const byTime = (one: Step, other: Step) =>
  (one.at ? Date.parse(one.at) : Number.POSITIVE_INFINITY) -
    (other.at ? Date.parse(other.at) : Number.POSITIVE_INFINITY) || 0
