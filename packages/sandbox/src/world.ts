/**
 * What all stand-ins share: what was accepted, the phones, the limits and the faults. One sandbox process has
 * one World; the stand-ins speak their protocols and consult it.
 */
import { EventEmitter } from 'node:events'
import type { ChannelName } from '@courier-fleet/channels'
import { type CentreName, type Fault, Faults } from './faults.ts'
import { realLimits } from './limits.ts'
import type {
  Accepted,
  Chats,
  IncomingMessage,
  Phone,
  PhoneChange,
  Revision,
  Uploaded,
  WorldEvents,
} from './stand-in.ts'

export class World extends EventEmitter<WorldEvents> {
  readonly accepted: Accepted[] = []
  readonly revisions: Revision[] = []
  /** files that providers were given, each as often as it was */
  readonly uploads: Uploaded[] = []
  /** of systems: how many there were, how many with an id that had come before, and how many of these were another call */
  readonly calls = { came: 0, repeated: 0, changed: 0 }
  limits = realLimits()
  /** entered by the stand-ins */
  readonly chats: Partial<Record<ChannelName, Chats>> = {}
  /** what people write to, by channel; entered by the stand-ins */
  readonly inboundAddresses: Partial<Record<ChannelName, string>> = {}
  /** true: an address nobody has declared is a working phone; false: it is unknown to the provider */
  openPhones = true
  readonly #faults = new Faults()
  readonly #phones = new Map<string, Phone>()
  /** keys of the phones of each person */
  readonly #phonesOf = new Map<string, Set<string>>()
  /** provider's ids of the messages that wait, by phone that is off */
  readonly #waiting = new Map<string, Set<string>>()

  accept(message: Accepted): void {
    this.accepted.push(message)
    if (this.#waiting.size > 0) this.#waiting.get(keyOf(message))?.add(message.providerId)
    this.emit('accepted', message)
  }

  revise(revision: Revision): void {
    this.revisions.push(revision)
    this.emit('revised', revision)
  }

  addFault(fault: Fault): void {
    this.#faults.add(fault)
    this.emit('faults')
  }

  clearFaults(channel?: ChannelName): void {
    this.#faults.clear(channel)
    this.emit('faults')
  }

  faults(): readonly Fault[] {
    return this.#faults.list()
  }

  /** The first fault of this kind that applies, one use of it spent; for a fault without addresses any address will do. */
  takeFault(channel: ChannelName, kind: Fault['kind'], address?: string, centre?: CentreName): Fault | undefined {
    return this.#faults.take(channel, kind, address, centre)
  }

  /** Whether a `refuse-once` refuses this attempt. @param key attempts with the same one are of the same message */
  refusesOnce(channel: ChannelName, address: string, key: string): boolean {
    return this.#faults.refusesOnce(channel, address, key)
  }

  setPhone(change: PhoneChange): void {
    const before = this.phone(change.channel, change.address)
    const phone = { ...before, ...change }
    const key = keyOf(phone)
    this.#phones.set(key, phone)
    if (before.person !== undefined) this.#phonesOf.get(before.person)?.delete(key)
    if (phone.person !== undefined)
      this.#phonesOf.set(phone.person, (this.#phonesOf.get(phone.person) ?? new Set()).add(key))
    if (phone.state !== 'off') this.#waiting.delete(key)
    else if (!this.#waiting.has(key)) this.#waiting.set(key, new Set())
    this.emit('phone', phone, before)
  }

  /** Whether a message has not reached its phone: it was switched off when it was accepted, and still is. */
  isWaiting({ channel, address, providerId }: Pick<Accepted, 'channel' | 'address' | 'providerId'>): boolean {
    return this.#waiting.get(keyOf({ channel, address }))?.has(providerId) ?? false
  }

  phone(channel: ChannelName, address: string): Phone {
    return (
      this.#phones.get(keyOf({ channel, address })) ?? { channel, address, state: this.openPhones ? 'ok' : 'unknown' }
    )
  }

  phones(): Phone[] {
    return [...this.#phones.values()]
  }

  phonesOf(person: string): Phone[] {
    return [...(this.#phonesOf.get(person) ?? [])].flatMap((key) => this.#phones.get(key) ?? [])
  }

  say(message: IncomingMessage): void {
    this.emit('say', message)
  }

  /** Its person looks at the chat; while the phone is off nobody does. */
  open(phone: Pick<Phone, 'channel' | 'address'>): void {
    if (this.phone(phone.channel, phone.address).state !== 'off') this.emit('opened', phone)
  }

  forget(): void {
    this.accepted.length = 0
    this.revisions.length = 0
    this.emit('forgotten')
  }
}

export const keyOf = ({ channel, address }: Pick<Phone, 'channel' | 'address'>) => `${channel}:${address}`
