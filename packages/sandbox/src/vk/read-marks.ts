/** Who has read what the community has sent: told once, with the newest of the messages that were seen, by `message_read`. */
import { Remembered } from '../remembered.ts'
import type { Accepted, Phone } from '../stand-in.ts'
import type { World } from '../world.ts'

export interface ReadEvent {
  readonly from_id: number
  readonly peer_id: number
  readonly read_message_id: number
  readonly conversation_message_id: number
}

const kept = 100_000

/** @returns what ends it */
export function tellReads(world: World, tell: (event: ReadEvent) => void): () => void {
  /** by address: the newest message that nobody has looked at; empty once somebody has */
  const unread = new Remembered<string>(kept)
  const note = ({ channel, address, providerId }: Accepted) => {
    if (channel === 'vk') unread.set(address, providerId)
  }
  const look = ({ channel, address }: Pick<Phone, 'channel' | 'address'>) => {
    const newest = channel === 'vk' ? unread.get(address) : undefined
    if (!newest) return
    unread.set(address, '')
    const peer = Number(address)
    const id = Number(newest)
    tell({ from_id: peer, peer_id: peer, read_message_id: id, conversation_message_id: id })
  }
  world.on('accepted', note)
  world.on('opened', look)
  return () => {
    world.off('accepted', note)
    world.off('opened', look)
  }
}
