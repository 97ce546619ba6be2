/** Tokens that add nobody: of those whom the others name, they leave some. Free of zod, so that a page may load it. */
import { erasedPerson } from './erased.ts'
import type { HistoryKey } from './history-key.ts'

export type Narrowing =
  /** who is not known to have got anything for so many days */
  | { readonly kind: 'unread'; readonly days: number }
  /** of the people of that message, who is not known to have it */
  | { readonly kind: 'unconfirmed'; readonly key: HistoryKey }
  /** of the people of that message, who is without it as far as is known, and is being sent it no more */
  | { readonly kind: 'unreached'; readonly key: HistoryKey }
/** The kinds that are about one message. */
export type AboutMessage = Exclude<Narrowing['kind'], 'unread'>

export const unreadPattern = /^unread:([1-9]\d{0,2})d$/
/** `~` stands for a sender who was erased: of their message nothing is left but that it was meant. */
export const aboutMessagePattern = /^(unconfirmed|unreached):(\d{2,3}\.(?:[A-Za-z0-9_-]{1,64}|~)\.[A-Za-z0-9_-]{8,40})$/

/** undefined for a token that names people. */
export function narrowingIn(token: string): Narrowing | undefined {
  const days = unreadPattern.exec(token)?.[1]
  if (days !== undefined) return { kind: 'unread', days: Number(days) }
  const [, kind, key] = aboutMessagePattern.exec(token) ?? []
  return kind === undefined ? undefined : { kind: kind as AboutMessage, key: key as HistoryKey }
}

/** Whether it names people: not one that narrows, nor what stands for somebody who was erased. */
export const namesPeople = (token: string) => token !== `user:${erasedPerson}` && !narrowingIn(token)

/** To those again of a message's people of whom this holds: what else narrowed it then is in its audience. */
export const toLeftOf = (
  { key, to = [] }: { readonly key: string; readonly to?: readonly string[] | undefined },
  kind: AboutMessage,
): string[] => [...to.filter(namesPeople), `${kind}:${key}`]
