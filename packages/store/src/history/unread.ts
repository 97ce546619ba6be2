/**
 * Who has read, where a provider names the newest message that somebody has read, and means all before it. Which messages an address has not read
 * is noted as they are sent. The answer of the provider and what it tells may come in either order, and to different processes: whoever comes second finds the
 * other. A receipt is written before what led to it is cleared, so that whatever ends in between is found again.
 */
import { receiptBytes, reportsComeMs } from '@courier-fleet/api-types'
import { grouped } from '@courier-fleet/process'
import { bucketOfProviderId } from '../buckets.ts'
import type { Redis } from '../connection/client.ts'
import { tagOfBucket } from '../hash-tags.ts'
import { keys } from '../keys.ts'
import { flagReply, listReply, numberReply, textReply } from '../replies.ts'
import { type Argument, defineScript } from '../script.ts'
import { applyReports, notedRecipient, type ReportedRecipient, recipientOf } from './reports.ts'

const noteScript = defineScript('note-unread', {
  keys: ['first'],
  args: ['keptMs', 'kept', 'tag', 'channel'],
  reply: listReply(flagReply),
})
const takeScript = defineScript('take-read', {
  keys: ['first'],
  args: ['keptMs', 'tag', 'channel'],
  reply: listReply(listReply(textReply)),
})
const clearScript = defineScript('clear-read', {
  keys: ['first'],
  args: ['keptMs', 'tag', 'channel'],
  reply: numberReply,
})

/** an answer is hardly slower than what is told of it: not by more than Redis may be away */
const readKeptMs = 3_600_000
/** of an address: who has more than these unread is told of the newest alone */
const maxUnread = 32
/** Redis does nothing else meanwhile */
const maxAtOnce = 100

export interface UnreadMessage extends ReportedRecipient {
  readonly address: string
  /** a number: the later a message is sent to an address, the greater */
  readonly providerId: string
}

/** Somebody has read what was sent to this address up to this message. */
export interface ReadUpTo {
  readonly address: string
  readonly providerId: string
}

export interface Unread {
  /** Notes messages that were sent, and writes to the receipts of those that have been read by now. */
  note(messages: readonly UnreadMessage[]): Promise<void>
  /** @returns how many receipts say now that they have been read, and did not before */
  read(reads: readonly ReadUpTo[]): Promise<number>
}

export function createUnread({ redis, channel }: { redis: Redis; channel: string }): Unread {
  /** A call for so many of each bucket. @returns what `call` gives for each, in order */
  async function ofAddresses<Of extends { readonly address: string }, T>(
    all: readonly Of[],
    call: (first: string, tag: string, some: readonly Of[]) => Promise<readonly T[]>,
  ): Promise<T[]> {
    const given = new Array<T>(all.length)
    const rows = grouped(all.keys(), (row) => bucketOfProviderId((all[row] as Of).address))
    const calls = [...rows].flatMap(([bucket, own]) =>
      Array.from({ length: Math.ceil(own.length / maxAtOnce) }, async (_unused, at) => {
        const part = own.slice(at * maxAtOnce, (at + 1) * maxAtOnce)
        const some = part.map((row) => all[row] as Of)
        const found = await call(keys.unread(bucket, channel, (some[0] as Of).address), tagOfBucket(bucket), some)
        for (const [index, row] of part.entries()) given[row] = found[index] as T
      }),
    )
    await Promise.all(calls)
    return given
  }

  async function tell(messages: readonly UnreadMessage[]): Promise<number> {
    if (messages.length === 0) return 0
    const taken = await applyReports(
      redis,
      messages.map((message) => ({ ...message, byte: receiptBytes.read, reason: 0, evidence: '' })),
    )
    await ofAddresses(messages, async (first, tag, some) => {
      await clearScript(redis, { first }, { keptMs: readKeptMs, tag, channel }, some.flatMap(idOf))
      return []
    })
    return taken
  }

  return {
    async note(messages) {
      const areRead = await ofAddresses(messages, (first, tag, some) => {
        const args = { keptMs: reportsComeMs, kept: maxUnread, tag, channel }
        return noteScript(
          redis,
          { first },
          args,
          some.flatMap((each) => [...idOf(each), notedRecipient(each)]),
        )
      })
      await tell(messages.filter((_message, at) => areRead[at]))
    },
    async read(reads) {
      const found = await ofAddresses(reads, (first, tag, some) =>
        takeScript(redis, { first }, { keptMs: readKeptMs, tag, channel }, some.flatMap(idOf)),
      )
      return tell(reads.flatMap(({ address }, at) => messagesIn(address, found[at] ?? [])))
    },
  }
}

const idOf = ({ address, providerId }: ReadUpTo): Argument[] => [address, providerId]

/** @param found of each the id and the recipient, one behind the other */
function messagesIn(address: string, found: readonly string[]): UnreadMessage[] {
  const ids = found.filter((_text, at) => at % 2 === 0)
  return ids.map((providerId, at) => ({ address, providerId, ...recipientOf(found[at * 2 + 1] as string) }))
}
