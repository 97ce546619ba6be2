/** How many messages a text becomes on each channel, and how long they are: a forecast of what the couriers do. */

import { type SmsParts, smsPartsOf } from '@courier-fleet/api-types/sms-parts'
import { splitText } from '@courier-fleet/api-types/split-text'
import { channels, type TextLimit } from '@courier-fleet/channels'

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
const maxPieceUnits = [...new Set(inPieces.map(({ text }) => maxPieceUnitsOf(text)))].sort((a, b) => a - b)

export function measureText(text: string): TextMeasure {
  let length = 0
  for (const _ of characters.segment(text)) length += 1
  const pieces = maxPieceUnits.map((limit) => ({
    channels: inPieces.filter((channel) => maxPieceUnitsOf(channel.text) === limit).map(({ name }) => name),
    pieces: text === '' ? [] : splitText(text, limit),
  }))
  return { length, pieces, sms: { ...smsPartsOf(text), channels: inSmsParts } }
}
