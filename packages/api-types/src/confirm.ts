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

/** What the button says where the sender has said nothing else. */
const usualButton = { ru: 'Прочитано', en: 'I have read this' } as const

/** @param language a tag; whoever does not read Russian is asked in English */
export function confirmButton(asked: Confirm, language: string): string {
  const words = asked === true ? usualButton : asked.button
  return /^ru\b/i.test(language) ? words.ru : words.en
}

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
  .strictObject({ channel: channelId.describe('by which channel'), at: moment.describe('when') })
  .describe('this person has confirmed the message; the first time counts')

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
      .describe('what the button carries')
      .meta({ examples: ['05.9f86d081884c7d65.2s.AbCdEfGhIjk'] }),
  })
  .describe('a confirmation, as an inbound process heard it')
export type ConfirmationInput = z.input<typeof confirmationBody>

export const confirmationView = z
  .strictObject({
    key: historyKeyText,
    person: personId,
    confirmed,
    language: languageTag.describe('of the person, to answer in'),
    timeZone: zoneName,
  })
  .describe('what is kept of the confirmation: of several the first')
export type ConfirmationView = z.infer<typeof confirmationView>
