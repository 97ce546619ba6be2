/** How somebody links a contact of theirs: by a code that they write to the channel. */
import { z } from 'zod'
import { address } from './directory.ts'
import { channelId, moment, personId } from './fields.ts'
import { channelName, id, oneTimeCode } from './given-fields.ts'
import { inboundAddress } from './inbound.ts'

export const enrolmentBody = z
  .strictObject({
    channel: channelName,
    person: id.optional().describe('for whom; yourself when absent, anyone else for operators only'),
  })
  .meta({ examples: [{ channel: 'telegram' }] })
export type EnrolmentInput = z.input<typeof enrolmentBody>

export const enrolmentView = z
  .strictObject({
    code: z
      .string()
      .describe('to be typed into the channel, by the person, once; shown only now')
      .meta({ examples: ['47110815'] }),
    person: personId,
    channel: channelId,
    expiresAt: moment.describe('until then it is good'),
    agreement: z
      .string()
      .describe('what whoever sends the code agrees to, in the language of the person: to be shown beside the code')
      .meta({ examples: ['By sending the code you agree to get messages of the university here.'] }),
    to: inboundAddress
      .optional()
      .describe('what the person writes to: the bot, the community or the number; absent until its process has run'),
    url: z
      .string()
      .optional()
      .describe('opens the channel on a phone with the code in it; absent as `to` is')
      .meta({ examples: ['https://t.me/university_bot?start=47110815'] }),
    qr: z
      .string()
      .optional()
      .describe('the URL as a QR code, an SVG picture; absent as `url` is')
      .meta({
        examples: ['<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 37 37"><path d="M4 4h1v1H4Z"/></svg>'],
      }),
  })
  .describe('a code that links a contact')
export type EnrolmentView = z.infer<typeof enrolmentView>

export const redeemBody = z.strictObject({ channel: channelName, address, code: oneTimeCode })
export type RedeemInput = z.input<typeof redeemBody>
