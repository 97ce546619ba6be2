/** Codes for the people of a group, made all at once. */
import { z } from 'zod'
import { channelId, groupId, moment, personId, personName, smallCount } from './fields.ts'
import { channelName } from './given-fields.ts'
import { inboundAddress } from './inbound.ts'

const maxDays = 30

export const groupCodesBody = z
  .strictObject({
    channel: channelName,
    days: z
      .int()
      .min(1)
      .max(maxDays)
      .default(7)
      .describe('so long the codes are good')
      .meta({ examples: [14] }),
    again: z
      .boolean()
      .default(false)
      .describe('for whoever has a contact on the channel, too: theirs is replaced; for operators'),
  })
  .meta({ examples: [{ channel: 'telegram', days: 14 }] })
export type GroupCodesInput = z.input<typeof groupCodesBody>
export type GroupCodesAsked = z.output<typeof groupCodesBody>

export const groupCode = z
  .strictObject({
    person: personId,
    name: personName,
    code: z
      .string()
      .describe('to be typed into the channel, by the person, once; shown only now')
      .meta({ examples: ['471108151620'] }),
    url: z
      .string()
      .optional()
      .describe('opens the channel on a phone with the code in it; absent as `to` is')
      .meta({ examples: ['https://t.me/university_bot?start=471108151620'] }),
    link: z
      .string()
      .optional()
      .describe('a page with all of this for the person to be sent, signed; absent where the queue has no PUBLIC_URL')
      .meta({ examples: ['https://fleet.example/e/telegram.471108151620.mr0k1c.AbCdEfGhIjKlMnOpQrStUv'] }),
  })
  .describe('the code of one person')
export type GroupCode = z.infer<typeof groupCode>

export const groupCodesView = z
  .strictObject({
    group: groupId,
    channel: channelId,
    expiresAt: moment.describe('until then they are good'),
    to: inboundAddress.optional().describe('what people write to; absent until its process has run'),
    codes: z.array(groupCode).describe('by name'),
    linked: smallCount.describe('have a contact on the channel, and were left out'),
    others: smallCount.describe('are of a role that the caller may make no code for, and were left out'),
  })
  .describe('codes for the people of a group')
export type GroupCodesView = z.infer<typeof groupCodesView>
