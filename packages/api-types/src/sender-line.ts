/**
 * Who writes, and to which groups: what a recipient reads above the text. It is composed when the message is accepted and kept
 * with it, so that a person who is renamed or removed later changes nothing. Free of zod, so that a page may load it.
 */

/** What a channel shows of it. */
export const senderLineForms = ['name-and-groups', 'name', 'off'] as const
export type SenderLineForm = (typeof senderLineForms)[number]

export interface SenderLine {
  /** Гусева А. П. */
  readonly name: string
  /** ИВТ-101, ИВТ-102 +3; empty when the message is addressed to no group */
  readonly groups: string
  /** by channel; all of it where a channel is absent */
  readonly forms?: Readonly<Record<string, SenderLineForm>>
}

/** @returns empty when nothing is to be shown */
export function senderLineText({ name, groups }: SenderLine, form: SenderLineForm, separator: string): string {
  if (form === 'off') return ''
  return form === 'name' || groups === '' ? name : `${name}${separator}${groups}`
}
