/** A text somebody typed into a phone, as the deliver_sm messages that bring it to a client. */
import { randomInt } from 'node:crypto'
import { type PduFields, smpp } from '@courier-fleet/smpp/protocol'

/** The number people write to. */
export const shortCode = '3377'

const maxSeptets = 160
const maxUnits = 70
const maxUnitsInPart = 67

export function incomingFields(from: string, text: string): PduFields[] {
  const addresses = {
    source_addr_ton: 1,
    source_addr_npi: 1,
    source_addr: from.replace(/^\+/, ''),
    destination_addr: shortCode,
  }
  const { ASCII, UCS2 } = smpp.encodings
  const septets = ASCII.match(text) ? ASCII.encode(text) : undefined
  if (septets && septets.length <= maxSeptets) return [{ ...addresses, data_coding: 0, short_message: septets }]
  if (text.length <= maxUnits) return [{ ...addresses, data_coding: 8, short_message: UCS2.encode(text) }]
  const parts = partsOf(text)
  const reference = randomInt(256)
  return parts.map((part, index) => ({
    ...addresses,
    data_coding: 8,
    esm_class: 0x40,
    short_message: Buffer.concat([Buffer.from([5, 0, 3, reference, parts.length, index + 1]), UCS2.encode(part)]),
  }))
}

/** Pieces of at most 67 UTF-16 units that keep surrogate pairs whole. */
function partsOf(text: string): string[] {
  const parts: string[] = []
  for (let start = 0; start < text.length; ) {
    let end = start + maxUnitsInPart
    if (/[\uD800-\uDBFF]/.test(text.charAt(end - 1))) end -= 1
    parts.push(text.slice(start, end))
    start = end
  }
  return parts
}
