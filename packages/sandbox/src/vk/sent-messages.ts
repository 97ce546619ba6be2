/** What the community has sent, for whoever changes it: https://dev.vk.com/method/messages.edit, https://dev.vk.com/method/messages.delete */
import type { Accepted } from '../stand-in.ts'
import type { World } from '../world.ts'
import type { Documents } from './documents.ts'
import { type Keyboards, labelsOf, readKeyboard } from './keyboards.ts'
import { peersOf, textIn } from './message-params.ts'
import type { Params } from './read-params.ts'
import { refusals, VkError } from './vk-error.ts'

type Sent = Pick<Accepted, 'address' | 'providerId' | 'at'>

export interface SentMessages {
  keep(message: Sent): void
  /** messages.edit. @throws VkError 909 when it is older than a day */
  edit(params: Params): 1
  /** messages.delete of one message. @throws VkError 924 when it is older than a day */
  delete(params: Params): readonly Deleted[]
}

interface Deleted {
  readonly peer_id: number
  readonly message_id: number
  readonly conversation_message_id: number
  readonly response: 1
}

const kept = 500_000
const changeableMs = 86_400_000

export function createSentMessages(
  world: World,
  keyboards: Pick<Keyboards, 'keep'>,
  documents: Pick<Documents, 'in'>,
): SentMessages {
  /** by their numbers, which are counted up: each takes the place of the one that is too old to be kept */
  const messages: Sent[] = []
  const placeOf = (id: string | undefined) => Number(id) % kept

  /** @throws VkError */
  function find(params: Params, id: string | undefined): Sent {
    const [peer = ''] = peersOf(params)
    const refusal = world.takeFault('vk', 'reject', peer)?.code ?? refusals[world.phone('vk', peer).state]
    if (refusal !== undefined) throw new VkError(Number(refusal))
    const message = messages[placeOf(id)]
    if (message?.providerId !== id || message?.address !== peer) throw new VkError(100, 'message_id is invalid')
    return message
  }

  return {
    keep(message) {
      messages[placeOf(message.providerId)] = message
    },
    edit(params) {
      const text = textIn(params)
      // documents that are not named again are gone
      const files = documents.in(params)
      const { address, providerId, at } = find(params, params.get('message_id'))
      const nowMs = Date.now()
      if (nowMs - at > changeableMs) throw new VkError(909)
      // buttons that are not named again are gone
      const keyboard = readKeyboard(params.get('keyboard'))
      keyboards.keep(providerId, keyboard)
      const buttons = labelsOf(keyboard)
      const revision = { channel: 'vk', address, providerId, text, at: nowMs } as const
      world.revise({
        ...revision,
        ...(buttons.length > 0 ? { buttons } : {}),
        ...(files.length > 0 ? { files } : {}),
      })
      return 1
    },
    delete(params) {
      const { address, providerId, at } = find(params, params.get('message_ids'))
      const nowMs = Date.now()
      if (params.get('delete_for_all') !== '1') throw new VkError(100, 'the stand-in deletes for all alone')
      if (nowMs - at > changeableMs) throw new VkError(924)
      world.revise({ channel: 'vk', address, providerId, at: nowMs })
      const message_id = Number(providerId)
      return [{ peer_id: Number(address), message_id, conversation_message_id: message_id, response: 1 }]
    },
  }
}
