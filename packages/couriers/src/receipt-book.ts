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

/** How long each side waits for the other. Providers keep trying to deliver for up to three days … */
const recipientKeptMs = 3 * 86_400_000
/** … but an answer is hardly slower than its receipt: not by more than Redis may be away. */
const wordKeptMs = 3_600_000
/** Once they have met, the recipient stays for a repeated or a stronger word. */
const metKeptMs = 3_600_000

type Word = Pick<DeliveryReceipt, 'state' | 'reason'>
/** as it is kept under each form of the id: with all of them, so that it can be cleared away everywhere */
type KeptWord = Word & { readonly forms: readonly string[] }

export interface ReceiptBook {
  /** Notes whom the provider's id stands for. @returns the word that came before, if one did */
  handOver(providerId: string, ref: HistoryRef, ordinal: number): Promise<Word | undefined>
  /** Takes a receipt in; resolves once it is recorded, or kept for an id not yet known. */
  receive(receipt: DeliveryReceipt): Promise<void>
  observe(ref: HistoryRef, ordinal: number, word: Word): Promise<void>
  /** Says that the provider has accepted it, for whoever may not record that any more. @param evidence as record.lua takes it */
  testify(ref: HistoryRef, ordinal: number, evidence: string): Promise<void>
}

export function createReceiptBook(deps: { redis: Redis; channel: string }): ReceiptBook {
  const { redis, channel } = deps

  /** Writes the recipient and reads the word in one transaction. */
  async function noteRecipient(providerId: string, recipient: string): Promise<string | null> {
    const key = keys.handover(channel, providerId)
    const replies = await redis
      .multi()
      .hset(key, 'recipient', recipient)
      .hget(key, 'word')
      .pexpire(key, recipientKeptMs)
      .exec()
    return (replies?.[1]?.[1] as string | null | undefined) ?? null
  }

  /** The other way round; the time a recipient is kept is not cut short by a word. */
  async function noteWord(providerId: string, word: string): Promise<string | null> {
    const key = keys.handover(channel, providerId)
    const replies = await redis
      .multi()
      .hset(key, 'word', word)
      .hget(key, 'recipient')
      .pexpire(key, wordKeptMs, 'NX')
      .exec()
    return (replies?.[1]?.[1] as string | null | undefined) ?? null
  }

  /**
   * The word has found this id's recipient and is of no more use. Under the other forms it would wait for a message it does
   * not concern, and be taken for that one's receipt.
   */
  async function haveMet(providerId: string, forms: readonly string[]): Promise<void> {
    await Promise.all([
      redis.pexpire(keys.handover(channel, providerId), metKeptMs),
      ...forms.map((form) => redis.hdel(keys.handover(channel, form), 'word')),
    ])
  }

  async function write(ref: HistoryRef, ordinal: number, byte: number, evidence: string): Promise<void> {
    await observeScript(
      redis,
      { history: keys.history(ref), receipts: keys.receipts(ref, channel), evidence: keys.evidence(ref, channel) },
      { channel, ordinal, state: String.fromCharCode(byte), reason: evidence },
    )
  }

  async function observe(ref: HistoryRef, ordinal: number, { state, reason }: Word): Promise<void> {
    await write(ref, ordinal, receiptBytes[state], reason && state === 'failed' ? evidenceOfReason(reason) : '')
  }

  return {
    observe,
    testify: (ref, ordinal, evidence) => write(ref, ordinal, receiptBytes.sent, evidence),
    async handOver(providerId, ref, ordinal) {
      const word = await noteRecipient(providerId, `${historyKeyOf(ref)} ${ordinal}`)
      if (!word) return undefined
      const { forms, ...known } = JSON.parse(word) as KeptWord
      await haveMet(providerId, forms)
      return known
    },
    async receive({ providerIds, state, reason }) {
      const word: Word = { state, ...(reason ? { reason } : {}) }
      const forms = [...new Set(providerIds)]
      const kept = JSON.stringify({ ...word, forms } satisfies KeptWord)
      const recipients = await Promise.all(forms.map((form) => noteWord(form, kept)))
      const met = recipients.findIndex((recipient) => recipient !== null)
      if (met < 0) return
      const [key, ordinal] = (recipients[met] as string).split(' ') as [string, string]
      await observe(parseHistoryKey(key), Number(ordinal), word)
      await haveMet(forms[met] as string, forms)
    },
  }
}
