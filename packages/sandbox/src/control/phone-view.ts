/** Phones as the page shows them: whose they are, in which state, and the latest of their chat. */
import { channelNames } from '@courier-fleet/channels'
import type { Phone, ShownMessage } from '../stand-in.ts'
import { keyOf, type World } from '../world.ts'

export interface PhoneView extends Phone {
  /** oldest first */
  readonly messages: readonly ShownMessage[]
  /** what was answered to the last press of a button */
  readonly notice?: string
}

const maxMessages = 12
/** longer texts are cut */
const maxTextLength = 4096

export function viewOf(world: World, { channel, address }: Pick<Phone, 'channel' | 'address'>): PhoneView {
  const { messages = [], notice } = world.chats[channel]?.read(address) ?? {}
  const cut = (message: ShownMessage) =>
    message.text.length > maxTextLength ? { ...message, text: `${message.text.slice(0, maxTextLength)}…` } : message
  return {
    ...world.phone(channel, address),
    messages: messages.slice(-maxMessages).map(cut),
    ...(notice === undefined ? {} : { notice }),
  }
}

/** These phones, and the others of the people whose phones they are: each once. */
export function wholePeople(world: World, phones: readonly Pick<Phone, 'channel' | 'address'>[]): PhoneView[] {
  const all = new Map(phones.map((phone) => [keyOf(phone), phone]))
  for (const { channel, address } of phones) {
    const { person } = world.phone(channel, address)
    if (person !== undefined) for (const phone of world.phonesOf(person)) all.set(keyOf(phone), phone)
  }
  return [...all.values()].map((phone) => viewOf(world, phone))
}

/**
 * Phones with the latest messages first, then those that were declared; of each channel at most so many, and the others of their
 * people.
 */
export function latestPhones(world: World, ofEach: number): PhoneView[] {
  const phones = channelNames.flatMap((channel) => {
    const active = [...(world.chats[channel]?.addresses() ?? [])].slice(-ofEach).reverse()
    const addresses = new Set(active)
    for (const phone of world.phones()) {
      if (addresses.size >= ofEach) break
      if (phone.channel === channel) addresses.add(phone.address)
    }
    return [...addresses].map((address) => ({ channel, address }))
  })
  return wholePeople(world, phones)
}

/**
 * Phones by a part of the name, the address or the id of the person, and the others of their people; signs between the digits of a
 * number do no harm.
 */
export function findPhones(world: World, wanted: string, max: number): PhoneView[] {
  const name = wanted.trim().toLowerCase()
  const digits = name.replace(/[\s()+-]/g, '')
  const number = /^\d+$/.test(digits) ? digits : undefined
  const found = new Map<string, Phone>()
  for (const phone of known(world)) {
    if (found.size === max) break
    const texts = [phone.name ?? '', phone.address, phone.person ?? ''].map((text) => text.toLowerCase())
    const isIt = texts.some((text) => text.includes(name)) || (number !== undefined && phone.address.includes(number))
    if (isIt && !found.has(keyOf(phone))) found.set(keyOf(phone), phone)
  }
  return wholePeople(world, [...found.values()])
}

function* known(world: World): Generator<Phone> {
  yield* world.phones()
  for (const channel of channelNames)
    for (const address of world.chats[channel]?.addresses() ?? []) yield world.phone(channel, address)
}
