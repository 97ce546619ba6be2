/** From the items of a batch to calls of messages.send, and back from the calls' outcomes to the items'. */
import { splitText } from '@courier-fleet/api-types'
import { vk } from '@courier-fleet/channels'
import type { Item, Outcome } from '../courier.ts'
import type { Attached } from '../with-files.ts'
import { confirmKeyboard } from './confirm-keyboard.ts'
import { maxPeers, type SendCall } from './execute.ts'
import { ownKey, randomIdOf } from './random-id.ts'

const badAddress: Outcome = { kind: 'rejected', class: 'invalid', detail: 'bad-address: no VK peer id' }

export interface PeerBatches {
  /** The calls of the next part of every text that has one; none when all is said. */
  next(): SendCall[]
  /** @param answers to what next() gave: who did not get this part is not sent the one after it */
  settle(answers: readonly (readonly Outcome[])[]): void
  /** one for each item, in order */
  readonly outcomes: Outcome[]
}

export function peerBatchesOf(items: readonly (Item & Attached)[]): PeerBatches {
  const outcomes: Outcome[] = new Array(items.length)
  const parts = splitter()
  let part = -1
  /** indexes of those who have got all parts so far */
  let left: number[] = []
  for (let i = 0; i < items.length; i += 1) {
    outcomes[i] = badAddress
    if (isPeerId((items[i] as Item).address)) left.push(i)
  }

  if (left.some((i, at) => isOtherText(items[i], items[left[at - 1] ?? i]))) left = togetherByText(items, left)

  return {
    outcomes,
    next() {
      part += 1
      // of every text there is a first
      if (part > 0) left = left.filter((i) => part < parts((items[i] as Item).text).length)
      const calls: (SendCall & { readonly peers: string[] })[] = []
      let before: (Item & Attached) | undefined
      for (const i of left) {
        const item = items[i] as Item & Attached
        const last = calls.at(-1)
        const own = parts(item.text)
        // a button is of one person alone, and stands under the last part
        const isLast = part === own.length - 1
        const keyboard = item.confirm && isLast ? confirmKeyboard(item.confirm) : undefined
        // documents go with the last part, below which their links would stand
        const attachment = isLast ? attachmentOf(item) : undefined
        const isSame = before?.key === item.key && before.text === item.text
        const isPlain = keyboard === undefined && last?.keyboard === undefined && last?.attachment === attachment
        if (last && last.peers.length < maxPeers && isSame && isPlain) {
          last.peers.push(item.address)
        } else {
          const randomId = randomIdOf(keyboard === undefined ? item.key : ownKey(item), part)
          const text = own[part] as string
          calls.push({ class: item.class, randomId, text, peers: [item.address], keyboard, attachment })
        }
        before = item
      }
      return calls
    },
    settle(answers) {
      let at = 0
      let got = 0
      for (const answer of answers) {
        for (const outcome of answer) {
          const i = left[at++] as number
          outcomes[i] = part > 0 ? joined(outcomes[i], outcome) : outcome
          if (outcome.kind === 'sent') left[got++] = i
        }
      }
      left.length = got
    },
  }
}

/** A message in several parts has the ids of all of them, and is read when the last of them is. */
const joined = (before: Outcome | undefined, outcome: Outcome): Outcome =>
  before?.kind === 'sent' && outcome.kind === 'sent'
    ? { kind: 'sent', providerId: `${before.providerId},${outcome.providerId}`, reportId: outcome.providerId }
    : outcome

const isOtherText = (one?: Item, other?: Item) => one?.text !== other?.text

/** Those of one key with one text are neighbours, whoever stood between them: one call is for them all. */
function togetherByText(items: readonly (Item & Attached)[], left: readonly number[]): number[] {
  const calls = new Map<bigint, Map<string, number[]>>()
  for (const i of left) {
    const { key, text } = items[i] as Item
    const texts = calls.get(key) ?? new Map<string, number[]>()
    calls.set(key, texts)
    const own = texts.get(text)
    if (own) own.push(i)
    else texts.set(text, [i])
  }
  return [...calls.values()].flatMap((texts) => [...texts.values()].flat())
}

/** As VK has it. */
export const attachmentOf = ({ references }: Attached): string | undefined => references?.join(',')

/** not in the function, which would make one of each person */
const peerId = /^[1-9]\d{0,15}$/
export const isPeerId = (address: string) => peerId.test(address)

/** Splits each different text once: most of a batch share theirs. */
function splitter(): (text: string) => readonly string[] {
  const known = new Map<string, readonly string[]>()
  let lastText: string | undefined
  let lastParts: readonly string[] = []
  return (text) => {
    if (text === lastText) return lastParts
    lastText = text
    lastParts = known.get(text) ?? splitText(text, vk.text.maxPieceUnits)
    known.set(text, lastParts)
    return lastParts
  }
}
