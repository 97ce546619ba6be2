/** A delivery report as SMPP 3.4 words it (appendix B). */
import type { PduFields } from '@courier-fleet/smpp/protocol'
import type { DeliveryReport } from './delivery-reports.ts'

/** 5.2.28 */
const messageState = { DELIVRD: 2, EXPIRED: 3, UNDELIV: 5 } as const

export function reportFields(report: DeliveryReport, to: string, doneAt = new Date()): PduFields {
  const delivered = report.state === 'DELIVRD'
  const text = [
    `id:${report.id}`,
    'sub:001',
    `dlvrd:${delivered ? '001' : '000'}`,
    `submit date:${minute(report.submittedAt)}`,
    `done date:${minute(doneAt)}`,
    `stat:${report.state}`,
    `err:${delivered ? '000' : '001'}`,
    // only what any coding can carry
    `text:${report.text.slice(0, 20).replace(/[^ -Z a-z]/g, '?')}`,
  ].join(' ')
  return {
    source_addr_ton: 1,
    source_addr_npi: 1,
    source_addr: report.address.slice(1),
    destination_addr: to,
    esm_class: 0x04,
    data_coding: 0,
    short_message: Buffer.from(text, 'ascii'),
    receipted_message_id: report.id,
    message_state: messageState[report.state],
  }
}

/** YYMMDDhhmm, UTC */
function minute(date: Date): string {
  return date.toISOString().replace(/\D/g, '').slice(2, 12)
}
