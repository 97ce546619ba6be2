/** What a message of its own begins with that corrects an older text, in the language of the new one, by the fleet's own clock. */

export interface SentWhen {
  /** when the message that is corrected went out, Unix ms */
  readonly sentMs: number
  /** Unix ms */
  readonly nowMs: number
  /** of the fleet */
  readonly timeZone: string
}

/** On another day than it was sent the day is named, too. */
export function introOf(text: string, { sentMs, nowMs, timeZone }: SentWhen): string {
  const isRussian = /\p{Script=Cyrillic}/u.test(text)
  const day = (ms: number) => new Date(ms).toLocaleDateString('en-CA', { timeZone })
  const form: Intl.DateTimeFormatOptions = {
    timeZone,
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
    ...(day(sentMs) === day(nowMs) ? {} : { day: 'numeric', month: 'long' }),
  }
  const when = new Date(sentMs).toLocaleString(isRussian ? 'ru' : 'en-GB', form)
  return isRussian ? `Исправление к сообщению от ${when}:` : `Correction of the message of ${when}:`
}
