/** Why a message does not go on: nobody is sent it on a channel at this moment. How long it takes at the pace of before says nothing then. */
import type { ChannelView } from './fleet.ts'
import type { HistoryView } from './history-view.ts'

export interface Standstill {
  readonly channel: string
  /** an operator has paused it; or none of its couriers can send, as far as they have given a sign of life */
  readonly why: 'paused' | 'no-courier'
  /** ISO 8601; absent where it is not known */
  readonly since?: string | undefined
}

type Channel = Pick<ChannelView, 'channel' | 'ready' | 'paused' | 'couriers'>

/** Of the channels on which people of a running message are still to be told. */
export function standstillsOf(
  { state, channels: legs }: Pick<HistoryView, 'state' | 'channels'>,
  channels: readonly Channel[],
): Standstill[] {
  if (state !== 'running') return []
  const open = new Set(Object.entries(legs).flatMap(([leg, { pending }]) => (pending > 0 ? leg.split('~', 1) : [])))
  return channels.flatMap(({ channel, ready, paused, couriers }): Standstill[] => {
    if (!open.has(channel)) return []
    if (paused) return [{ channel, why: 'paused', since: paused.pausedSince }]
    return ready ? [] : [{ channel, why: 'no-courier', since: sinceWhen(couriers) }]
  })
}

/** Since the last of those that are listed could send; who has ended is not listed, and it is not known when. */
function sinceWhen(couriers: Channel['couriers']): string | undefined {
  const each = couriers.map(({ silent, seenAt, notReady }) => (silent ? seenAt : notReady?.since))
  const known = each.filter((since) => since !== undefined)
  return known.length === each.length ? known.toSorted().at(-1) : undefined
}
