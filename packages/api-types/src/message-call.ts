/** What is posted to a URL that a message is for, whether it is a person's or named in `to` itself. */
import { z } from 'zod'
import { historyKeyText, moment, personId, words } from './fields.ts'

export const messageCall = z
  .strictObject({
    id: z
      .string()
      .describe('the same at every try, also in the header webhook-id')
      .meta({ examples: ['00c1f3a90b5e7d21'] }),
    created: moment.describe('when the message was accepted'),
    type: z.literal('message').describe('what kind of call it is'),
    text: words.describe('what people are written'),
    person: personId.optional().describe('whose URL it is; absent where the message names the URL itself'),
    history: historyKeyText,
    data: z
      .record(z.string(), z.unknown())
      .optional()
      .describe('as the sender gave it')
      .meta({ examples: [{ room: 412 }] }),
  })
  .describe('a message, for the system behind a URL')
export type MessageCall = z.infer<typeof messageCall>
