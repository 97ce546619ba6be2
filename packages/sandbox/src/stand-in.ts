/**
 * What all stand-ins share: the book of what was accepted, the phones, the limits and the faults. One sandbox process has
 * one World; the stand-ins speak their protocols and consult it.
 */
import { EventEmitter } from 'node:events'
import { createChatLog } from './chat-log.ts'
import { type Fault, Faults } from './faults.ts'
import { realLimits } from './limits.ts'

export type SandboxChannel = 'telegram' | 'vk' | 'sms'

/** One message a provider took responsibility for. */
export interface Accepted {
  readonly channel: SandboxChannel
  readonly address: string
  readonly text: string
  /** the idempotency key the client gave (random_id, id …); empty when the protocol has none */
  readonly key: string
  /** Unix ms */
  readonly at: number
  readonly providerId: string
}

/** The person at the other end of an address. */
export interface Phone {
  readonly channel: SandboxChannel
  readonly address: string
  /** whose it is, for the page */
  readonly name?: string
  /** off: the provider takes messages as ever, and keeps them until the phone is on again */
  readonly state: 'ok' | 'off' | 'blocked' | 'deactivated' | 'unknown'
}

/** What is not said stays as it is. */
export type PhoneChange = Pick<Phone, 'channel' | 'address'> & Partial<Phone>

export interface IncomingMessage {
  readonly channel: SandboxChannel
  readonly address: string
  readonly text: string
}

/** A message as its person sees it now. */
export interface ShownMessage {
  readonly id: number
  readonly from: 'person' | 'client'
  readonly text: string
  /** labels, row by row */
  readonly buttons?: readonly (readonly string[])[]
  /** Unix ms */
  readonly at: number
  readonly editedAt?: number
  /** waiting: the phone is off · expired: it was off for too long, and the message never came; absent: it is there */
  readonly state?: 'waiting' | 'expired'
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

interface WorldEvents {
  accepted: [Accepted]
  /** somebody typed into a phone: the stand-in of that channel carries it to its clients */
  say: [IncomingMessage]
  /** the state of a phone is another one now, or its name */
  phone: [Phone]
  /** something else on this phone: a message was edited, a press was answered */
  changed: [Pick<Phone, 'channel' | 'address'>]
  /** the provider gave a message up that waited for its phone */
  expired: [Pick<Accepted, 'channel' | 'address' | 'providerId'>]
  /** everything accepted is forgotten */
  forgotten: []
}

export class World extends EventEmitter<WorldEvents> {
  readonly accepted: Accepted[] = []
  limits = realLimits()
  /** those of Telegram, where messages change and have buttons, are entered by its stand-in */
  readonly chats: Partial<Record<SandboxChannel, Chats>> = {}
  /** true: an address nobody has declared is a working phone; false: it is unknown to the provider */
  openPhones = true
  readonly #faults = new Faults()
  readonly #phones = new Map<string, Phone>()
  /** provider's ids of the messages that wait, by phone that is off */
  readonly #waiting = new Map<string, Set<string>>()

  constructor() {
    super()
    this.chats.vk = createChatLog(this, 'vk')
    this.chats.sms = createChatLog(this, 'sms')
  }

  accept(message: Accepted): void {
    this.accepted.push(message)
    if (this.#waiting.size > 0) this.#waiting.get(keyOf(message))?.add(message.providerId)
    this.emit('accepted', message)
  }

  addFault(fault: Fault): void {
    this.#faults.add(fault)
  }

  clearFaults(channel?: SandboxChannel): void {
    this.#faults.clear(channel)
  }

  faults(): readonly Fault[] {
    return this.#faults.list()
  }

  /** The first fault of this kind that applies, one use of it spent; for a fault without addresses any address will do. */
  takeFault(channel: SandboxChannel, kind: Fault['kind'], address?: string): Fault | undefined {
    return this.#faults.take(channel, kind, address)
  }

  /** Whether a `refuse-once` refuses this attempt. @param key the message's own; attempts with the same key are the same message */
  refusesOnce(channel: SandboxChannel, address: string, key: string): boolean {
    return this.#faults.refusesOnce(channel, address, key)
  }

  setPhone(change: PhoneChange): void {
    const phone = { ...this.phone(change.channel, change.address), ...change }
    const key = keyOf(phone)
    this.#phones.set(key, phone)
    if (phone.state !== 'off') this.#waiting.delete(key)
    else if (!this.#waiting.has(key)) this.#waiting.set(key, new Set())
    this.emit('phone', phone)
  }

  /** Whether a message has not reached its phone: it was switched off when it was accepted, and still is. */
  isWaiting({ channel, address, providerId }: Pick<Accepted, 'channel' | 'address' | 'providerId'>): boolean {
    return this.#waiting.get(keyOf({ channel, address }))?.has(providerId) ?? false
  }

  phone(channel: SandboxChannel, address: string): Phone {
    return (
      this.#phones.get(keyOf({ channel, address })) ?? { channel, address, state: this.openPhones ? 'ok' : 'unknown' }
    )
  }

  phones(): Phone[] {
    return [...this.#phones.values()]
  }

  say(message: IncomingMessage): void {
    this.emit('say', message)
  }

  forget(): void {
    this.accepted.length = 0
    this.emit('forgotten')
  }
}

export const keyOf = ({ channel, address }: Pick<Phone, 'channel' | 'address'>) => `${channel}:${address}`

/** A running stand-in; `endpoint` is what a client needs to talk to it (served by `GET /endpoints`). */
export interface StandIn<Endpoint> {
  readonly endpoint: Endpoint
  stop(): Promise<void>
}

/** Clients of the stand-ins are configured with these; none of the values is a secret. */
export interface TelegramEndpoint {
  readonly host: string
  readonly port: number
  readonly apiId: number
  readonly apiHash: string
  readonly botToken: string
  /** the DC's RSA key, PKCS#1 PEM, and its fingerprint as a signed 64-bit decimal */
  readonly publicKey: string
  readonly fingerprint: string
}
export interface VkEndpoint {
  /** for vk-io's apiBaseUrl: http://127.0.0.1:PORT/method */
  readonly apiBaseUrl: string
  readonly token: string
  readonly groupId: number
}
export interface SmsEndpoint {
  readonly host: string
  readonly port: number
  readonly systemId: string
  readonly password: string
  /** what people write to */
  readonly number: string
  /** Kannel-shaped sendsms: http://127.0.0.1:PORT/cgi-bin/sendsms, same user and password */
  readonly sendsmsUrl: string
}
export interface Endpoints {
  readonly telegram: TelegramEndpoint
  readonly vk: VkEndpoint
  readonly sms: SmsEndpoint
}
