/** How a message is confirmed where the channel has no buttons: by an answer, with the number that stands below the text. */
import type { Confirm } from '@courier-fleet/api-types'
import { confirmButton } from '@courier-fleet/api-types/confirm-button'
import { smsPartsOf } from '@courier-fleet/api-types/sms-parts'
import { findChannel } from './channels.ts'

/** as wide as every number */
const anyNumber = '00'

/**
 * The text as this channel carries it; the same where nothing is asked for, or not in the text. In the alphabet of the text: a Cyrillic letter
 * would more than double the parts of a Latin one.
 * @param number by which an answer names the message; where only the length matters, none
 */
export function askedOn(channel: string, text: string, confirm: Confirm | undefined, number = anyNumber): string {
  if (!confirm || findChannel(channel)?.text.kind !== 'sms-parts') return text
  const isLatin = smsPartsOf(text).encoding === 'gsm'
  const answer = isLatin ? `reply YES ${number}` : `ответьте ДА ${number}`
  return `${text}\n${confirmButton(confirm, isLatin ? 'en' : 'ru')}: ${answer}`
}
