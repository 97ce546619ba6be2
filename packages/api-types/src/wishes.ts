/** What a person wants: which types of message not to get, on which channels, and when not to be written to. */
import { z } from 'zod'
import { personId } from './fields.ts'
import { messageTypeId, namesInLanguages } from './message-types.ts'
import { ownQuietHours } from './quiet-hours.ts'

/** `news`: everywhere; `library:sms`: on this channel only. A whole channel is switched off at the contact. */
const switchedOff = z
  .string()
  .regex(
    /^[A-Za-z0-9_-]{1,64}(:[a-z][a-z0-9-]{0,31})?$/,
    'a type such as news, or a type on a channel such as news:sms',
  )
  .meta({ examples: ['news', 'library:sms'] })

export const wishes = z
  .strictObject({
    off: z
      .array(switchedOff)
      .max(200)
      .default([])
      .describe('types that are switched off, everywhere or on one channel'),
    quiet: ownQuietHours
      .optional()
      .describe("in the place of the fleet's; `never`: they may be written to at any hour"),
  })
  .describe('what a person does not want')
  .meta({ examples: [{ off: ['news:sms'], quiet: { from: '22:00', to: '08:00' } }] })
export type Wishes = z.infer<typeof wishes>
export type WishesInput = z.input<typeof wishes>

export const wishesView = z
  .strictObject({
    person: personId,
    ...wishes.shape,
    off: z
      .array(z.string())
      .describe('types that are switched off, everywhere or on one channel')
      .meta({ examples: [['news', 'library:sms']] }),
    version: z
      .string()
      .describe('of these wishes, for If-Match')
      .meta({ examples: ['5f1c8a3e'] }),
    types: z
      .array(
        z.strictObject({
          id: messageTypeId,
          name: namesInLanguages,
          mandatory: z.boolean().describe('it comes all the same: only a whole channel can be switched off'),
        }),
      )
      .describe('the types there are'),
  })
  .describe('what a person has switched off, their own quiet hours, and which types there are')
export type WishesView = z.infer<typeof wishesView>
