/** messages.send: https://dev.vk.com/method/messages.send */

import { Remembered } from '../remembered.ts'
import type { SentFile } from '../stand-in.ts'
import type { World } from '../world.ts'
import type { Documents } from './documents.ts'
import { type Keyboard, type Keyboards, labelsOf, readKeyboard } from './keyboards.ts'
import { peersOf, textIn } from './message-params.ts'
import type { Params } from './read-params.ts'
import type { SentMessages } from './sent-messages.ts'
import { describeError, peerErrorCodes, refusals, VkError } from './vk-error.ts'

interface PeerAnswer {
  readonly peer_id: number
  readonly message_id: number
  readonly conversation_message_id: number
  readonly error?: { readonly code: number; readonly description: string }
}

interface Sent {
  readonly randomId: string
  /** ids of what was taken under it, by peer; absent under 0, under which nothing is folded */
  readonly known: Map<string, number> | undefined
  readonly text: string
  readonly keyboard: Keyboard
  readonly files: readonly SentFile[]
}

/** so many random_ids are still known, with the peers of each; VK itself remembers for about an hour */
const rememberedIds = 500_000

/** @throws VkError when the call as a whole is refused; one peer's refusal among many stands in the answer */
export function createMessagesSend(
  world: World,
  keyboards: Pick<Keyboards, 'keep'>,
  sent: Pick<SentMessages, 'keep'>,
  documents: Pick<Documents, 'in'>,
): (params: Params) => number | PeerAnswer[] {
  const knownUnder = new Remembered<Map<string, number>>(rememberedIds)
  let lastMessageId = 0

  return (params) => {
    const randomId = params.get('random_id')
    if (!randomId || !/^-?\d{1,19}$/.test(randomId)) throw new VkError(100, 'random_id is a required parameter')
    const keyboard = readKeyboard(params.get('keyboard'))
    const what = { randomId, known: knownOf(randomId), text: textIn(params), keyboard, files: documents.in(params) }
    const peers = peersOf(params)
    // refusals first: a call that is refused as a whole must not have reached anybody
    const codes = peers.map((peer) => refusalOf(peer, randomId))
    const many = params.has('peer_ids') || params.has('user_ids')
    if (!many && codes[0] !== undefined) throw new VkError(codes[0])
    const answers = peers.map((peer, i) => answer(peer, codes[i], what))
    return many ? answers : (answers[0]?.message_id ?? 0)
  }

  function knownOf(randomId: string): Sent['known'] {
    if (randomId === '0') return undefined
    const known = knownUnder.get(randomId) ?? new Map<string, number>()
    knownUnder.set(randomId, known)
    return known
  }

  function refusalOf(peer: string, randomId: string): number | undefined {
    const injected = world.takeFault('vk', 'reject', peer)
    if (!injected && world.refusesOnce('vk', peer, randomId)) return refusals.blocked
    if (!injected) return refusals[world.phone('vk', peer).state]
    const code = Number(injected.code ?? 901)
    if (!peerErrorCodes.has(code)) throw new VkError(code)
    return code
  }

  function answer(peer: string, code: number | undefined, what: Sent): PeerAnswer {
    const peer_id = Number(peer)
    if (code !== undefined)
      return { peer_id, message_id: 0, conversation_message_id: 0, error: { code, description: describeError(code) } }
    const message_id = accept(peer, what)
    return { peer_id, message_id, conversation_message_id: message_id }
  }

  function accept(peer: string, { randomId, known, text, keyboard, files }: Sent): number {
    const earlier = known?.get(peer)
    if (earlier !== undefined) return earlier
    const messageId = ++lastMessageId
    known?.set(peer, messageId)
    const providerId = String(messageId)
    const labels = labelsOf(keyboard)
    if (labels.length > 0) keyboards.keep(providerId, keyboard)
    const message = { channel: 'vk', address: peer, text, key: randomId, at: Date.now(), providerId } as const
    const buttons = labels.length > 0 ? { buttons: labels } : {}
    const isPlain = labels.length === 0 && files.length === 0
    const accepted = isPlain ? message : { ...message, ...buttons, ...(files.length > 0 ? { files } : {}) }
    sent.keep(accepted)
    world.accept(accepted)
    return messageId
  }
}
