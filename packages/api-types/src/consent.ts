/** What a person allows on a channel. */
import { z } from 'zod'
import { address } from './directory.ts'
import { agreementIdOf, channelId, languageTag, personId } from './fields.ts'
import { channelName } from './given-fields.ts'
import { messageTypeId, namesInLanguages } from './message-types.ts'

export const consentBody = z.strictObject({
  allowed: z.boolean().describe('whether messages may go to this channel'),
  wording: agreementIdOf('page').optional(),
})
export type ConsentInput = z.input<typeof consentBody>
export const contactConsentBody = z.strictObject({
  channel: channelName,
  address,
  allowed: z.boolean().describe('START, or STOP'),
  type: messageTypeId
    .optional()
    .describe('only messages of this type, on every channel; the whole channel when absent'),
})
export type ContactConsentInput = z.input<typeof contactConsentBody>
export const consentView = z
  .strictObject({
    person: personId,
    channel: channelId,
    allowed: z.boolean().describe('whether messages go there now'),
    language: languageTag.describe('of the person, to answer in'),
    type: messageTypeId.optional().describe('as it was named'),
    mandatory: z
      .array(z.strictObject({ id: messageTypeId, name: namesInLanguages }))
      .optional()
      .describe('types that come all the same, where a type was named'),
  })
  .describe('what a person allows on a channel now')
export type ConsentView = z.infer<typeof consentView>
