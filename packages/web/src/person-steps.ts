/** What happened with a message for one person, in the order of time, as far as a time is kept. */
import type { HistoryView, ReceiptView } from '@courier-fleet/api-types'

type Receipt = ReceiptView['channels'][string]

export type Step =
  /** of the whole message */
  | { readonly what: 'accepted' | 'due' | 'started' | 'withdrawn'; readonly at: string }
  | { readonly what: 'corrected' | 'toldByVoice'; readonly by: string; readonly at: string }
  | { readonly what: 'stopped'; readonly by: string | undefined; readonly at: string }
  | { readonly what: 'confirmed'; readonly channel: string; readonly at: string }
  /** the latest that is known of this leg; without a time nothing has happened yet, or none was kept */
  | { readonly what: 'receipt'; readonly leg: string; readonly receipt: Receipt; readonly at?: string }
  /** the latest that is known of a correction of what they had, or of its recall */
  | { readonly what: 'correction' | 'recall'; readonly leg: string; readonly receipt: Receipt; readonly at?: string }

export function stepsOf(
  history: HistoryView,
  { channels, corrections = {}, toldByVoice, confirmed }: ReceiptView,
): Step[] {
  const ofLegs = Object.entries(channels).map(
    ([leg, receipt]): Step => ({ what: 'receipt', leg, receipt, ...(receipt.at ? { at: receipt.at } : {}) }),
  )
  // the receipt of that channel may say it, too
  const isSaid = confirmed !== undefined && channels[confirmed.channel]?.state === 'confirmed'
  const said: Step[] = [
    ...(toldByVoice ? [{ what: 'toldByVoice', ...toldByVoice } as const] : []),
    ...(confirmed && !isSaid ? [{ what: 'confirmed', ...confirmed } as const] : []),
  ]
  const texts = history.versions?.length ?? 1
  const ofCorrections = Object.entries(corrections).map(
    ([leg, receipt]): Step => ({
      what: Number(leg.split('~')[1]) > texts ? 'recall' : 'correction',
      leg,
      receipt,
      ...(receipt.at ? { at: receipt.at } : {}),
    }),
  )
  return [...ofMessage(history), ...ofLegs, ...ofCorrections, ...said].sort(byTime)
}

function ofMessage({
  acceptedAt,
  at,
  startedAt,
  versions = [],
  recalled,
  cancelledAt,
  cancelledBy,
}: HistoryView): Step[] {
  return [
    ...(acceptedAt ? [{ what: 'accepted', at: acceptedAt } as const] : []),
    // a message for now is due as it is accepted, give or take the way to Redis
    ...(at && Math.abs(Date.parse(at) - Date.parse(acceptedAt ?? at)) >= 1000 ? [{ what: 'due', at } as const] : []),
    ...(startedAt ? [{ what: 'started', at: startedAt } as const] : []),
    ...versions.slice(1).map(({ at, by }) => ({ what: 'corrected', at, by }) as const),
    ...(recalled ? [{ what: 'withdrawn', at: recalled.at } as const] : []),
    ...(cancelledAt && !recalled ? [{ what: 'stopped', at: cancelledAt, by: cancelledBy } as const] : []),
  ]
}

/** what has no time yet is last */
const byTime = (one: Step, other: Step) =>
  (one.at ? Date.parse(one.at) : Number.POSITIVE_INFINITY) -
    (other.at ? Date.parse(other.at) : Number.POSITIVE_INFINITY) || 0
