/** Texts as callers give them: in one language or several, with fields and the values for them, or stored ones. */
import { z } from 'zod'
import { id } from './given-fields.ts'
import { fieldNamePattern, languageKeyPattern, maxFieldLength, maxFields, ownFields } from './personal-text.ts'
import { maxTextLength } from './split-text.ts'
import { wholeCharacters } from './whole-characters.ts'

/** What people are written. */
export const messageText = z
  .string()
  .max(maxTextLength)
  .overwrite(wholeCharacters)
  .refine((text) => text.trim() !== '', 'must not be empty')
  .describe('what people are written, 1 to 20 000 characters; a channel that takes less splits it')
  .meta({ examples: ['Fire drill at noon'] })

/** the first part of a BCP 47 tag */
export const languageKey = z.string().regex(languageKeyPattern, 'a language such as ru, en or de')
const maxLanguages = 8
const shownTexts = { examples: [{ ru: 'Учебная тревога в полдень', en: 'Fire drill at noon' }] }

/** By language. @param text each of them */
const inLanguages = <Text extends z.ZodType<string, string>>(text: Text) =>
  z
    .record(languageKey, text)
    .refine((texts) => {
      const { length } = Object.keys(texts)
      return length >= 1 && length <= maxLanguages
    }, `texts in 1 to ${maxLanguages} languages`)
    .meta(shownTexts)

const textOrTexts = 'a text, or texts by language such as {"ru": "…", "en": "…"}'
/** @param text one of them */
export const textInLanguages = <Text extends z.ZodType<string, string>>(text: Text) =>
  z.union([text, inLanguages(text)], { error: textOrTexts })

export const textLanguage = languageKey
  .optional()
  .describe(
    'of texts in several languages: whose text is for people of other languages; that of the fleet (setting `language`) when absent',
  )
  .meta({ examples: ['ru'] })

/** Values for the fields of texts, by name. */
export const fieldValues = z
  .record(
    z
      .string()
      .regex(fieldNamePattern, 'a name of a field: a letter, then letters, digits, - and _, at most 32')
      .refine((name) => !ownFields.some((own) => own === name), `${ownFields.join(' and ')} are known of each person`),
    z
      .string()
      .max(maxFieldLength)
      .overwrite(wholeCharacters)
      .refine((value) => value.trim() !== '', 'must not be empty'),
  )
  .refine((fields) => Object.keys(fields).length <= maxFields, `at most ${maxFields} fields`)
  .meta({ examples: [{ room: '204' }] })

/** Of one message. */
export const messageFieldValues = fieldValues.describe(
  'where it is given, the text has fields: `{{name}}`, `{{id}}` and these stand for values, `{{room|the hall}}` has another in the place of one that is not there, and `{{{{` is two braces. Without it braces are braces; `{}` where the person alone is asked for',
)

export const maxRecipients = 1000
export const maxRecipientsBytes = 65_536
export const recipientValues = z
  .array(
    z.strictObject({
      person: id.describe('one of the people it is for').meta({ examples: ['s-ekn-101-01'] }),
      fields: fieldValues.describe('values for the fields of the text, as this person reads it'),
    }),
  )
  .min(1)
  .max(maxRecipients)
  .refine((rows) => new Set(rows.map(({ person }) => person)).size === rows.length, 'a person stands there once')
  .refine(
    (rows) => new TextEncoder().encode(JSON.stringify(rows)).length <= maxRecipientsBytes,
    `must not be more than ${maxRecipientsBytes} bytes of JSON`,
  )
  .describe(
    'where it is given, the text has fields, and these are the values for one of its people each: they hold before those of `fields` and what the person has. At most 1000, 64 KB of JSON; `to` says whom it goes to',
  )
  .meta({ examples: [[{ person: 's-ekn-101-01', fields: { room: '204' } }]] })

/** A stored text, and which of its versions. */
export const templateRef = z
  .strictObject({
    id: id.describe('id of the template').meta({ examples: ['exam-room'] }),
    version: z
      .int()
      .min(1)
      .optional()
      .describe('which of its versions; the newest when the message is accepted, when absent')
      .meta({ examples: [3] }),
  })
  .describe('instead of `text`: a stored text, `GET /v1/templates`; the version is fixed when the message is accepted')
