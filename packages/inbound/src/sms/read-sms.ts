/** What a deliver_sm carries: a text, or a part of one. */
import type { Pdu } from '@courier-fleet/smpp'
import { senderNumber } from './sender-number.ts'

export interface Part {
  /** what the parts of one text have in common beside the two numbers */
  readonly reference: string
  /** from 1 */
  readonly number: number
  readonly total: number
}

export interface SmsText {
  /** undefined for what nobody writes from */
  readonly from: string | undefined
  readonly to: string
  /** undefined when it is no text: binary data, or a coding nobody has told of */
  readonly text: string | undefined
  readonly part: Part | undefined
}

const international = 1
const national = 2
const alphanumeric = 5

export function readSms(pdu: Pdu): SmsText {
  const payload = pdu.message_payload ?? pdu.short_message
  const message = payload?.message
  return {
    from: senderOf(pdu),
    to: pdu.destination_addr ?? '',
    text: typeof message === 'string' ? message : message?.length === 0 ? '' : undefined,
    part: headerPart(payload?.udh ?? []) ?? tlvPart(pdu),
  }
}

function senderOf({ source_addr: address = '', source_addr_ton: type }: Pdu): string | undefined {
  if (type === alphanumeric) return undefined
  return senderNumber(address, type === international ? true : type === national ? false : undefined)
}

/** Concatenation by the user data header, with a reference of 8 or 16 bits (3GPP 23.040, 9.2.3.24.1 and .8). */
function headerPart(elements: readonly Buffer[]): Part | undefined {
  for (const element of elements) {
    if (element[0] === 0x00 && element.length === 5)
      return partOf(`8 ${element[2]}`, element[3] as number, element[4] as number)
    if (element[0] === 0x08 && element.length === 6)
      return partOf(`16 ${element.readUInt16BE(2)}`, element[4] as number, element[5] as number)
  }
  return undefined
}

/** Concatenation by optional parameters (SMPP 3.4, 5.3.2.22 to 24). */
function tlvPart({ sar_msg_ref_num: reference, sar_total_segments: total, sar_segment_seqnum: number }: Pdu) {
  return reference === undefined ? undefined : partOf(`sar ${reference}`, total ?? 0, number ?? 0)
}

function partOf(reference: string, total: number, number: number): Part | undefined {
  return total > 1 && number >= 1 && number <= total ? { reference, number, total } : undefined
}
