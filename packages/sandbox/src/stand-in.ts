/** What stand-ins tell each other and the outside: messages, faults, phones, chats. */
import type { ChannelName } from '@courier-fleet/channels'
import type { WebhookError } from '@courier-fleet/client'

/** A file that goes with messages: its bytes by what they come to. */
export interface SentFile {
  readonly name: string
  /** bytes */
  readonly size: number
  /** hex */
  readonly sha256: string
}

/** What a provider was given, whether a message has it or not. */
export interface Uploaded extends SentFile {
  readonly channel: ChannelName
}

/** One message a provider took responsibility for. */
export interface Accepted {
  readonly channel: ChannelName
  readonly address: string
  readonly text: string
  /** the idempotency key the client gave (random_id, id …); empty when the protocol has none */
  readonly key: string
  /** Unix ms */
  readonly at: number
  readonly providerId: string
  /** of SMS: the second centre took it; absent: the first did */
  readonly centre?: 'second'
  /** labels of the buttons under it, row by row */
  readonly buttons?: readonly (readonly string[])[]
  /** that came with it */
  readonly files?: readonly SentFile[]
  /** of mail: the address by which a mail program unsubscribes, as its header has it */
  readonly unsubscribe?: string
  /** of a call: its body, byte for byte, and what its signature is worth */
  readonly body?: string
  readonly signature?: Signature
}

/** A message that was changed after it was accepted. */
export interface Revision extends Pick<Accepted, 'channel' | 'address' | 'providerId' | 'at'> {
  /** what it says from now on; absent: it is deleted */
  readonly text?: string
  /** labels under it from now on, row by row, where the channel log shows them; absent: none */
  readonly buttons?: readonly (readonly string[])[]
  /** that are with it from now on; absent: none are */
  readonly files?: readonly SentFile[]
}

/** Of a call, as its receiver sees it; `unchecked`: it has one, and the receiver was given no secret. */
export type Signature = 'valid' | 'unchecked' | WebhookError['code']

/** What a receiver was called with. */
export interface ReceivedCall {
  /** the same at every try; empty where the caller gave none */
  readonly id: string
  readonly signature: Signature
  /** a status */
  readonly answered: number | 'nothing'
  readonly tries: number
}

/** The person at the other end of an address. */
export interface Phone {
  readonly channel: ChannelName
  readonly address: string
  /** whose it is, for the page */
  readonly name?: string
  /** the same for all phones of a person, which the page shows together */
  readonly person?: string
  /** in which its person uses Telegram, which tells bots */
  readonly language?: string
  /** off: the provider takes messages as ever, and keeps them until the phone is on again */
  readonly state: 'ok' | 'off' | 'blocked' | 'deactivated' | 'unknown'
}

/** What is not said stays as it is. */
export type PhoneChange = Pick<Phone, 'channel' | 'address'> & Partial<Phone>

export interface IncomingMessage {
  readonly channel: ChannelName
  readonly address: string
  readonly text: string
  /** of the link that was followed, where a channel tells it beside the text */
  readonly ref?: string
}

/** A message as its person sees it now. */
export interface ShownMessage {
  readonly id: number
  readonly from: 'person' | 'client'
  readonly text: string
  /** labels, row by row */
  readonly buttons?: readonly (readonly string[])[]
  /** that are with it */
  readonly files?: readonly SentFile[]
  /** Unix ms */
  readonly at: number
  readonly editedAt?: number
  /** waiting: the phone is off · expired: it was off for too long, and the message never came; absent: it is there */
  readonly state?: 'waiting' | 'expired'
  /** of a receiver, where messages are calls: the latest try */
  readonly call?: ReceivedCall
}

/** What a person does to a button: presses it by its label, or, with a client that is not honest, sends data of their own. */
export type Press =
  | { readonly message: number; readonly label: string }
  | { readonly message: number; readonly data: string }

/** The chats of a channel, seen from the phones. */
export interface Chats {
  /** the latest messages, oldest first, and what the client last answered to a press */
  read(address: string): { readonly messages: readonly ShownMessage[]; readonly notice?: string }
  /** @returns false when there is no such message or button */
  press(address: string, press: Press): boolean
  /** those with messages, whoever had the latest one at the end */
  addresses(): Iterable<string>
}

/** What happens in a World. */
export interface WorldEvents {
  accepted: [Accepted]
  /** somebody typed into a phone: the stand-in of that channel carries it to its clients */
  say: [IncomingMessage]
  /** somebody looks at the chat on this phone, and sees all that is in it */
  opened: [Pick<Phone, 'channel' | 'address'>]
  /** the state of a phone is another one now, or its name */
  phone: [phone: Phone, before: Phone]
  /** a message says something else now, or is gone */
  revised: [Revision]
  /** something else on this phone: a press was answered */
  changed: [Pick<Phone, 'channel' | 'address'>]
  /** the provider gave a message up that waited for its phone */
  expired: [Pick<Accepted, 'channel' | 'address' | 'providerId'>]
  /** there are other faults */
  faults: []
  /** everything accepted is forgotten */
  forgotten: []
}
