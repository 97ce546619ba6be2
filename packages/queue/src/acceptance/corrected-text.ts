/** What people are to read after a correction, as it is kept: the new text, with the values that the message had and those that are given now. */
import {
  type CorrectionBody,
  fieldsToCheck,
  maxFields,
  maxRecipients,
  maxRecipientsBytes,
  type Personal,
  type PersonalText,
  Problem,
  slipDetail,
  textsOf,
} from '@courier-fleet/api-types'
import type { Directory } from '@courier-fleet/directory'
import { type AcceptedMessage, type Intros, packAudience } from '@courier-fleet/store'
import { introOf, type SentWhen } from './correction-intro.ts'
import { requireInAudience, requireValues, writtenOf } from './written-text.ts'

type Corrected = Pick<CorrectionBody, 'text' | 'language' | 'fields' | 'recipients'>
type Each = NonNullable<Personal['each']>

/** @param before of the text so far; absent where it was the same for everybody. @throws Problem 422 `invalid` `which-language` `fields-differ` */
export function correctedText(
  { text, language, fields, recipients }: Corrected,
  before: Personal | undefined,
  fleet: { language: string },
): PersonalText {
  const each = eachOf(before?.each, recipients)
  const values = { ...before?.fields, ...fields }
  if (Object.keys(values).length > maxFields) throw tooMany('fields', `at most ${maxFields} fields, with those it had`)
  const written = writtenOf(
    {
      text,
      language: language ?? languageOf(text, before),
      ...((before?.fields ?? fields ?? each) ? { fields: values } : {}),
      ...(each ? { recipients: Object.entries(each).map(([person, own]) => ({ person, fields: own })) } : {}),
    },
    fleet,
  )
  requireFields(written)
  return written
}

/** People of other languages read the text of the language that they read before, where there is one. */
const languageOf = (text: Corrected['text'], before: Personal | undefined): string | undefined =>
  typeof text === 'object' && before?.language !== undefined && Object.hasOwn(text, before.language)
    ? before.language
    : undefined

function eachOf(before: Each | undefined, recipients: Corrected['recipients']): Each | undefined {
  if (!recipients) return before
  const changed = recipients.map(({ person, fields }) => [person, { ...before?.[person], ...fields }] as const)
  const each = { ...before, ...Object.fromEntries(changed) }
  if (Object.keys(each).length > maxRecipients)
    throw tooMany('recipients', `at most ${maxRecipients} people, with those it had`)
  if (Buffer.byteLength(JSON.stringify(each)) > maxRecipientsBytes)
    throw tooMany('recipients', `at most ${maxRecipientsBytes} bytes of JSON, with those it had`)
  return each
}

const tooMany = (field: string, detail: string) => new Problem(422, 'invalid', `${field}: ${detail}`, field)

/** Where the message had fields before, its new text has them, too: all that looks like one is one. */
function requireFields(written: PersonalText): void {
  if (!written.personal?.fields) return
  const slip = textsOf(written).map(slipDetail).find(Boolean)
  if (slip !== undefined) throw new Problem(422, 'invalid', `text: ${slip}`, 'text')
}

/** Everybody whom it is for has a value for each field, and values of their own has nobody else. @throws Problem 422 `missing-field` `not-in-audience` */
export async function requireValuesOfAll(
  directory: Pick<Directory, 'findInFull'>,
  written: PersonalText,
  { people, size }: Pick<AcceptedMessage, 'people' | 'size'>,
): Promise<void> {
  // nobody is read where it says nothing of them that has to be known
  if (!written.personal?.each && fieldsToCheck(written).length === 0) return
  const audience = packAudience(await people(0, size))
  requireInAudience(written, audience)
  await requireValues(directory, written, audience)
}

/** What a message of its own begins with, in the language of each text. */
export function introsOf({ text, personal }: PersonalText, when: SentWhen): Intros {
  const intro = introOf(text, when)
  if (!personal?.texts) return { intro }
  const intros = Object.entries(personal.texts).map(([language, each]) => [language, introOf(each, when)])
  return { intro, intros: Object.fromEntries(intros) }
}
