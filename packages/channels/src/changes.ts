/** What of a message that somebody has a channel can still change: a courier asks before it calls its provider, a rehearsal without calling. */
import { splitText } from '@courier-fleet/api-types/split-text'
import { findChannel } from './channels.ts'
import type { Change } from './descriptor.ts'

/** One message of a provider, and a text of one message. */
export function isEditable(channel: string, providerId: string, text: string): boolean {
  const { text: limit, abilities } = findChannel(channel) ?? {}
  if (abilities?.edit === undefined || abilities.messageId?.test(providerId) !== true) return false
  if (limit?.kind === 'pieces') return splitText(text, limit.maxPieceUnits).length === 1
  return limit?.kind === 'whole'
}

/** All of the messages are known by their ids. */
export function isDeletable(channel: string, providerIds: string): boolean {
  const { messageId } = findChannel(channel)?.abilities ?? {}
  return messageId !== undefined && providerIds.split(',').every((id) => messageId.test(id))
}

/** Whether the channel can do it at all, and does it still for what is so old. */
export const isInTime = (change: Change | undefined, ageMs: number): boolean =>
  change !== undefined && ageMs <= (change.withinMs ?? Number.POSITIVE_INFINITY)
