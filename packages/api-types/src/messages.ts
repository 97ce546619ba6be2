/** Shapes of the HTTP API around messages and their histories, beyond those of schemas.ts. */
import { z } from 'zod'
import { plan } from './plan.ts'
import { receiptStates } from './receipt-state.ts'
import { channelName, dueTime, historyView, id, receiptView, trackerReport } from './schemas.ts'

export const issuedKey = z.strictObject({ key: z.string() })
export type IssuedKey = z.infer<typeof issuedKey>

/** What was accepted. The same for every repeat of the same request, however far the message has come since. */
export const acceptance = z.strictObject({
  key: z.string(),
  audience: z.strictObject({ size: z.int(), sha256: z.string() }),
  at: z.string().describe('due time'),
  expires: z.string(),
  acceptedAt: z.string(),
  plan: plan.optional().describe('who is sent it when, as the rules say; absent where none holds for it'),
})
export type Acceptance = z.infer<typeof acceptance>

/** `POST /v1/messages`: what was accepted, or with `wait` what has become of it. */
export const messageAnswer = z.union([acceptance, trackerReport])

export const rescheduleBody = z.strictObject({
  at: dueTime.describe('the new due time'),
})

export const cancellation = z.strictObject({
  key: z.string(),
  outcome: z
    .enum(['cancelled', 'stopping'])
    .describe('cancelled: nobody got it, and nobody will; stopping: after the batch in flight'),
})
export type Cancellation = z.infer<typeof cancellation>

const unknownPeople = z
  .union([z.literal('all'), z.array(id).min(1).max(1000)])
  .describe('those named; or all: everyone who is unknown on this channel')

export const resolveBody = z.strictObject({
  channel: channelName,
  people: unknownPeople,
  outcome: z.enum(['delivered', 'failed']).describe('what you have found out: that it arrived, or that it did not'),
})
export type ResolveInput = z.input<typeof resolveBody>

export const resendBody = z.strictObject({ channel: channelName, people: unknownPeople })
export type ResendInput = z.input<typeof resendBody>

export const decisionOutcome = z.strictObject({
  key: z.string(),
  channel: z.string(),
  people: z.int().describe('how many of them were unknown: nobody else is touched'),
})
export type DecisionOutcome = z.infer<typeof decisionOutcome>

export const heldOutcome = z.strictObject({
  key: z.string(),
  people: z.int().describe('how many waited, each counted once: 0 when nobody does (any more)'),
})
export type HeldOutcome = z.infer<typeof heldOutcome>

export const maxWaitSeconds = 300

export const trackUntil = ['settled', 'delivered'] as const
export type TrackUntil = (typeof trackUntil)[number]

export const trackerBody = z.strictObject({
  timeout: z.number().min(0).max(maxWaitSeconds).describe('seconds to wait'),
  until: z
    .enum(trackUntil)
    .default('settled')
    .describe(
      '`settled`: every courier is done; `delivered`: and nobody is handed over without a confirmation any more',
    ),
})

export const historiesPage = z.strictObject({
  histories: z.array(historyView),
  next: z.string().optional().describe('`before` of the next page; absent at the end'),
})
export type HistoriesPage = z.infer<typeof historiesPage>

export const receiptsPage = z.strictObject({
  receipts: z.array(receiptView),
  next: z.int().optional().describe('`from` of the next page; absent at the end'),
})
export type ReceiptsPage = z.infer<typeof receiptsPage>

const countPerState = z.record(z.enum(receiptStates), z.int())

export const recountReport = z.strictObject({
  balanced: z.boolean(),
  channels: z.array(
    z.strictObject({
      channel: z.string(),
      ledger: countPerState.describe('the counters'),
      bytes: countPerState.describe('counted from the receipts'),
      balanced: z.boolean(),
    }),
  ),
})
export type RecountReport = z.infer<typeof recountReport>

/** One line of the answer to `POST /v1/messages:bulk`: accepted (201, or 200 when it was before), or the problem. */
export const bulkAnswer = z.strictObject({
  line: z.int().describe('line of the request, from 1'),
  status: z.int(),
  key: z.string().optional(),
  code: z.string().optional(),
  detail: z.string().optional(),
  field: z.string().optional(),
  plan: plan.optional().describe('as in an acceptance; where it was accepted before, in the history'),
})
export type BulkAnswer = z.infer<typeof bulkAnswer>
