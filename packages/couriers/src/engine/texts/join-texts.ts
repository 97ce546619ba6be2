/** The text of a message that carries others: docs/decisions/0072. */
import { refOfMember, smsPartsOf } from '@courier-fleet/api-types'
import { contentOn, findChannel } from '@courier-fleet/channels'
import { keys, type MessageRecord, parseRecord, type Redis } from '@courier-fleet/store'
import type { Claim } from '../claims/claim.ts'

export interface Joined {
  readonly text: string
  /** of the others, each with the number of its text, as lua/record.lua has them */
  readonly texts: string
}

/** Each whole, a blank line between two. @returns undefined where it carries none, the channel does not take that as one message, or one of them is not the same for everybody: then the mark parts them */
export async function joinTexts(
  redis: Redis,
  channel: string,
  { ref, carries }: Claim,
  own: MessageRecord,
): Promise<Joined | undefined> {
  // what a correction has made another for each goes by itself
  if (!carries || own.personal) return undefined
  const packed = await redis.mget(...carries.map((member) => keys.record(refOfMember(ref.shard, member))))
  const all = [contentOn(channel, own).text]
  const texts: string[] = []
  for (const [index, each] of packed.entries()) {
    if (each === null) return undefined
    const record = parseRecord(each)
    if (record.personal) return undefined
    all.push(contentOn(channel, record).text)
    texts.push(`${carries[index]}=${record.correction?.version ?? 1}`)
  }
  const joined = all.join('\n\n')
  return isOneMessage(channel, joined) ? { text: joined, texts: texts.join(' ') } : undefined
}

function isOneMessage(channel: string, text: string): boolean {
  const limit = findChannel(channel)?.text
  if (limit?.kind === 'pieces') return text.length <= limit.maxPieceUnits
  return limit?.kind !== 'sms-parts' || smsPartsOf(text).parts.length <= limit.maxParts
}
