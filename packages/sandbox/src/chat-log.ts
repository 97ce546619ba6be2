/** What stands on the phones of a channel: the latest of each phone, both ways. */
import type { EventEmitter } from 'node:events'
import type { ChannelName } from '@courier-fleet/channels'
import type { Accepted, Chats, Press, ShownMessage, WorldEvents } from './stand-in.ts'

const maxShown = 20
/** twice as many phones are kept at most; those whose latest message is the oldest are forgotten, so many at once */
const generation = 2500

interface Logged extends Omit<ShownMessage, 'state' | 'text' | 'buttons' | 'files' | 'editedAt'> {
  readonly providerId?: string
  text: string
  buttons?: NonNullable<ShownMessage['buttons']>
  files?: NonNullable<ShownMessage['files']>
  editedAt?: number
  expired?: true
}

/** What a chat log hears and asks of the World it is in. */
interface ChatWorld extends Pick<EventEmitter<WorldEvents>, 'on'> {
  isWaiting(message: Pick<Accepted, 'channel' | 'address' | 'providerId'>): boolean
}

/** Of a channel whose messages have buttons. */
export interface Buttons {
  /** @returns false when there is no such button under this message */
  press(message: Pick<Accepted, 'address' | 'providerId'>, press: Press): boolean
  /** what was answered to the last press of this phone */
  notice(address: string): string | undefined
}

export function createChatLog(world: ChatWorld, channel: ChannelName, buttons?: Buttons): Chats {
  let recent = new Map<string, Logged[]>()
  let earlier = new Map<string, Logged[]>()
  let lastId = 0

  const chatOf = (address: string) => recent.get(address) ?? earlier.get(address) ?? []
  const find = (address: string, id: string) => chatOf(address).find(({ providerId }) => providerId === id)

  function add(address: string, message: Logged): void {
    const chat = chatOf(address)
    if (chat.push(message) > maxShown) chat.shift()
    recent.delete(address)
    recent.set(address, chat)
    if (recent.size < generation) return
    earlier = recent
    recent = new Map()
  }

  // of another channel first of all: each channel has a log, and each is told of every message
  world.on('accepted', (message: Accepted) => {
    if (message.channel !== channel) return
    const { address, text, at, providerId } = message
    add(address, { id: ++lastId, from: 'client', text, at, providerId, ...shownBeside(message) })
  })
  world.on('say', ({ channel: on, address, text }) => {
    if (on === channel) add(address, { id: ++lastId, from: 'person', text, at: Date.now() })
  })
  world.on('expired', ({ channel: on, address, providerId }) => {
    const message = on === channel ? find(address, providerId) : undefined
    if (message) message.expired = true
  })
  world.on('revised', (revision) => {
    if (revision.channel !== channel) return
    const { address, providerId, text, at } = revision
    const message = find(address, providerId)
    if (!message) return
    delete message.buttons
    delete message.files
    if (text !== undefined) Object.assign(message, { text, editedAt: at, ...shownBeside(revision) })
    else chatOf(address).splice(chatOf(address).indexOf(message), 1)
  })
  world.on('forgotten', () => {
    recent.clear()
    earlier.clear()
  })

  function shown(address: string, { providerId, expired, ...message }: Logged): ShownMessage {
    if (expired) return { ...message, state: 'expired' }
    const isWaiting = providerId !== undefined && world.isWaiting({ channel, address, providerId })
    return isWaiting ? { ...message, state: 'waiting' } : message
  }

  return {
    read(address) {
      const notice = buttons?.notice(address)
      const messages = chatOf(address).map((message) => shown(address, message))
      return { messages, ...(notice === undefined ? {} : { notice }) }
    },
    press(address, press) {
      const providerId = chatOf(address).find(({ id }) => id === press.message)?.providerId
      return providerId !== undefined && (buttons?.press({ address, providerId }, press) ?? false)
    },
    addresses: () => [...[...earlier.keys()].filter((address) => !recent.has(address)), ...recent.keys()],
  }
}

const shownBeside = ({ buttons, files }: Pick<Accepted, 'buttons' | 'files'>) => ({
  ...(buttons ? { buttons } : {}),
  ...(files ? { files } : {}),
})
