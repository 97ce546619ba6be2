/** How a text travels by SMS: in one part, or in several that the phone puts together again. */
import splitSms from 'split-sms'

export interface SmsParts {
  /** GSM 03.38 where the whole text can be written in it, else UCS-2 */
  readonly encoding: 'gsm' | 'ucs2'
  readonly parts: readonly string[]
  /** septets or UCS-2 units left in the last part */
  readonly left: number
}

export function smsPartsOf(text: string): SmsParts {
  const { characterSet, parts, remainingInPart } = splitSms.split(text)
  return {
    encoding: characterSet === 'GSM' ? 'gsm' : 'ucs2',
    parts: parts.map(({ content }) => content),
    left: remainingInPart,
  }
}
