/** A submit_sm as the centre takes it. */
import type { Pdu, PduFields } from '@courier-fleet/smpp/protocol'
import { toE164 } from './address.ts'
import type { Submission } from './centre.ts'
import { type Part, partOf } from './reassembly.ts'
import { reportFields } from './report-text.ts'

const wantedReports = ['none', 'all', 'failures', 'successes'] as const

/** @param sendReport takes a delivery report of this message */
export function submissionOf(pdu: Pdu, sendReport: (fields: PduFields) => void): Submission {
  const address = toE164(pdu.destination_addr ?? '')
  const source = pdu.source_addr ?? ''
  const { message, udh } = pdu.message_payload ?? pdu.short_message ?? { message: '' }
  const wanted = wantedReports[(pdu.registered_delivery ?? 0) & 3]
  return {
    address,
    text: typeof message === 'string' ? message : message.toString('latin1'),
    part: partOf(udh ?? pdu.short_message?.udh ?? [], `${source} ${address}`) ?? sarPart(pdu, `${source} ${address}`),
    ...(wanted === 'none' || wanted === undefined
      ? {}
      : { reports: { wanted, send: (report) => sendReport(reportFields(report, source)) } }),
  }
}

/** Concatenation told in optional parameters instead of a user data header. */
function sarPart(pdu: Pdu, between: string): Part | undefined {
  const { sar_msg_ref_num: reference, sar_total_segments: total, sar_segment_seqnum: number } = pdu
  if (reference === undefined || !total || !number || number > total) return undefined
  return { message: `${between} sar ${reference}`, number, total }
}
