/** Segments by SMPP 3.4: submit_sm out, receipts in. */
import { randomBytes } from 'node:crypto'
import {
  createSmppConnection,
  isDeliveryReport,
  type Pdu,
  type PduFields,
  type SmppUrl,
  statusName,
} from '@courier-fleet/smpp'
import type { CourierDeps, DeliveryReport } from '../courier.ts'
import type { OwnReadiness } from '../readiness.ts'
import { type Answer, noRoom, type Submission, type Transport } from './answer.ts'
import { referenceOf } from './reference.ts'
import { parseReceipt, reportIdOf } from './smpp-receipts.ts'
import { refusalOf } from './smpp-status.ts'
import type { SmsTiming } from './timing.ts'

export interface SmppTransportOptions {
  readonly url: SmppUrl
  /** source address: alphanumeric, short code or number; empty leaves it to the SMS centre */
  readonly sender: string
  readonly window: number
  readonly timing: SmsTiming
  readonly readiness: OwnReadiness
  readonly deps: Pick<CourierDeps, 'onReport' | 'log'>
}

const ok = 0x00
/** ESME_RX_T_APPN: the SMS centre keeps it and offers it again */
const later = 0x64
/** store and forward is the default; this says a user data header begins the message */
const withHeader = 0x40
const finalReceipt = 1

export function smppTransport({ url, sender, window, timing, readiness, deps }: SmppTransportOptions): Transport {
  const { log } = deps
  // a late answer comes to the process that asked, or to nobody
  const secret = randomBytes(32)

  /**
   * A receipt is answered once it is recorded. A text from a phone is never answered with success: nobody here reads it, so
   * the SMS centre must keep it.
   */
  const onDeliver = async (pdu: Pdu): Promise<number> => {
    if (!isDeliveryReport(pdu)) return later
    try {
      const receipt = parseReceipt(pdu)
      if (receipt) await deps.onReport(receipt)
      return ok
    } catch (error) {
      log.warn({ err: error }, 'a delivery receipt could not be recorded; the SMS centre will bring it again')
      return later
    }
  }

  /** The answer came after the message was called unknown, under its own reference: its id is noted for the receipt. */
  function reportLate(reference: string, { command_status: status, message_id: id }: Pdu): void {
    const answered = id ? { providerId: id, reportId: reportIdOf(id) } : { providerId: reference, reportId: reference }
    const report: DeliveryReport =
      status === 0
        ? { providerIds: [reference], state: 'sent', answered }
        : {
            providerIds: [reference],
            state: 'failed',
            reason: `${statusName(status)}: the SMS centre refused it, late`,
          }
    deps.onReport(report).catch((error: unknown) => log.warn({ err: error }, 'a late answer could not be recorded'))
  }

  const connection = createSmppConnection({
    connect: { host: url.host, port: url.port, tls: url.tls },
    systemId: url.systemId,
    password: url.password,
    window,
    timing,
    onDeliver,
    onBound: readiness.ready,
    onUnbound: readiness.lose,
    log,
  })

  return {
    start: (signal) => connection.start(signal),
    stop: () => connection.stop(),

    async submit(submission, limit): Promise<Answer> {
      // the last segment speaks for the whole: by its late answer all of it was accepted
      const { key, address, wantsReceipt } = submission
      const reference = referenceOf(secret, key, address)
      const onLate = wantsReceipt ? (pdu: Pdu) => reportLate(reference, pdu) : undefined
      const response = await connection.request('submit_sm', fieldsOf(submission, sender), limit, onLate)
      if (response.kind === 'not-sent' && limit.aborted) return noRoom
      if (response.kind === 'not-sent') return { kind: 'not-sent', why: 'not connected to the SMS centre' }
      if (response.kind === 'unanswered')
        return { kind: 'unknown', why: response.why, ...(wantsReceipt ? { providerId: reference } : {}) }
      const { command_status: status, message_id: id } = response.pdu
      if (status !== 0) return refusalOf(status)
      // without an id no receipt can ever be matched: accepted all the same
      return id ? { kind: 'accepted', id, reportId: reportIdOf(id) } : { kind: 'accepted', id: reference }
    },
  }
}

/** Octets and an explicit coding: left to itself the package would guess, and say 1 for GSM. */
function fieldsOf({ address, segment, wantsReceipt }: Submission, sender: string): PduFields {
  return {
    ...sourceOf(sender),
    dest_addr_ton: 1,
    dest_addr_npi: 1,
    destination_addr: address.replace(/^\+/, ''),
    esm_class: segment.header.length > 0 ? withHeader : 0,
    registered_delivery: wantsReceipt ? finalReceipt : 0,
    data_coding: segment.coding === 'gsm' ? 0 : 8,
    short_message: Buffer.concat([segment.header, segment.octets]),
  }
}

/** Type of number and numbering plan: alphanumeric, international, or a short code the SMS centre knows. */
function sourceOf(sender: string): PduFields {
  if (/[^+\d]/.test(sender)) return { source_addr_ton: 5, source_addr_npi: 0, source_addr: sender }
  const digits = sender.replace(/^\+/, '')
  const international = sender.startsWith('+') || digits.length > 8
  return { source_addr_ton: international ? 1 : 0, source_addr_npi: international ? 1 : 0, source_addr: digits }
}
