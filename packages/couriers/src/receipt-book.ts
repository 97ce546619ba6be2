/**
 * Brings a provider's later word to the recipient it concerns. The word and the message id it refers to may come in either
 * order, and to different processes: both are written under the id, and whoever comes second finds the other. Words that come
 * in together are taken in together.
 */

import { type HistoryRef, historyKeyOf, parseHistoryKey, receiptBytes } from '@courier-fleet/api-types'
import { defineScript, evidenceOfReason, keys } from '@courier-fleet/store'
import type { Redis } from 'ioredis'
import type { DeliveryReceipt } from './courier.ts'
import { gather } from './gather.ts'
import { grouped } from './grouped.ts'

const handoverScript = defineScript('handover', { keys: ['handover'], args: ['keptMs'] })
const wordScript = defineScript('word', { keys: ['handover'], args: ['keptMs'] })
const metScript = defineScript('met', { keys: ['handover'], args: ['keptMs'] })
const observeScript = defineScript('observe', { keys: ['history', 'receipts', 'evidence'], args: ['channel'] })

/** How long each side waits for the other. Providers keep trying to deliver for up to three days … */
const recipientKeptMs = 3 * 86_400_000
/** … but an answer is hardly slower than its receipt: not by more than Redis may be away. */
const wordKeptMs = 3_600_000
/** Once they have met, the recipient stays for a repeated or a stronger word. */
const metKeptMs = 3_600_000
/** Redis does nothing else meanwhile. */
const mostAtOnce = 100

type Word = Pick<DeliveryReceipt, 'state' | 'reason'>
/** as it is kept under each form of the id: with all of them, so that it can be cleared away everywhere */
type KeptWord = Word & { readonly forms: readonly string[] }

/** A recipient, and the provider's id that stands for it. */
export interface Handover {
  readonly providerId: string
  readonly ref: HistoryRef
  readonly ordinal: number
}

/** What is said of a recipient. */
interface Saying {
  readonly ref: HistoryRef
  readonly ordinal: number
  readonly byte: number
  /** as record.lua takes it */
  readonly evidence: string
}

/** A word and a recipient have found each other under this id. */
interface Meeting {
  readonly providerId: string
  /** the recipient as it is noted */
  readonly recipient: string
  readonly word: KeptWord
}

export interface ReceiptBook {
  /** Notes whom these ids stand for, and applies the words that came before. */
  handOver(handovers: readonly Handover[]): Promise<void>
  /** Takes a receipt in; resolves once it is recorded, or kept for an id not yet known. */
  receive(receipt: DeliveryReceipt): Promise<void>
  /** Applies a word to a recipient who is known. */
  observe(ref: HistoryRef, ordinal: number, word: Word): Promise<void>
  /** Says that the provider has accepted these, for whoever may not record that any more. `evidence`: as record.lua takes it */
  testify(ref: HistoryRef, accepted: readonly { readonly ordinal: number; readonly evidence: string }[]): Promise<void>
}

export function createReceiptBook({ redis, channel }: { redis: Redis; channel: string }): ReceiptBook {
  /** Names the slot: all ids of a channel share it. */
  const keyOf = ([id]: readonly [string, ...unknown[]]) => ({ handover: keys.handover(channel, id) })

  async function say(sayings: readonly Saying[]): Promise<void> {
    await Promise.all(
      [...grouped(sayings, ({ ref }) => historyKeyOf(ref)).values()].map((own) => {
        const { ref } = own[0] as Saying
        const names = {
          history: keys.history(ref),
          receipts: keys.receipts(ref, channel),
          evidence: keys.evidence(ref, channel),
        }
        const more = own.flatMap(({ ordinal, byte, evidence }) => [ordinal, String.fromCharCode(byte), evidence])
        return observeScript(redis, names, { channel }, more)
      }),
    )
  }

  /**
   * The word tells of the recipient, and is of no more use. Under the other forms of the id it would wait for a message it does not
   * concern, and be taken for that one's receipt.
   */
  async function meet(meetings: readonly Meeting[]): Promise<void> {
    if (meetings.length === 0) return
    await say(meetings.map(({ recipient, word }) => ({ ...recipientOf(recipient), ...sayingOf(word) })))
    const forms = meetings.flatMap(({ providerId, word }) =>
      word.forms.map((form) => [form, form === providerId ? 1 : ''] as const),
    )
    await metScript(redis, keyOf(forms[0] as (typeof forms)[number]), { keptMs: metKeptMs }, forms.flat())
  }

  /** Notes words under one form of their ids each. @returns the recipients that were known under them */
  async function note(words: readonly (readonly [id: string, word: KeptWord])[]): Promise<(string | undefined)[]> {
    if (words.length === 0) return []
    const more = words.flatMap(([id, word]) => [id, JSON.stringify(word)])
    const found = await wordScript(redis, keyOf(words[0] as (typeof words)[number]), { keptMs: wordKeptMs }, more)
    return (found as (Buffer | null)[]).map((recipient) => recipient?.toString())
  }

  /** The form that a receipt shows is mostly the one that was answered: the others are tried where it is not. */
  async function receive(words: readonly KeptWord[]): Promise<void> {
    const firsts = words.map((word) => [word.forms[0] as string, word] as const)
    const found = await note(firsts)
    const others = firsts.flatMap(([, word], index) =>
      found[index] === undefined ? word.forms.slice(1).map((form) => [form, word] as const) : [],
    )
    const foundLater = await note(others)
    const meetings = new Map<KeptWord, Meeting>()
    for (const [index, [providerId, word]] of [...firsts, ...others].entries()) {
      const recipient = [...found, ...foundLater][index]
      if (recipient !== undefined && !meetings.has(word)) meetings.set(word, { providerId, recipient, word })
    }
    await meet([...meetings.values()])
  }

  async function handOver(handovers: readonly Handover[]): Promise<void> {
    const noted = handovers.map(
      ({ providerId, ref, ordinal }) => [providerId, `${historyKeyOf(ref)} ${ordinal}`] as const,
    )
    const keptMs = recipientKeptMs
    const words = await handoverScript(redis, keyOf(noted[0] as (typeof noted)[number]), { keptMs }, noted.flat())
    await meet(
      noted.flatMap(([providerId, recipient], index): Meeting[] => {
        const word = (words as (Buffer | null)[])[index]
        return word ? [{ providerId, recipient, word: JSON.parse(word.toString()) as KeptWord }] : []
      }),
    )
  }

  const receiveSoon = gather(receive, mostAtOnce)
  const handOverSoon = gather(handOver, mostAtOnce)

  return {
    async handOver(handovers) {
      await Promise.all(handovers.map(handOverSoon))
    },
    receive: ({ providerIds, state, reason }) =>
      receiveSoon({ state, ...(reason ? { reason } : {}), forms: [...new Set(providerIds)] }),
    observe: (ref, ordinal, word) => say([{ ref, ordinal, ...sayingOf(word) }]),
    async testify(ref, accepted) {
      await say(accepted.map(({ ordinal, evidence }) => ({ ref, ordinal, byte: receiptBytes.sent, evidence })))
    },
  }
}

function recipientOf(noted: string): { ref: HistoryRef; ordinal: number } {
  const [key, ordinal] = noted.split(' ') as [string, string]
  return { ref: parseHistoryKey(key), ordinal: Number(ordinal) }
}

function sayingOf({ state, reason }: Word): Pick<Saying, 'byte' | 'evidence'> {
  return { byte: receiptBytes[state], evidence: reason && state === 'failed' ? evidenceOfReason(reason) : '' }
}
