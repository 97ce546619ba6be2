/** What providers tell later of messages they have accepted, written to the receipts it is of. */
import { type HistoryRef, historyKeyOf, memberOf, parseHistoryKey } from '@courier-fleet/api-types'
import { grouped } from '@courier-fleet/process'
import type { Redis } from '../connection/client.ts'
import { tagOf } from '../hash-tags.ts'
import { keys } from '../keys.ts'
import { numberReply } from '../replies.ts'
import { defineScript } from '../script.ts'

const reportScript = defineScript('report', {
  keys: ['history', 'receipts', 'reasons', 'evidence'],
  args: ['leg', 'message', 'tag'],
  reply: numberReply,
})

export interface ReportedRecipient {
  readonly ref: HistoryRef
  readonly leg: string
  readonly ordinal: number
  /** digest of the contact it is about, of whoever has several */
  readonly contact?: string
}

/** What is said of a recipient; `evidence` as record.lua takes it. */
export interface ReceiptReport extends ReportedRecipient {
  readonly byte: number
  /** 0 for none */
  readonly reason: number
  readonly evidence: string
}

/** As a recipient is noted under what a provider's report will name. */
export const notedRecipient = ({ ref, leg, ordinal, contact }: ReportedRecipient): string =>
  `${historyKeyOf(ref)} ${leg} ${ordinal}${contact === undefined ? '' : ` ${contact}`}`

export function recipientOf(noted: string): ReportedRecipient {
  const [key, leg, ordinal, contact] = noted.split(' ') as [string, string, string, string?]
  return { ref: parseHistoryKey(key), leg, ordinal: Number(ordinal), ...(contact === undefined ? {} : { contact }) }
}

/** @returns how many receipts say so now that did not before: where a stronger word stands, it stays */
export async function applyReports(redis: Redis, reports: readonly ReceiptReport[]): Promise<number> {
  const legs = grouped(reports, ({ ref, leg }) => `${historyKeyOf(ref)} ${leg}`)
  const taken = await Promise.all(
    [...legs.values()].map((own) => {
      const { ref, leg } = own[0] as ReceiptReport
      const names = {
        history: keys.history(ref),
        receipts: keys.receipts(ref, leg),
        reasons: keys.reasons(ref, leg),
        evidence: keys.evidence(ref, leg),
      }
      const more = own.flatMap(({ ordinal, contact, byte, reason, evidence }) => [
        contact === undefined ? ordinal : `${ordinal} ${contact}`,
        String.fromCharCode(byte),
        String.fromCharCode(reason),
        evidence,
      ])
      return reportScript(redis, names, { leg, message: memberOf(ref), tag: tagOf(ref.shard) }, more)
    }),
  )
  return taken.reduce((sum, each) => sum + each, 0)
}
