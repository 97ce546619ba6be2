/**
 * Brings a provider's later report to the recipient it concerns. The report and the message id it names may come in either
 * order, and to different processes: both are written under the id, and whoever comes second finds the other. Reports that come
 * in together are taken in together.
 */
import { type HistoryRef, reasonBytes, receiptBytes, reportsComeMs } from '@courier-fleet/api-types'
import { grouped } from '@courier-fleet/process'
import {
  type Argument,
  applyReports,
  bucketOfProviderId,
  createUnread,
  defineScript,
  evidenceOfDetail,
  evidenceOfId,
  keys,
  listReply,
  notedRecipient,
  numberReply,
  optionalReply,
  type ReceiptReport,
  type Redis,
  type ReportedRecipient,
  recipientOf,
  tagOfBucket,
  textReply,
  type Unread,
} from '@courier-fleet/store'
import type { DeliveryReport } from '../courier.ts'
import { microbatch } from './microbatch.ts'

const replyTexts = listReply(optionalReply(textReply))
const indexScript = defineScript('index-ids', {
  keys: ['first'],
  args: ['keptMs', 'tag', 'channel'],
  reply: replyTexts,
})
const noteScript = defineScript('note-reports', {
  keys: ['first'],
  args: ['keptMs', 'tag', 'channel'],
  reply: replyTexts,
})
const clearScript = defineScript('clear-reports', {
  keys: ['first'],
  args: ['keptMs', 'tag', 'channel'],
  reply: numberReply,
})

/** How long each side waits for the other. A recipient waits as long as providers keep trying to deliver … */
const recipientKeptMs = reportsComeMs
/** … but an answer is hardly slower than its report: not by more than Redis may be away. */
const reportKeptMs = 3_600_000
/** Once they have met, the recipient stays for a repeated or a stronger report. */
const matchedKeptMs = 3_600_000
/** Redis does nothing else meanwhile. */
const maxAtOnce = 100

type Said = Pick<DeliveryReport, 'state' | 'reason' | 'answered'>
/** as it is kept under each form of the id: with all of them, so that it can be cleared away everywhere */
type KeptReport = Said & { readonly forms: readonly string[] }

/** A recipient, and the provider's id that stands for it. */
export interface IndexedId extends ReportedRecipient {
  readonly providerId: string
}

/** A report and a recipient have found each other under this id. */
interface Match {
  readonly providerId: string
  /** the recipient as it is noted */
  readonly recipient: string
  readonly report: KeptReport
}

export interface DeliveryReports {
  /** Notes whom these ids stand for, and applies the reports that came before. */
  index(ids: readonly IndexedId[]): Promise<void>
  /** Takes a report in; resolves once it is recorded, or kept for an id not yet known. */
  receive(report: DeliveryReport): Promise<void>
  /** Says that the provider has accepted these, for whoever may not record that any more. `evidence`: as record.lua takes it */
  reportAccepted(
    ref: HistoryRef,
    leg: string,
    accepted: readonly { readonly ordinal: number; readonly evidence: string }[],
  ): Promise<void>
  /** Where the provider tells up to which message somebody has read: notes which ones they have not. */
  noteUnread: Unread['note']
}

export function createDeliveryReports({ redis, channel }: { redis: Redis; channel: string }): DeliveryReports {
  const to: Index = { redis, channel }
  const receiveSoon = microbatch((reports: readonly KeptReport[]) => receive(to, reports), maxAtOnce)
  const indexSoon = microbatch((some: readonly IndexedId[]) => index(to, some), maxAtOnce)
  return {
    async index(ids) {
      await Promise.all(ids.map(indexSoon))
    },
    receive: ({ providerIds, state, reason, answered }) =>
      receiveSoon({
        state,
        ...(reason ? { reason } : {}),
        ...(answered ? { answered } : {}),
        forms: [...new Set(providerIds)],
      }),
    async reportAccepted(ref, leg, accepted) {
      const said = { ref, leg, byte: receiptBytes.sent, reason: 0 }
      await applyReports(
        redis,
        accepted.map((each) => ({ ...said, ...each })),
      )
    },
    noteUnread: createUnread({ redis, channel }).note,
  }
}

interface Index {
  readonly redis: Redis
  readonly channel: string
}

/** What is written or asked of a provider's id. */
type OfId = readonly [id: string, text: string | number]

/** A call for the ids of each bucket. @returns what `call` gives for each, in order */
async function byBucket<T>(
  { channel }: Index,
  noted: readonly OfId[],
  call: (first: string, args: { tag: string; channel: string }, more: Argument[]) => Promise<readonly T[]>,
): Promise<T[]> {
  const given = new Array<T>(noted.length)
  const rows = grouped(noted.keys(), (row) => bucketOfProviderId((noted[row] as OfId)[0]))
  await Promise.all(
    [...rows].map(async ([bucket, own]) => {
      const some = own.map((row) => noted[row] as OfId)
      const first = keys.providerId(bucket, channel, (some[0] as OfId)[0])
      const found = await call(first, { tag: tagOfBucket(bucket), channel }, some.flat())
      for (const [at, row] of own.entries()) given[row] = found[at] as T
    }),
  )
  return given
}

async function index(to: Index, ids: readonly IndexedId[]): Promise<void> {
  const noted = ids.map(({ providerId, ...recipient }) => [providerId, notedRecipient(recipient)] as const)
  const reports = await byBucket(to, noted, (first, args, more) =>
    indexScript(to.redis, { first }, { keptMs: recipientKeptMs, ...args }, more),
  )
  await match(
    to,
    noted.flatMap(([providerId, recipient], at): Match[] => {
      const report = reports[at]
      return report ? [{ providerId, recipient, report: JSON.parse(report) as KeptReport }] : []
    }),
  )
}

/** The form that a report shows is mostly the one that was answered: the others are tried where it is not. */
async function receive(to: Index, reports: readonly KeptReport[]): Promise<void> {
  const firsts = reports.map((report) => [report.forms[0] as string, report] as const)
  const found = await note(to, firsts)
  const others = firsts.flatMap(([, report], at) =>
    found[at] === undefined ? report.forms.slice(1).map((form) => [form, report] as const) : [],
  )
  const foundLater = await note(to, others)
  const matches = new Map<KeptReport, Match>()
  for (const [at, [providerId, report]] of [...firsts, ...others].entries()) {
    const recipient = [...found, ...foundLater][at]
    if (recipient !== undefined && !matches.has(report)) matches.set(report, { providerId, recipient, report })
  }
  await match(to, [...matches.values()])
}

/** Notes reports under one form of their ids each. @returns the recipients that were known under them */
async function note(
  to: Index,
  reports: readonly (readonly [id: string, report: KeptReport])[],
): Promise<(string | undefined)[]> {
  const noted = reports.map(([id, report]) => [id, JSON.stringify(report)] as const)
  return byBucket(to, noted, (first, args, more) =>
    noteScript(to.redis, { first }, { keptMs: reportKeptMs, ...args }, more),
  )
}

/**
 * The report tells of the recipient, and is of no more use. Under the other forms of the id it would wait for a message it does not
 * concern, and be taken for that one's report.
 */
async function match(to: Index, matches: readonly Match[]): Promise<void> {
  if (matches.length === 0) return
  // first, so that whatever happens now the next report finds whom it concerns
  await index(
    to,
    matches.flatMap(({ recipient, report: { answered } }) =>
      answered ? [{ providerId: answered.reportId, ...recipientOf(recipient) }] : [],
    ),
  )
  await applyReports(
    to.redis,
    matches.map(({ recipient, report }) => ({ ...recipientOf(recipient), ...changeOf(report) })),
  )
  const forms = matches.flatMap(({ providerId, report }) =>
    report.forms.map((form) => [form, form === providerId ? 1 : ''] as const),
  )
  await byBucket(to, forms, async (first, args, more) => {
    await clearScript(to.redis, { first }, { keptMs: matchedKeptMs, ...args }, more)
    return []
  })
}

function changeOf({ state, reason, answered }: Said): Pick<ReceiptReport, 'byte' | 'reason' | 'evidence'> {
  if (answered) return { byte: receiptBytes.sent, reason: 0, evidence: evidenceOfId(answered.providerId) }
  if (state !== 'failed') return { byte: receiptBytes[state], reason: 0, evidence: '' }
  const evidence = reason ? evidenceOfDetail(reason) : ''
  return { byte: receiptBytes.failed, reason: reasonBytes.undelivered, evidence }
}
