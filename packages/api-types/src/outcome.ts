/** What a history says in the end. Free of zod, so that a page may load it. */

import type { ChannelLedger, Ending, HistoryView } from './history-view.ts'
import type { PeopleClass } from './people-classes.ts'

export function isOver({ state }: Pick<HistoryView, 'state'>): boolean {
  return state === 'settled' || state === 'cancelled'
}

/** Providers report for so long after they have taken a message. */
export const reportsComeMs = 3 * 86_400_000

/** Whether a history that is over may still change: a provider has not confirmed all that it has taken, and still may. */
export function mayBeReported(history: Pick<HistoryView, 'state' | 'settledAt' | 'people'>, nowMs: number): boolean {
  const { state, settledAt, people } = history
  if (state !== 'settled' || !people?.handedOver) return false
  return nowMs < Date.parse(settledAt ?? '') + reportsComeMs
}

/** Likewise, or somebody finds out what became of those who are unknown, or has them sent to again. */
export function mayChange(history: Pick<HistoryView, 'state' | 'settledAt' | 'people'>, nowMs: number): boolean {
  const { state, settledAt, people } = history
  if (state !== 'settled' || !(people?.handedOver || people?.unknown)) return false
  return nowMs < Date.parse(settledAt ?? '') + reportsComeMs
}

/** Expected channels that have not settled. */
export function silentChannels({ expected, channels }: Pick<HistoryView, 'expected' | 'channels'>): string[] {
  return expected.filter((channel) => channels[channel]?.state !== 'settled')
}

/** Everyone a message was for and who has an address on one of its channels, or was told by voice. */
export function withContactOf(people: Readonly<Record<PeopleClass, number>>): number {
  const { delivered, sentToChat, handedOver, pending, toldByVoice, unknown, notDelivered } = people
  return delivered + sentToChat + handedOver + pending + toldByVoice + unknown + notDelivered
}

/** People who are known to be without it, or of whom it is not known: when they become more, it is worse than it seemed. */
export function missedIn({ people }: Pick<HistoryView, 'people'>): number {
  return people ? people.notDelivered + people.unknown : 0
}

/** What a history amounts to, as far as it is known. */
export function endingOf({ people }: Pick<HistoryView, 'people'>): Ending {
  // not started, or cancelled before it did
  if (!people) return 'nothing'
  const withContact = withContactOf(people)
  const handed = people.delivered + people.sentToChat + people.handedOver
  if (withContact === 0) return 'nobody'
  if (people.delivered === withContact) return 'everyone'
  if (handed === withContact) return 'handed-over'
  if (handed > 0) return 'some'
  return people.unknown + people.pending > 0 ? 'unknown' : 'nothing'
}

/** Receipts of one channel that say that it was taken or more. */
export function takenOn({ sent, delivered, read, confirmed }: ChannelLedger): number {
  return sent + delivered + read + confirmed
}
