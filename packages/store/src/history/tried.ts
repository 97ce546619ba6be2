/** Which contacts of people who have several on a channel were tried for a message, in order; as lua/lib/next-contact.lua keeps it. */
import { createHash } from 'node:crypto'
import { type HistoryRef, type Reason, type ReceiptState, reasonOfByte, receiptStateOf } from '@courier-fleet/api-types'
import type { Redis } from '../connection/client.ts'
import { keys } from '../keys.ts'

/** One contact: with `state` what came of it, without it is the one that the receipt is about. */
export interface Try {
  readonly digest: string
  /** how its address ends */
  readonly shown: string
  /** the entry whose claim marked it */
  readonly by: string
  readonly state?: ReceiptState
  readonly reason?: Reason
  readonly atMs?: number
  /** as `evidence:…` has it */
  readonly said?: string
}

interface Kept {
  readonly digest: string
  readonly shown: string
  readonly by: string
  readonly state?: string
  readonly why?: string
  readonly at?: number
  readonly said?: string
}

/** so much of an address is shown to whoever may read receipts: two phones are told apart */
const shownLength = 2

/** Of messages of this sender alone, for they may go out as one: it leads to those of nobody else. */
export const digestOfContact = ({ sender }: Pick<HistoryRef, 'sender'>, address: string): string =>
  createHash('sha256').update(`${sender} ${address}`).digest('hex').slice(0, 12)

/** What record.lua notes with a mark. @param hasMore there is another after it */
export const lineOfTry = (ref: HistoryRef, address: string, hasMore: boolean): string =>
  `+${digestOfContact(ref, address)} ${address.slice(-shownLength)} ${hasMore ? 1 : 0}`

/** Of these people, in their order; none of whoever has one contact, or was not attempted. */
export async function readTries(
  redis: Redis,
  ref: HistoryRef,
  leg: string,
  ordinals: readonly number[],
): Promise<(readonly Try[])[]> {
  if (ordinals.length === 0) return []
  const found = await redis.hmget(keys.tried(ref, leg), ...ordinals.map(String))
  return found.map((text) => (text ? (JSON.parse(text) as Kept[]).map(tryOf) : []))
}

function tryOf({ digest, shown, by, state, why, at, said }: Kept): Try {
  const reason = why === undefined ? undefined : reasonOfByte(why.charCodeAt(0))
  return {
    digest,
    shown,
    by,
    ...(state === undefined ? {} : { state: receiptStateOf(state.charCodeAt(0)) }),
    ...(reason ? { reason } : {}),
    ...(at === undefined ? {} : { atMs: at }),
    ...(said === undefined ? {} : { said }),
  }
}
