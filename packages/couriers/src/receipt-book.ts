/**
 * Brings a provider's later word to the recipient it concerns. The word and the message id it refers to may come in either
 * order, and to different processes: both are written under the id, and whoever comes second finds the other.
 */
import {
  defineScript,
  evidenceOfReason,
  type HistoryRef,
  historyKeyOf,
  keys,
  parseHistoryKey,
  receiptBytes,
} from '@courier-fleet/core'
import type { Redis } from 'ioredis'
import type { DeliveryReceipt } from './courier.ts'

const observeScript = defineScript('observe', {
  keys: ['history', 'receipts', 'evidence'],
  args: ['channel', 'ordinal', 'state', 'reason'],
})

/** Providers keep trying to deliver for up to three days. */
const keptMs = 3 * 86_400_000

type Word = Pick<DeliveryReceipt, 'state' | 'reason'>

export interface ReceiptBook {
  /** Notes whom the provider's id stands for. @returns the word that came before, if one did */
  handOver(providerId: string, ref: HistoryRef, ordinal: number): Promise<Word | undefined>
  /** Takes a receipt in; resolves once it is recorded, or kept for an id not yet known. */
  receive(receipt: DeliveryReceipt): Promise<void>
  observe(ref: HistoryRef, ordinal: number, word: Word): Promise<void>
}

export function createReceiptBook(deps: { redis: Redis; channel: string }): ReceiptBook {
  const { redis, channel } = deps

  /** Writes one side and reads the other in one transaction. */
  async function meet(providerId: string, own: 'recipient' | 'word', value: string): Promise<string | null> {
    const key = keys.handover(channel, providerId)
    const other = own === 'word' ? 'recipient' : 'word'
    const replies = await redis.multi().hset(key, own, value).hget(key, other).pexpire(key, keptMs).exec()
    return (replies?.[1]?.[1] as string | null | undefined) ?? null
  }

  async function observe(ref: HistoryRef, ordinal: number, word: Word): Promise<void> {
    await observeScript(
      redis,
      { history: keys.history(ref), receipts: keys.receipts(ref, channel), evidence: keys.evidence(ref, channel) },
      {
        channel,
        ordinal,
        state: String.fromCharCode(receiptBytes[word.state]),
        reason: word.reason && word.state === 'failed' ? evidenceOfReason(word.reason) : '',
      },
    )
  }

  return {
    observe,
    async handOver(providerId, ref, ordinal) {
      const word = await meet(providerId, 'recipient', `${historyKeyOf(ref)} ${ordinal}`)
      return word ? (JSON.parse(word) as Word) : undefined
    },
    async receive({ providerIds, state, reason }) {
      const word: Word = { state, ...(reason ? { reason } : {}) }
      const recipients = await Promise.all(
        [...new Set(providerIds)].map((providerId) => meet(providerId, 'word', JSON.stringify(word))),
      )
      const recipient = recipients.find((found) => found !== null)
      if (!recipient) return
      const [key, ordinal] = recipient.split(' ') as [string, string]
      await observe(parseHistoryKey(key), Number(ordinal), word)
    },
  }
}
