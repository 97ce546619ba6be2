/** The people behind a number of the statistics, as `GET /v1/stats/people` tells them. */
import { z } from 'zod'
import { historyKeyText, hourText, moment, personId, personName, smallCount, words } from './fields.ts'
import { receiptView } from './receipt-view.ts'

const countedPerson = z.strictObject({
  key: historyKeyText,
  sender: personId.describe('who sent the message'),
  acceptedAt: moment.describe('when it was accepted'),
  text: words.describe('how it begins'),
  person: personId,
  name: personName.optional(),
  receipt: receiptView.shape.channels.valueType.describe('what is known of this person on the channel, and since when'),
})

export const statsPeople = z
  .strictObject({
    from: hourText.describe('the beginning of the first hour'),
    to: hourText.describe('the end of the last'),
    people: z.array(countedPerson).describe('of the message accepted last first; each once a message'),
    messages: smallCount.describe('so many messages of any type were looked at in this call'),
    searchedSince: moment
      .optional()
      .describe('all messages accepted later than this were looked at; absent when all that are kept were'),
    next: z
      .string()
      .optional()
      .describe('`before` of the next call, perhaps after nobody was found; absent at the end')
      .meta({ examples: ['1788242400000~07.admin.V1StGXR8_Z5jdHi6B-myT~100'] }),
  })
  .describe('the people whom a number of the statistics counts, as far as they can be found')
export type StatsPeople = z.infer<typeof statsPeople>
export type CountedPerson = StatsPeople['people'][number]
