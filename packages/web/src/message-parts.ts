/** What a text becomes on its way: how many messages, of which length. The couriers decide; this says it beforehand. */

import { type SmsParts, smsPartsOf } from '@courier-fleet/api-types/sms-parts'
import { splitText } from '@courier-fleet/api-types/split-text'

/** UTF-16 units a message of Telegram or VK takes */
export const mostUnits = 4096

interface ChatMeasure {
  readonly pieces: readonly string[]
}

interface TextMeasure {
  /** characters as people count them */
  readonly length: number
  readonly chat: ChatMeasure
  readonly sms: SmsParts
}

const characters = new Intl.Segmenter(undefined, { granularity: 'grapheme' })

export function measureText(text: string): TextMeasure {
  let length = 0
  for (const _ of characters.segment(text)) length += 1
  return { length, chat: { pieces: text === '' ? [] : splitText(text, mostUnits) }, sms: smsPartsOf(text) }
}
