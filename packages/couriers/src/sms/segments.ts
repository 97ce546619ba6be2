/** A text as the segments that carry it: one, or several that the phone puts together by their user data headers. */
import { createRequire } from 'node:module'
import { smpp } from './smpp.ts'

interface SplitSms {
  split(text: string): { characterSet: 'GSM' | 'Unicode'; parts: { content: string }[] }
}
const { split }: SplitSms = createRequire(import.meta.url)('split-sms')

export interface Segment {
  readonly text: string
  /** GSM 03.38 (one septet an octet, packed on the air) or UCS-2 */
  readonly coding: 'gsm' | 'ucs2'
  /** `text` in that coding */
  readonly octets: Buffer
  /** concatenation with an 8 bit reference, its length octet included; empty for a message of one segment */
  readonly header: Buffer
}

/** The header counts in one octet. */
export const mostSegments = 255

/** @param reference the same for all segments, and on a resend; only its lowest 8 bits travel */
export function segmentsOf(text: string, reference: bigint): Segment[] {
  const { characterSet, parts } = split(text)
  const coding = characterSet === 'GSM' ? 'gsm' : 'ucs2'
  const { encode } = coding === 'gsm' ? smpp.encodings.ASCII : smpp.encodings.UCS2
  return parts.map(({ content }, index) => ({
    text: content,
    coding,
    octets: encode(content),
    header:
      parts.length === 1
        ? Buffer.alloc(0)
        : Buffer.from([5, 0, 3, Number(BigInt.asUintN(8, reference)), parts.length, index + 1]),
  }))
}
