/** Shapes of the HTTP API around templates: stored texts, each with its versions. */
import { z } from 'zod'
import { putOutcome, shownName } from './directory.ts'
import { moment, personId, templateId } from './fields.ts'
import { id } from './given-fields.ts'
import { checkTexts } from './message-body.ts'
import { messageText, textInLanguages, textLanguage } from './message-text.ts'
import { fieldNamePattern, fieldsIn, maxFields, ownFields, textsIn } from './personal-text.ts'

const inBoth = (what: string, ru: string, en: string) =>
  z
    .strictObject({
      ru: shownName.describe('in Russian').meta({ examples: [ru] }),
      en: shownName.describe('in English').meta({ examples: [en] }),
    })
    .describe(what)

const askedField = z
  .strictObject({
    name: z
      .string()
      .regex(fieldNamePattern, 'a name of a field: a letter, then letters, digits, - and _, at most 32')
      .refine((name) => !ownFields.some((own) => own === name), `${ownFields.join(' and ')} are known of each person`)
      .describe('as the text has it')
      .meta({ examples: ['room'] }),
    label: inBoth('what the sender is asked for', 'Аудитория', 'Room').optional(),
    example: z
      .string()
      .trim()
      .min(1)
      .max(200)
      .optional()
      .describe('a value such as the sender may give')
      .meta({ examples: ['204'] }),
  })
  .describe('a field that the sender is asked for')
export type AskedField = z.infer<typeof askedField>

const content = {
  name: inBoth('what it is called', 'Аудитория экзамена', 'Exam room'),
  text: textInLanguages(messageText)
    .describe(
      'what people are written, or such texts by language. It has fields: `{{name}}`, `{{id}}`, `{{room}}`, `{{room|the hall}}`; `{{{{` is two braces',
    )
    .meta({ examples: ['{{name}}, your exam is in room {{room}}'] }),
  language: textLanguage,
  fields: z
    .array(askedField)
    .max(maxFields)
    .default([])
    .describe('those of its fields that the sender is asked for, in this order; all others are of each person'),
  type: id
    .optional()
    .describe('what a message with it is about, where the message says no other type than `general`')
    .meta({ examples: ['schedule'] }),
}

interface Asking {
  readonly text: string | Readonly<Record<string, string>>
  readonly fields: readonly { readonly name: string }[]
}

/** What is asked for stands in the text, once. */
function checkAsked({ text, fields }: Asking, context: z.RefinementCtx): void {
  const known = new Set(
    textsIn(text)
      .flatMap(fieldsIn)
      .map(({ name }) => name),
  )
  for (const [index, { name }] of fields.entries()) {
    const wrong = (message: string) => context.addIssue({ code: 'custom', path: ['fields', index, 'name'], message })
    if (!known.has(name)) wrong(`the text has no field {{${name}}}`)
    if (fields.findIndex((field) => field.name === name) !== index) wrong('a field stands there once')
  }
}

export const templateBody = z
  .strictObject(content)
  .superRefine(({ text, language }, context) => checkTexts({ text, language, fields: {} }, context))
  .superRefine(checkAsked)
  .describe('a template')
  .meta({
    examples: [
      {
        name: { ru: 'Аудитория экзамена', en: 'Exam room' },
        text: { ru: '{{name}}, экзамен в ауд. {{room}}', en: '{{name}}, your exam is in room {{room}}' },
        language: 'ru',
        fields: [{ name: 'room', label: { ru: 'Аудитория', en: 'Room' }, example: '204' }],
      },
    ],
  })
export type TemplateInput = z.input<typeof templateBody>
export type TemplateBody = z.infer<typeof templateBody>

export const templateView = z
  .strictObject({
    id: templateId,
    version: z
      .int()
      .describe('number of this version, from 1')
      .meta({ examples: [3] }),
    at: moment.describe('when it was made'),
    by: personId.describe('who made it'),
    archived: z.literal(true).optional().describe('nothing is sent with it any more'),
    ...content,
  })
  .describe('a template, in one of its versions')
export type TemplateView = z.infer<typeof templateView>

export const templateList = z
  .strictObject({ templates: z.array(templateView).describe('each in its newest version, by id') })
  .describe('the templates')
export type TemplateList = z.infer<typeof templateList>

export const templateVersions = z
  .strictObject({ versions: z.array(templateView).describe('the newest first, a hundred at most') })
  .describe('what it was before')
export type TemplateVersions = z.infer<typeof templateVersions>

export const templateOutcome = putOutcome
  .extend({
    version: z
      .int()
      .describe('its newest version now')
      .meta({ examples: [3] }),
  })
  .describe('what became of it')
export type TemplateOutcome = z.infer<typeof templateOutcome>
