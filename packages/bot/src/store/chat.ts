/** What the bot remembers of one person's conversation; plain JSON. */
import type { MessageInput } from '@courier-fleet/api-types'
import type { Hours } from '@courier-fleet/inbound'
import type { Language } from '@courier-fleet/words'

export interface Chat {
  /** Telegram user id */
  readonly address: string
  /** chosen with /lang; else the person's own */
  language?: Language
  /** the person's own, as far as it was ever heard: what is said while the fleet does not answer is said in it, too */
  ownLanguage?: Language
  /** the latest events that were dealt with: Telegram may tell them again */
  handled: string[]
  /** the buttons that are good now; all others are out of date */
  keyboard?: Keyboard
  /** what the next text will be taken for */
  step?: Step
  draft?: Draft
  /** confirmed messages of which not all has been told yet */
  outgoing: OutgoingMessage[]
  /** keys of the latest confirmed messages: what is offered under them holds */
  sent?: string[]
}

export interface Keyboard {
  readonly messageId: number
  /** what a press must contain, so that nobody can make one up */
  readonly nonce: string
  /** by the number in the button; what a press means never leaves this file */
  readonly actions: readonly Action[]
}

export type Step =
  | { readonly kind: 'audience'; readonly query: string; readonly page: number }
  | { readonly kind: 'text' }
  | { readonly kind: 'field'; readonly asked: readonly AskedField[] }
  | { readonly kind: 'when' }
  | { readonly kind: 'preview' }
  | { readonly kind: 'moved'; readonly key: string }

export interface Draft {
  readonly to: readonly Recipient[]
  readonly text?: string
  /** what it says, where that is more than this text: a template, or texts with values for their fields */
  readonly said?: Said
  /** Unix ms; at once when absent */
  readonly at?: number
  /** of the audience that was shown */
  readonly sha256?: string
  /** the same was sent to the same people before, and they were told so: confirmed now it is meant */
  readonly isMeant?: true
}

export type Said = Pick<MessageInput, 'text' | 'language' | 'template' | 'fields'>

/** A field of a text that the sender gives a value for. */
export interface AskedField {
  readonly name: string
  /** as the sender is asked for it */
  readonly label: string
  readonly example?: string
}

export interface Recipient {
  /** group:ivt-101 */
  readonly token: string
  readonly name: string
}

/** A message that was confirmed: its key is fixed before anything is sent. */
export interface OutgoingMessage {
  readonly key: string
  /** the message in the chat that tells how it goes */
  readonly messageId: number
  readonly language: Language
  readonly timeZone: string
  /** what they are called whom it is for */
  readonly to?: readonly string[]
  /** as confirmed, until it was accepted */
  readonly unsent?: Draft
  /** once it was over: how many people were told to be without it, or perhaps */
  readonly told?: number
  /** Unix ms */
  readonly confirmedAt: number
}

export type Action =
  | { readonly do: 'toggle'; readonly recipient: Recipient }
  | { readonly do: 'page' | 'topics' | 'types' | 'templates'; readonly page: number }
  | { readonly do: 'template'; readonly id: string }
  | { readonly do: 'topic'; readonly id: string; readonly joins: boolean; readonly page: number }
  | { readonly do: 'type'; readonly id: string; readonly isOn: boolean; readonly page: number }
  | { readonly do: 'quiet'; readonly hours: Hours }
  | { readonly do: 'show-all' | 'chosen' | 'drop' | 'send' | 'later' | 'now' | 'audience' | 'text' | 'unlink' | 'keep' }
  | { readonly do: 'pick'; readonly what: Picked; readonly key: string }
  | { readonly do: 'send-waiting' | 'cancel-waiting'; readonly key: string }
  | { readonly do: 'repeat-to-all' | 'repeat-to-missed'; readonly key: string }
  | { readonly do: 'language'; readonly language: Language }

export type Picked = 'cancel' | 'reschedule' | 'repeat' | 'waiting'

/** Its text, as the fleet is told it. */
export const saidOf = ({ text = '', said }: Draft): Said => said ?? { text }

const maxHandledEvents = 50
const maxSent = 30

export function newChat(address: string): Chat {
  return { address, handled: [], outgoing: [] }
}

export function markHandled(chat: Chat, event: string): void {
  chat.handled = [...chat.handled, event].slice(-maxHandledEvents)
}

export function markSent(chat: Chat, key: string): void {
  chat.sent = [...(chat.sent ?? []).filter((each) => each !== key), key].slice(-maxSent)
}
