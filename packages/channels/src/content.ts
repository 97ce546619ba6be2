/** What one channel carries of a message: couriers send it, a rehearsal counts it, a page shows it. */
import { type PersonalText, type Reader, type Rendering, renderText } from '@courier-fleet/api-types/personal-text'
import { type SenderLine, senderLineText } from '@courier-fleet/api-types/sender-line'
import { findChannel } from './channels.ts'

/** Of a message. */
export interface MessageWords {
  readonly text: string
  readonly subject?: string | undefined
  readonly senderLine?: SenderLine | undefined
}

export interface Content {
  /** with the sender line above it */
  readonly text: string
  /** where the channel has one */
  readonly subject?: string
}

/** The sender line on this channel; empty where there is none. */
export function senderLineOn(channel: string, { senderLine }: Pick<MessageWords, 'senderLine'>): string {
  if (!senderLine) return ''
  const form = senderLine.forms?.[channel] ?? 'name-and-groups'
  // GSM 03.38 has no middle dot, and with it a Latin text would need more parts
  const separator = findChannel(channel)?.text.kind === 'sms-parts' ? ', ' : ' · '
  return senderLineText(senderLine, form, separator)
}

export const below = (senderLine: string, text: string): string => (senderLine ? `${senderLine}\n${text}` : text)

export function contentOn(channel: string, words: MessageWords): Content {
  const text = below(senderLineOn(channel, words), words.text)
  const subjectOf = findChannel(channel)?.subjectOf
  return subjectOf ? { text, subject: words.subject ?? subjectOf(words.text) } : { text }
}

/** What one person reads there, or the fields that have no value for them; without the sender line. */
export const renderedOn = (channel: string, written: PersonalText, reader: Reader): Rendering =>
  renderText(written, reader, findChannel(channel)?.escapeValue)
