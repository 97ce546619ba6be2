/** Delivery receipts as SMS centres write them: optional parameters where there are any, else the text of appendix B. */
import type { Pdu } from '@courier-fleet/smpp'
import type { DeliveryReport } from '../courier.ts'

/** message_state (5.2.28) by its word in the receipt's text */
const words = ['SCHEDULED', 'ENROUTE', 'DELIVRD', 'EXPIRED', 'DELETED', 'UNDELIV', 'ACCEPTD', 'UNKNOWN', 'REJECTD']
const failures: ReadonlySet<string> = new Set(['EXPIRED', 'DELETED', 'UNDELIV', 'REJECTD'])

/** undefined for what says nothing final: on its way, accepted, unknown, unreadable. */
export function parseReceipt(pdu: Pdu): DeliveryReport | undefined {
  const text = textOf(pdu)
  const ids = [pdu.receipted_message_id, /\bid:\s*([^\s]+)/i.exec(text)?.[1]].filter(
    (id) => id !== undefined && id !== '',
  )
  const word = words[pdu.message_state ?? -1] ?? /\bstat:\s*([A-Z]+)/i.exec(text)?.[1]?.toUpperCase()
  if (ids.length === 0 || !word) return undefined
  const providerIds = [...new Set(ids.flatMap((id) => idForms(id as string)))]
  if (word === 'DELIVRD') return { providerIds, state: 'delivered' }
  if (!failures.has(word)) return undefined
  const error = /\berr:\s*([^\s]+)/i.exec(text)?.[1]
  return { providerIds, state: 'failed', reason: error && !/^0*$/.test(error) ? `${word}, error ${error}` : word }
}

function textOf(pdu: Pdu): string {
  const message = (pdu.message_payload ?? pdu.short_message)?.message ?? ''
  return typeof message === 'string' ? message : message.toString('latin1')
}

/** Shorter ids are not converted: 10 and 16 would each be taken for the other's hexadecimal form. */
const shortestConverted = 8

/**
 * The id as it is, then the other ways the same number may have been written in the answer to the submit: without leading
 * zeros, in the other case, in hexadecimal where this is decimal and the other way round, filled up to the usual lengths.
 */
export function idForms(id: string): string[] {
  const forms = [id]
  if (id.length >= shortestConverted && /^\d+$/.test(id)) {
    const number = BigInt(id)
    forms.push(number.toString(), ...hexForms(number))
  }
  if (id.length >= shortestConverted && /^[0-9a-f]+$/i.test(id)) {
    const number = BigInt(`0x${id}`)
    forms.push(...hexForms(number), number.toString(), number.toString().padStart(10, '0'))
  }
  return [...new Set(forms)]
}

function hexForms(number: bigint): string[] {
  const hex = number.toString(16)
  return [hex, hex.padStart(8, '0')].flatMap((form) => [form, form.toUpperCase()])
}
