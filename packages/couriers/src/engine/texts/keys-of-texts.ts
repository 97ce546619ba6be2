/**
 * The keys of whoever shares one with others who are sent the same text: docs/decisions/0073 and 0112. Where a courier sends to one person at a time
 * nothing is done, and nothing is read.
 */
import { receiptBytes } from '@courier-fleet/api-types'
import type { Directory } from '@courier-fleet/directory'
import { grouped } from '@courier-fleet/process'
import { keys, type Redis, readEarlierText } from '@courier-fleet/store'
import type { Courier } from '../../courier.ts'
import { versionOf } from '../claims/claim.ts'
import type { ClaimBuffer } from '../claims/claim-buffer.ts'
import { keyOfText } from '../idempotency.ts'
import type { Unwritten } from './personal-texts.ts'

/** Somebody whose text is known; the key is that of their span. */
export interface Keyed extends Unwritten {
  key: bigint
}

export interface KeysDeps {
  readonly redis: Redis
  readonly courier: Pick<Courier, 'channel' | 'keySpan'>
  readonly directory: Pick<Directory, 'findInFull'>
}

export async function putKeysInto(recipients: readonly Keyed[], deps: KeysDeps): Promise<void> {
  if (deps.courier.keySpan === 1) return
  const marked = await markedBefore(recipients, deps)
  for (const recipient of recipients) {
    if (marked.has(recipient)) {
      const earlier = marked.get(recipient)
      if (earlier !== undefined) recipient.key = keyOfText(recipient.key, earlier)
    } else if (recipient.buffer.message.contentFor) {
      // one key for whoever is told by a message of its own, also after an edit that was refused
      recipient.key = keyOfText(recipient.key, recipient.correction?.followUp ?? recipient.text)
    }
  }
}

/**
 * Whoever was marked with the text before the newest, and has no answer yet: under the key of that text the provider knows what it may have taken. A message is
 * corrected anew only after that, so it is never one older still.
 * @returns each with what they were to read; undefined where all were to read the same
 */
async function markedBefore(recipients: readonly Keyed[], deps: KeysDeps): Promise<Map<Keyed, string | undefined>> {
  const open = recipients.filter(
    ({ receipt, buffer: { claim, message } }) =>
      receipt === 'attempting' && message.earlierFor && versionOf(claim) === undefined,
  )
  const marked = new Map<Keyed, string | undefined>()
  if (open.length === 0) return marked
  await Promise.all([...grouped(open, ({ buffer }) => buffer)].map(([buffer, own]) => look(buffer, own, deps, marked)))
  return marked
}

async function look(
  { claim, message }: ClaimBuffer,
  own: readonly Keyed[],
  { redis, courier, directory }: KeysDeps,
  marked: Map<Keyed, string | undefined>,
): Promise<void> {
  const { ref, from, to } = claim
  const { version, earlierFor } = message
  const [bytes, earlier] = await Promise.all([
    redis.getrangeBuffer(keys.receipts(ref, `${courier.channel}~${version}`), from, to - 1),
    readEarlierText(redis, ref, version - 1),
  ])
  // whoever was not marked before the correction has nothing to be corrected
  const before = own.filter(({ ordinal }) => bytes[ordinal - from] === receiptBytes.pending)
  if (!earlier || !earlierFor || before.length === 0) return
  const readers = earlier.personal ? await directory.findInFull(before.map(({ person }) => person)) : []
  for (const [index, recipient] of before.entries()) {
    const reader = readers[index] ?? { id: recipient.person }
    const text = earlier.personal && earlierFor(earlier, reader)
    if (!earlier.personal || text !== undefined) marked.set(recipient, text)
  }
}
