/** That people say themselves that they have read a message: what a sender asks for, and what was said. */
import { z } from 'zod'
import { channelId, count, historyKeyText, languageTag, moment, personId, zoneName } from './fields.ts'

const label = (example: string) =>
  z
    .string()
    .trim()
    .regex(/^\P{Cc}{1,30}$/u, 'one line of at most 30 characters')
    .meta({ examples: [example] })

/** Before what a button carries, so that it is told from every other button. */
export const confirmPrefix = 'confirm:'

/** As a sender asks for it; `true`: with the usual words. */
export const confirm = z
  .union([
    z.literal(true),
    z.strictObject({
      button: z
        .strictObject({ ru: label('Приду').describe('in Russian'), en: label('I will come').describe('in English') })
        .describe('what the button says'),
    }),
  ])
  .meta({ examples: [true, { button: { ru: 'Приду', en: 'I will come' } }] })
export type Confirm = z.infer<typeof confirm>

export const confirmationFilters = ['yes', 'no'] as const
export type ConfirmationFilter = (typeof confirmationFilters)[number]

export const confirmedCounts = z
  .strictObject({
    yes: count.describe('so many have confirmed it'),
    no: count.describe('so many have not'),
    of: count.describe('all of the audience'),
  })
  .describe('who has confirmed it; each person counts once, by whatever channel')

export const confirmed = z
  .strictObject({
    channel: channelId.describe('by which channel; `web` where they were signed in to the web app'),
    at: moment.describe('when'),
  })
  .describe('this person has confirmed the message; the first time counts')

/** Of the texts of a message, which a correction adds to. */
export const textVersion = z
  .int()
  .min(1)
  .meta({ examples: [1] })

const askNumber = z
  .string()
  .regex(/^[1-9]\d$/, 'two digits')
  .meta({ examples: ['47'] })

const beginningOfText = z
  .string()
  .max(80)
  .describe('how the message begins')
  .meta({ examples: ['The exam is on Monday'] })

export const confirmationBody = z
  .strictObject({
    channel: channelId,
    address: z
      .string()
      .min(1)
      .max(320)
      .describe('the contact that has confirmed it, as its provider calls it')
      .meta({ examples: ['7001'] }),
    token: z
      .string()
      .min(1)
      .max(64)
      .optional()
      .describe('what the button carries that was pressed')
      .meta({ examples: ['05.9f86d081884c7d65.2s.AbCdEfGhIjk'] }),
    number: askNumber.optional().describe('or the number of the message, which was written back'),
  })
  .refine(({ token, number }) => (token === undefined) !== (number === undefined), 'either `token` or `number`')
  .describe('a confirmation, as an inbound process heard it')
  .meta({ examples: [{ channel: 'sms', address: '+79001234567', number: '47' }] })
export type ConfirmationInput = z.input<typeof confirmationBody>

export const confirmationView = z
  .strictObject({
    key: historyKeyText,
    person: personId,
    text: beginningOfText,
    confirmed,
    language: languageTag.describe('of the person, to answer in'),
    timeZone: zoneName,
  })
  .describe('what is kept of the confirmation: of several the first')
export type ConfirmationView = z.infer<typeof confirmationView>

/** What somebody confirms who is signed in: the text that they have read. */
export const ownConfirmationBody = z
  .strictObject({
    version: textVersion.describe('the number of the text that was read, as the receipts of the person have it'),
  })
  .describe('a confirmation of a message by the person themself')

/** What somebody is asked to confirm by a number that stands in the message. */
export const asksView = z
  .strictObject({
    asks: z
      .array(
        z.strictObject({
          number: askNumber.describe('by which an answer names the message'),
          key: historyKeyText,
          text: beginningOfText,
          askedAt: moment.describe('when the number was given'),
          mayHaveIt: z.boolean().describe('it was sent there, or may have been; else it is still to be sent'),
          confirmed: confirmed.optional(),
        }),
      )
      .describe('the latest first'),
  })
  .describe('messages that ask this person to confirm them by a number, the latest first')
export type AsksView = z.infer<typeof asksView>
