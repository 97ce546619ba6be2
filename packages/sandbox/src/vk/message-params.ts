/** What the methods of messages have in common. */
import type { Params } from './read-params.ts'
import { VkError } from './vk-error.ts'

const maxPeers = 100
const maxTextLength = 4096

/** @throws VkError 100, 914 */
export function textIn(params: Params): string {
  const text = params.get('message') ?? ''
  if (text.trim() === '') throw new VkError(100, 'message is empty or invalid')
  if (text.length > maxTextLength) throw new VkError(914)
  return text
}

/** @throws VkError 100 when nobody is named, or too many, or something that is no id */
export function peersOf(params: Params): string[] {
  const list = params.get('peer_ids') ?? params.get('user_ids')
  const one = params.get('peer_id') ?? params.get('user_id')
  const peers = list === undefined ? [one ?? ''] : list.split(',').map((peer) => peer.trim())
  if (peers.length > maxPeers) throw new VkError(100, `peer_ids should be less or equal to ${maxPeers} items`)
  if (!peers.every((peer) => /^[1-9]\d{0,15}$/.test(peer))) throw new VkError(100, 'peer_id is invalid')
  return peers
}
