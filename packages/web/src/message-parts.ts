/** How many messages a text becomes on each channel, and how long they are: a forecast of what the couriers do. */

import { type SmsParts, smsPartsOf } from '@courier-fleet/api-types/sms-parts'
import { splitText } from '@courier-fleet/api-types/split-text'
import { below, channels, type TextLimit } from '@courier-fleet/channels'

/** The channels that take a text in the same pieces. */
interface PiecesMeasure {
  readonly channels: readonly string[]
  readonly pieces: readonly string[]
}

export interface TextMeasure {
  /** characters as people count them */
  readonly length: number
  /** the smallest pieces first */
  readonly pieces: readonly PiecesMeasure[]
  /** for the channels that take parts of SMS */
  readonly sms: SmsParts & { readonly channels: readonly string[] }
}

const characters = new Intl.Segmenter(undefined, { granularity: 'grapheme' })
const maxPieceUnitsOf = (limit: TextLimit) => (limit.kind === 'pieces' ? limit.maxPieceUnits : Number.POSITIVE_INFINITY)

const inPieces = channels.filter(({ text }) => text.kind !== 'sms-parts')
const inSmsParts = channels.filter(({ text }) => text.kind === 'sms-parts').map(({ name }) => name)

/** @param senderLines what stands above the text, by channel, as a rehearsal says it */
export function measureText(text: string, senderLines: Readonly<Record<string, string>> = {}): TextMeasure {
  let length = 0
  for (const _ of characters.segment(text)) length += 1
  const lineOf = (channel: string) => senderLines[channel] ?? ''
  const alike = new Map<string, { limit: number; line: string; channels: string[] }>()
  for (const { name, text: form } of inPieces) {
    const [limit, line] = [maxPieceUnitsOf(form), lineOf(name)]
    const key = `${limit} ${line}`
    alike.set(key, { limit, line, channels: [...(alike.get(key)?.channels ?? []), name] })
  }
  const pieces = [...alike.values()]
    .sort((a, b) => a.limit - b.limit)
    .map(({ limit, line, channels }) => ({ channels, pieces: text === '' ? [] : splitText(below(line, text), limit) }))
  const sms = smsPartsOf(below(lineOf(inSmsParts[0] ?? ''), text))
  return { length, pieces, sms: { ...sms, channels: inSmsParts } }
}
