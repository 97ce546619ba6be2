/** Delivery receipts as SMS centres write them: optional parameters where there are any, else the text of appendix B. */
import type { Pdu } from '@courier-fleet/smpp'
import type { DeliveryReport } from '../courier.ts'

/** message_state (5.2.28) by its word in the receipt's text */
const words = ['SCHEDULED', 'ENROUTE', 'DELIVRD', 'EXPIRED', 'DELETED', 'UNDELIV', 'ACCEPTD', 'UNKNOWN', 'REJECTD']
/** by names that stand in 5.2.28 for the same */
const otherWords: Readonly<Record<string, string>> = {
  DELIVERED: 'DELIVRD',
  UNDELIVERABLE: 'UNDELIV',
  UNDELIVERED: 'UNDELIV',
  ACCEPTED: 'ACCEPTD',
  REJECTED: 'REJECTD',
}
const failures: ReadonlySet<string> = new Set(['EXPIRED', 'DELETED', 'UNDELIV', 'REJECTD'])

/** undefined for what says nothing final: on its way, accepted, unknown, unreadable. */
export function parseReceipt(pdu: Pdu): DeliveryReport | undefined {
  const text = textOf(pdu)
  const ids = [pdu.receipted_message_id, /\bid:\s*([^\s]+)/i.exec(text)?.[1]].filter(
    (id) => id !== undefined && id !== '',
  )
  const said = /\bstat:\s*([A-Z]+)/i.exec(text)?.[1]?.toUpperCase()
  const word = words[pdu.message_state ?? -1] ?? (said && (otherWords[said] ?? said))
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

/**
 * A shorter id is not converted to the other base: the receipts of two messages with the ids 10 and 16 would each be taken for
 * the other's, which is worse than one that stays `sent`.
 */
const shortestConverted = 8

/** What the receipt of a message with this id is looked for under: leading zeros and the case of its digits say nothing. */
export const reportIdOf = (id: string): string =>
  /^[0-9a-f]+$/i.test(id) ? id.toLowerCase().replace(/^0+(?=.)/, '') : id

/** The id as it is, as it is looked for, and the same number in hexadecimal where this is decimal, and the other way round. */
export function idForms(id: string): string[] {
  const forms = [id, reportIdOf(id)]
  if (id.length >= shortestConverted && /^\d+$/.test(id)) forms.push(BigInt(id).toString(16))
  if (id.length >= shortestConverted && /^[0-9a-f]+$/i.test(id)) forms.push(BigInt(`0x${id}`).toString())
  return [...new Set(forms)]
}
