/** What is posted to a URL that a message is for, whether it is a person's or named in `to` itself. */
import { z } from 'zod'
import { historyKeyText, moment, personId, smallCount, words } from './fields.ts'
import { maxFiles, messageFile } from './files.ts'

const callId = z.string().meta({ examples: ['00c1f3a90b5e7d21'] })

const ofCall = {
  id: callId.describe('the same at every try, also in the header webhook-id'),
  created: moment.describe('when the message was accepted'),
}

const version = smallCount.describe('number of the text; it rises with each correction, and with a recall')
const replaces = z.array(callId)

const ofMessage = {
  person: personId.optional().describe('whose URL it is; absent where the message names the URL itself'),
  history: historyKeyText,
}

const said = {
  text: words.describe('what people are written'),
  ...ofMessage,
  data: z
    .record(z.string(), z.unknown())
    .optional()
    .describe('as the sender gave it')
    .meta({ examples: [{ room: 412 }] }),
  files: z
    .array(messageFile.omit({ id: true }))
    .min(1)
    .max(maxFiles)
    .optional()
    .describe('files that go with it; absent where there are none'),
}

export const messageCall = z
  .strictObject({
    ...ofCall,
    type: z.literal('message').describe('what kind of call it is'),
    version: version.optional().describe('number of the text, where it is not the first'),
    replaces: replaces
      .optional()
      .describe('ids under which older texts of it may have come before it was corrected: what came is this message'),
    ...said,
  })
  .describe('a message, for the system behind a URL')
export type MessageCall = z.infer<typeof messageCall>

export const correctedCall = z
  .strictObject({
    ...ofCall,
    type: z.literal('corrected').describe('what kind of call it is'),
    version,
    replaces: replaces.describe('id of the message, which has another text now'),
    ...said,
  })
  .describe('a message that the system behind a URL has was corrected')

export const recalledCall = z
  .strictObject({
    ...ofCall,
    type: z.literal('recalled').describe('what kind of call it is'),
    version,
    replaces: replaces.describe('ids of what the system has of the message, all of which is withdrawn'),
    ...ofMessage,
  })
  .describe('a message that the system behind a URL has was withdrawn')
