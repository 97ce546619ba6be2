/** What stands on the phones of a channel whose messages stay as they are: the latest of each phone, both ways. */
import type { Accepted, Chats, SandboxChannel, ShownMessage, World } from './stand-in.ts'

const shownAtMost = 20
/** the phones whose latest message is the oldest are forgotten */
const phonesAtMost = 5000

interface Logged extends Omit<ShownMessage, 'state'> {
  readonly providerId?: string
  expired?: true
}

export function createChatLog(world: World, channel: SandboxChannel): Chats {
  const chats = new Map<string, Logged[]>()
  let lastId = 0

  function add(address: string, message: Omit<Logged, 'id'>): void {
    const chat = chats.get(address) ?? []
    if (chat.push({ id: ++lastId, ...message }) > shownAtMost) chat.shift()
    chats.delete(address)
    chats.set(address, chat)
    if (chats.size > phonesAtMost) chats.delete(chats.keys().next().value as string)
  }

  world.on('accepted', ({ channel: on, address, text, at, providerId }: Accepted) => {
    if (on === channel) add(address, { from: 'client', text, at, providerId })
  })
  world.on('say', ({ channel: on, address, text }) => {
    if (on === channel) add(address, { from: 'person', text, at: Date.now() })
  })
  world.on('expired', ({ channel: on, address, providerId }) => {
    const message = on === channel ? chats.get(address)?.find((each) => each.providerId === providerId) : undefined
    if (message) message.expired = true
  })
  world.on('forgotten', () => chats.clear())

  function shown(address: string, { providerId, expired, ...message }: Logged): ShownMessage {
    if (expired) return { ...message, state: 'expired' }
    const isWaiting = providerId !== undefined && world.isWaiting({ channel, address, providerId })
    return isWaiting ? { ...message, state: 'waiting' } : message
  }

  return {
    read: (address) => ({ messages: (chats.get(address) ?? []).map((message) => shown(address, message)) }),
    press: () => false,
    addresses: () => chats.keys(),
  }
}
