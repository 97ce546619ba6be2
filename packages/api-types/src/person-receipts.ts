/** What one person got, message by message: what an operator looks up, and what they see themselves. */
import { z } from 'zod'
import { confirm, textVersion } from './confirm.ts'
import { historyKeyText, moment, personId, words } from './fields.ts'
import { historyStates } from './history-view.ts'
import { receiptView } from './receipt-view.ts'

export const personReceipts = z
  .strictObject({
    person: personId,
    messages: z
      .array(
        z.strictObject({
          key: historyKeyText,
          sender: personId.describe('who sent it'),
          acceptedAt: moment.describe('when it was accepted'),
          state: z.enum(historyStates).describe('of the message'),
          text: words.describe('how it begins; all of it for the person themself'),
          channels: receiptView.shape.channels,
          toldByVoice: receiptView.shape.toldByVoice,
          confirmed: receiptView.shape.confirmed,
          toConfirm: confirm
            .optional()
            .describe('it asks to be confirmed, and they have not: `true`, or what its button says'),
          version: textVersion.describe('the number of its text: a confirmation names it'),
        }),
      )
      .describe('messages for this person, the latest accepted first'),
    next: moment
      .optional()
      .describe('messages accepted before then were not looked at: `to` of the next call; absent at the end'),
  })
  .describe('the receipts of one person, message by message')
export type PersonReceipts = z.infer<typeof personReceipts>
