/** How many messages a text becomes on each channel, and how long they are: a forecast of what the couriers do. */

import type { Confirm } from '@courier-fleet/api-types'
import { smsPartsOf } from '@courier-fleet/api-types/sms-parts'
import { splitText } from '@courier-fleet/api-types/split-text'
import { below, channels } from '@courier-fleet/channels'
import { askedOn } from '@courier-fleet/channels/asked'

/** What a text is on one channel. */
export interface ChannelText {
  readonly channel: string
  /** messages, one after the other */
  readonly pieces: readonly string[]
  /** what is paid for; 0 where nothing is */
  readonly smsParts: number
}

/**
 * @param wanted channels; all there are when absent
 * @param senderLines what stands above the text, by channel, as a rehearsal says it
 * @param confirm where its people are asked to confirm it: what stands below the text
 */
export function textOn(
  wanted: readonly string[] | undefined,
  text: string,
  senderLines: Readonly<Record<string, string>> = {},
  confirm?: Confirm,
): ChannelText[] {
  return channels
    .filter(({ name, isForSystems }) => wanted?.includes(name) ?? !isForSystems)
    .map(({ name, text: form }) => {
      const whole = askedOn(name, below(senderLines[name] ?? '', text), confirm)
      if (form.kind === 'sms-parts') return { channel: name, pieces: [whole], smsParts: smsPartsOf(whole).parts.length }
      return {
        channel: name,
        pieces: form.kind === 'pieces' ? splitText(whole, form.maxPieceUnits) : [whole],
        smsParts: 0,
      }
    })
}
