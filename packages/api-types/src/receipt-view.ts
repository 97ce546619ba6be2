/** What is told of one recipient of a message. */
import { z } from 'zod'
import { confirmed } from './confirm.ts'
import { historyKeyText, moment, personId, personName, smallCount } from './fields.ts'
import { limit } from './limit.ts'
import { reasons } from './reasons.ts'
import { receiptStates } from './receipt-state.ts'
import { waveCauses } from './waves.ts'

const contactEnd = z
  .string()
  .describe('of who has several contacts on the channel: how the address of this one ends')
  .meta({ examples: ['67'] })

/** What is known of any attempt. */
const attempt = {
  at: moment.optional().describe('when it came to this state (not to those before); absent while it is pending'),
  providerId: z
    .string()
    .optional()
    .describe('what the provider calls it')
    .meta({ examples: ['16'] }),
  reason: z.enum(reasons).optional().describe('why, as a class; absent where the state says it all'),
  detail: z
    .string()
    .optional()
    .describe("the provider's own words")
    .meta({ examples: ['ESME_RINVDSTADR: the SMS centre refused it'] }),
}

const earlierAttempt = z.strictObject({
  contact: contactEnd,
  state: z.enum(receiptStates).describe('what is known of it by that one'),
  ...attempt,
})

const receipt = z.strictObject({
  state: z.enum(receiptStates).describe('what is known of this person on this channel'),
  waiting: z
    .strictObject({
      at: moment.describe('not sent before this time; of who is to be online first: when it expires'),
      cause: z.enum(waveCauses).describe('why they wait'),
    })
    .optional()
    .describe('of who is pending and waits for a later wave; absent for who is being sent to'),
  ...attempt,
  limit: limit.optional().describe('of whoever has had enough: which rule says so, and until when'),
  toldBy: personId.optional().describe('who has told what became of it, where that was unknown'),
  contact: contactEnd.optional(),
  earlier: z
    .array(earlierAttempt)
    .optional()
    .describe(
      'of who has several contacts on the channel: those that were tried before, in order; the receipt is about the one after them',
    ),
  sentWith: historyKeyText
    .optional()
    .describe(
      'its text went below that of this message of the same sender, which was due first: so it may be earlier than it was due',
    ),
})

export const receiptView = z
  .strictObject({
    ordinal: smallCount.describe('place in the audience, from 0'),
    person: personId,
    name: personName.optional(),
    channels: z.record(z.string(), receipt).describe('the receipt, by channel'),
    toldByVoice: z
      .strictObject({ by: personId.describe('who says so'), at: moment.describe('since when') })
      .optional()
      .describe('somebody says that they have told this person themselves'),
    confirmed: confirmed.optional(),
    corrections: z
      .record(
        z.string(),
        z.strictObject({
          state: z.enum(receiptStates).describe('what is known of it'),
          at: moment.optional().describe('when it came to this state; absent while it is pending'),
          reason: z.enum(reasons).optional().describe('how, or why not; absent where the state says it all'),
        }),
      )
      .optional()
      .describe(
        'what became of each correction, and of a recall, with this person, by channel and version (`telegram~2`; `telegram~2~told` for the message that tells of an edit besides); absent of whoever had nothing to correct',
      ),
  })
  .describe('one person of a message, and their receipt on each channel')
export type ReceiptView = z.infer<typeof receiptView>
