/** What one channel carries of a message: couriers send it, a rehearsal counts it, a page shows it. */
import type { MessageFile, MessageFileView } from '@courier-fleet/api-types/files'
import { type PersonalText, type Reader, type Rendering, renderText } from '@courier-fleet/api-types/personal-text'
import { type SenderLine, senderLineText } from '@courier-fleet/api-types/sender-line'
import { findChannel } from './channels.ts'

/** Of a message. */
export interface MessageWords {
  readonly text: string
  readonly subject?: string | undefined
  readonly senderLine?: SenderLine | undefined
  readonly files?: readonly MessageFile[] | undefined
}

export interface Content {
  /** with the sender line above it, and below it the links of files that do not go with it */
  readonly text: string
  /** where the channel has one */
  readonly subject?: string
  /** that go with the message itself; absent where none do */
  readonly files?: readonly MessageFile[]
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

/**
 * What becomes of files there: programs are told of all of them beside the text, and people have them with it, or read links below it.
 * @param text that they are to go with; absent: it is not known
 */
export function filesOn<File>(
  channel: string,
  files: readonly File[],
  text = '',
): { readonly taken: readonly File[]; readonly linked: readonly File[] } {
  const { isForSystems, takesFiles } = findChannel(channel) ?? {}
  const { most = 0, maxTextUnits = Number.POSITIVE_INFINITY } = takesFiles ?? {}
  const isTaken = isForSystems || (files.length <= most && text.length <= maxTextUnits)
  return isTaken ? { taken: files, linked: [] } : { taken: [], linked: files }
}

/** Each of them, with those of these channels on which it is a link. @param words absent: what they will be is not known */
export const filesView = (
  files: readonly MessageFile[],
  channels: readonly string[],
  words?: Pick<MessageWords, 'text' | 'senderLine'>,
): MessageFileView[] => {
  const asLink = channels.filter((channel) => {
    const text = words && below(senderLineOn(channel, words), words.text)
    return filesOn(channel, files, text).linked.length > 0
  })
  return files.map((file) => ({ ...file, asLink }))
}

/** As it stands below the text. By SMS without its name: what it is called would be paid for. */
export const linkLine = (channel: string, { name, link }: Pick<MessageFile, 'name' | 'link'>): string =>
  findChannel(channel)?.text.kind === 'sms-parts' ? link : `${name}: ${link}`

/** With the links of these below it. */
export const withLinks = (channel: string, text: string, files: readonly MessageFile[]): string =>
  [text, ...files.map((file) => linkLine(channel, file))].join('\n')

export function contentOn(channel: string, words: MessageWords): Content {
  const said = below(senderLineOn(channel, words), words.text)
  const { taken, linked } = filesOn(channel, words.files ?? [], said)
  const text = withLinks(channel, said, linked)
  const subjectOf = findChannel(channel)?.subjectOf
  return {
    text,
    ...(subjectOf ? { subject: words.subject ?? subjectOf(words.text) } : {}),
    ...(taken.length > 0 ? { files: taken } : {}),
  }
}

/** What one person reads there, or the fields that have no value for them; without the sender line. */
export const renderedOn = (channel: string, written: PersonalText, reader: Reader): Rendering =>
  renderText(written, reader, findChannel(channel)?.escapeValue)
