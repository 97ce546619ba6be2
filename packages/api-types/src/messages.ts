/** Shapes of the HTTP API around messages and their histories, beyond those of schemas.ts. */
import { z } from 'zod'
import { channelId, count, historyKeyText, moment, personId, sha256Text, smallCount } from './fields.ts'
import { problemDocument } from './fleet.ts'
import { cost } from './forecast.ts'
import { channelName, dueTime, id, instant } from './given-fields.ts'
import { historyView } from './history-view.ts'
import { checkTexts } from './message-body.ts'
import { messageFieldValues, messageText, recipientValues, textInLanguages, textLanguage } from './message-text.ts'
import { plan } from './plan.ts'
import { type ReceiptState, receiptStates } from './receipt-state.ts'
import { receiptView } from './receipt-view.ts'

export const issuedKey = z.strictObject({ key: historyKeyText }).describe('a history key without a message yet')
export type IssuedKey = z.infer<typeof issuedKey>

/** What was accepted. The same for every repeat of the same request, however far the message has come since. */
export const acceptance = z
  .strictObject({
    key: historyKeyText.describe('what to ask for what has become of it'),
    audience: z
      .strictObject({ size: count.describe('so many people'), sha256: sha256Text })
      .describe('the people it is for, fixed now'),
    at: moment.describe('due time'),
    expires: moment.describe('after this it is not sent any more'),
    acceptedAt: moment.describe('when it was accepted'),
    plan: plan.optional().describe('who is sent it when, as the rules say; absent where none holds for it'),
  })
  .describe('a message that was accepted')
export type Acceptance = z.infer<typeof acceptance>

export const rescheduleBody = z.strictObject({
  at: dueTime.describe('the new due time'),
})

export const cancellation = z
  .strictObject({
    key: historyKeyText,
    outcome: z
      .enum(['cancelled', 'stopping', 'withdrawing'])
      .describe(
        'cancelled: nobody got it, and nobody will; stopping: after the batch in flight; withdrawing: the same, and whoever has it loses it where the channel can',
      ),
  })
  .describe('a message that was cancelled or stopped')
type Cancelled = z.infer<typeof cancellation>
export type Cancellation = Cancelled & { readonly outcome: Exclude<Cancelled['outcome'], 'withdrawing'> }
export type Withdrawal = Cancelled & { readonly outcome: Exclude<Cancelled['outcome'], 'stopping'> }

const unknownPeople = z
  .union([z.literal('all'), z.array(id).min(1).max(1000)])
  .describe('those named; or all: everyone who is unknown on this channel')
  .meta({ examples: [['s-ekn-101-01'], 'all'] })

export const resolveBody = z.strictObject({
  channel: channelName,
  people: unknownPeople,
  outcome: z.enum(['delivered', 'failed']).describe('what you have found out: that it arrived, or that it did not'),
})
export type ResolveInput = z.input<typeof resolveBody>

export const resendBody = z.strictObject({ channel: channelName, people: unknownPeople })
export type ResendInput = z.input<typeof resendBody>

export const retryBody = z.strictObject({
  expires: instant
    .optional()
    .describe('after this they are not tried any more, at most a year ahead; a day from now when absent'),
})
export type RetryInput = z.input<typeof retryBody>

export const retryOutcome = z
  .strictObject({
    key: historyKeyText,
    people: smallCount.describe('how many are tried again: 0 when there is nobody whose endpoint has not taken it'),
  })
  .describe('how many are tried again')
export type RetryOutcome = z.infer<typeof retryOutcome>

export const followUps = ['where-needed', 'always', 'never'] as const
export type FollowUp = (typeof followUps)[number]

const correctionFields = z.strictObject({
  text: textInLanguages(messageText).describe(
    'what people are to read instead; a text is for everybody, also where there were several. Or such texts by language: each person reads that of their own',
  ),
  language: textLanguage.describe(
    'of texts in several languages: whose text is for people of other languages; as it was, where that is one of them, else that of the fleet, when absent',
  ),
  fields: messageFieldValues
    .optional()
    .describe(
      'values for the fields of the text, in the place of those that the message had under the same names; the others stay. Where it is given, or the message had fields, the text has fields',
    ),
  recipients: recipientValues
    .optional()
    .describe(
      'such values for one of its people each, in the place of those that the message had for the same person under the same names; the others stay. At most 1000, 64 KB of JSON, with those it had',
    ),
  followUp: z
    .enum(followUps)
    .default('where-needed')
    .describe(
      'a message of its own that says what it corrects: where-needed, to whoever no edit reaches; always, also to whoever is edited, for an edit makes no sound; never, to nobody: whom no edit reaches keeps the old text',
    ),
})
export const correctionBody = correctionFields.superRefine(checkTexts)
export type CorrectionBody = z.output<typeof correctionBody>
export type CorrectionInput = z.input<typeof correctionBody>

export const correctionOutcome = z
  .strictObject({
    key: historyKeyText,
    version: smallCount.describe('the number of the new text'),
  })
  .describe('a message that was corrected: from now on nobody is sent an older text')
export type CorrectionOutcome = z.infer<typeof correctionOutcome>

/** Everyone of the audience is in one of them, on each channel. */
const changedCounts = {
  attempting: count.describe('being sent it just now: what they are counted as is not known yet'),
  notSent: count.describe('not sent it yet'),
  untouched: count.describe('they have not been sent it, and are not to be any more'),
}

export const correctionRehearsal = z
  .strictObject({
    key: historyKeyText,
    version: smallCount.describe('the number that the new text would have'),
    people: count.describe('everyone of its audience'),
    channels: z
      .record(
        channelId,
        z.strictObject({
          edited: count.describe('the message they have would be edited'),
          followedUp: count.describe('they would be sent a message of its own that says what it corrects'),
          uncorrected: count.describe('they would keep the older text'),
          alsoTold: count
            .optional()
            .describe('of `edited`: they would be sent a message of its own besides; absent unless that is wanted'),
          ...changedCounts,
          notSent: changedCounts.notSent.describe('not sent it yet: they would get the new text alone'),
          cost: cost.optional().describe('of the messages of its own; absent where the channel is not SMS'),
        }),
      )
      .describe('by channel; none of a message that has not begun, for nobody has it'),
  })
  .describe('what a correction would do if it were made now; nothing was changed')
export type CorrectionRehearsal = z.infer<typeof correctionRehearsal>

export const recallRehearsal = z
  .strictObject({
    key: historyKeyText,
    people: count.describe('everyone of its audience'),
    channels: z
      .record(
        channelId,
        z.strictObject({
          deleted: count.describe('the message they have would be deleted, at theirs'),
          replaced: count.describe('it would say that it was withdrawn, for it cannot be deleted any more'),
          remaining: count.describe('they would still have it, or might have it'),
          ...changedCounts,
          notSent: changedCounts.notSent.describe('not sent it yet: they would not be sent it any more'),
        }),
      )
      .describe('by channel; none of a message that has not begun, for nobody has it'),
  })
  .describe('what taking it back would do if it were done now; nothing was changed')
export type RecallRehearsal = z.infer<typeof recallRehearsal>

export const decisionOutcome = z
  .strictObject({
    key: historyKeyText,
    channel: channelId,
    people: smallCount.describe('how many of them were unknown: nobody else is touched'),
  })
  .describe('how many it concerns')
export type DecisionOutcome = z.infer<typeof decisionOutcome>

export const toldOutcome = z
  .strictObject({
    key: historyKeyText,
    person: personId,
    toldByVoice: receiptView.shape.toldByVoice,
  })
  .describe('who says that this person was told by voice; nobody where `toldByVoice` is absent')
export type ToldOutcome = z.infer<typeof toldOutcome>

export const heldOutcome = z
  .strictObject({
    key: historyKeyText,
    people: count.describe(
      'how many waited, each counted once, or at least so many, where they wait for different times on several channels: 0 when nobody does (any more)',
    ),
  })
  .describe('how many it concerns')
export type HeldOutcome = z.infer<typeof heldOutcome>

export const maxWaitSeconds = 300

export const trackUntil = ['settled', 'delivered'] as const
export type TrackUntil = (typeof trackUntil)[number]

export const trackerBody = z.strictObject({
  timeout: z
    .number()
    .min(0)
    .max(maxWaitSeconds)
    .describe('seconds to wait')
    .meta({ examples: [30] }),
  until: z
    .enum(trackUntil)
    .default('settled')
    .describe(
      '`settled`: every courier is done; `delivered`: and nobody is handed over without a confirmation any more',
    ),
})

export const historiesPage = z
  .strictObject({
    histories: z.array(historyView).describe('newest first'),
    next: z
      .string()
      .optional()
      .describe('`before` of the next page; absent at the end')
      .meta({ examples: ['1788242400000'] }),
    searchedSince: moment
      .optional()
      .describe(
        'where a search ends before all was looked through: it has seen what was accepted since then; go on with `next`',
      ),
  })
  .describe('a page of messages')
export type HistoriesPage = z.infer<typeof historiesPage>

export const historyCounts = z
  .strictObject({
    scheduled: smallCount.describe('not due yet'),
    held: smallCount.describe('were due, and wait for an operator'),
    running: smallCount.describe('couriers are at it'),
    settled: smallCount.describe('every courier is done'),
    cancelled: smallCount.describe('cancelled before anybody got them'),
    since: moment.optional().describe('only what was accepted since then was counted; absent where all of it was'),
  })
  .describe('how many messages are in which state')
export type HistoryCounts = z.infer<typeof historyCounts>

export const receiptsPage = z
  .strictObject({
    receipts: z.array(receiptView).describe('by ordinal'),
    next: count.optional().describe('`from` of the next page; absent at the end'),
  })
  .describe('a page of receipts')
export type ReceiptsPage = z.infer<typeof receiptsPage>

const countPerState = z.strictObject(
  Object.fromEntries(receiptStates.map((state) => [state, count.describe(`receipts that are ${state}`)])) as Record<
    ReceiptState,
    z.ZodInt
  >,
)

export const recountReport = z
  .strictObject({
    balanced: z.boolean().describe('whether they agree on every channel'),
    channels: z
      .array(
        z.strictObject({
          channel: channelId,
          ledger: countPerState.describe('the counters'),
          bytes: countPerState.describe('counted from the receipts'),
          balanced: z.boolean().describe('whether they agree'),
        }),
      )
      .describe('those on which the message started'),
  })
  .describe('the counters of a message beside a count of its receipts')
export type RecountReport = z.infer<typeof recountReport>

/** One line of the answer to `POST /v1/messages:bulk`: accepted (201, or 200 when it was before), or the problem. */
export const bulkAnswer = z
  .strictObject({
    line: smallCount.describe('line of the request, from 1'),
    status: z
      .int()
      .describe('201: accepted; 200: it was before; else that of the problem')
      .meta({ examples: [201] }),
    key: historyKeyText.optional().describe('of a message that was accepted'),
    code: problemDocument.shape.code.optional(),
    detail: problemDocument.shape.detail.optional(),
    field: problemDocument.shape.field,
    plan: plan.optional().describe('as in an acceptance; where it was accepted before, in the history'),
  })
  .describe('the answer to one line: accepted, or the problem')
export type BulkAnswer = z.infer<typeof bulkAnswer>
