/** What an attempt costs, of its text as it goes out: counted under the ceiling of its message, and by its step. */
import { type Ceiling, countsUnder, type Tariffs } from '@courier-fleet/api-types'
import { findChannel } from '@courier-fleet/channels'
import type { ClaimBuffer } from '../claims/claim-buffer.ts'

interface Costed {
  readonly buffer: Pick<ClaimBuffer, 'message'>
  readonly address: string
  readonly text: string
  cost?: number | undefined
}

/** fits no ceiling: nobody knows what it costs */
const beyondAny = Number.MAX_SAFE_INTEGER

/** of a message without a ceiling: how many parts, whatever they cost */
const anyParts: Ceiling = { parts: beyondAny }

/** On channels that cost nothing by the part nothing is read and nothing is said. */
export function putCostsInto(chosen: readonly Costed[], channel: string, tariffs: Tariffs | null): void {
  if (findChannel(channel)?.text.kind !== 'sms-parts') return
  for (const recipient of chosen) {
    const { text, address, buffer } = recipient
    const { ceiling = anyParts } = buffer.message
    recipient.cost = countsUnder(ceiling, { text, number: address, tariffs }) ?? beyondAny
  }
}
