/** A text as the segments that carry it: one, or several that the phone puts together by their user data headers. */
import { type SmsParts, smsPartsOf } from '@courier-fleet/api-types'
import { smpp } from '@courier-fleet/smpp'

export interface Segment {
  readonly text: string
  /** GSM 03.38 (one septet an octet, packed on the air) or UCS-2 */
  readonly coding: SmsParts['encoding']
  /** `text` in that coding */
  readonly octets: Buffer
  /** concatenation with an 8 bit reference, its length octet included; empty for a message of one segment */
  readonly header: Buffer
}

/** The header counts in one octet. */
export const maxSegments = 255

/** @param reference the same for all segments, and on a resend; only its lowest 8 bits travel */
export function segmentsOf(text: string, reference: bigint): Segment[] {
  const { encoding: coding, parts } = smsPartsOf(text)
  const { encode } = coding === 'gsm' ? smpp.encodings.ASCII : smpp.encodings.UCS2
  return parts.map((part, index) => ({
    text: part,
    coding,
    octets: encode(part),
    header:
      parts.length === 1
        ? Buffer.alloc(0)
        : Buffer.from([5, 0, 3, Number(BigInt.asUintN(8, reference)), parts.length, index + 1]),
  }))
}
