/** The text of a message as it is kept: that for people of other languages, and beside it what makes it another for each. */
import {
  fieldsIn,
  type MessageBody,
  ownFields,
  type Personal,
  type PersonalText,
  Problem,
  textsOf,
} from '@courier-fleet/api-types'

type Written = { readonly [Name in 'text' | 'language' | 'fields']?: MessageBody[Name] | undefined }

/** @param language of the fleet. @throws Problem 422 `which-language` `fields-differ` `missing-field` */
export function writtenOf(
  { text = '', language, fields }: Written,
  { language: ofFleet }: { language: string },
): PersonalText {
  if (typeof text === 'string') return checked(fields ? { text, personal: { fields } } : { text })
  const key = language ?? ofFleet
  const { [key]: own, ...texts } = text
  if (own === undefined) throw whichLanguage(key, Object.keys(text))
  const personal: Personal = { language: key, texts, ...(fields ? { fields } : {}) }
  return checked({ text: own, personal })
}

function checked(written: PersonalText): PersonalText {
  if (!written.personal?.fields) return written
  requireSameFields(written)
  requireValues(written, written.personal.fields)
  return written
}

function whichLanguage(fleet: string, languages: readonly string[]): Problem {
  const detail = `nobody says which text is for people of other languages: there is none in that of the fleet, ${fleet}; say with \`language\` which it is: ${languages.join(', ')}`
  return new Problem(422, 'which-language', detail, 'language')
}

const namesIn = (text: string) => [...new Set(fieldsIn(text).map(({ name }) => name))].sort()

function requireSameFields(written: PersonalText): void {
  const [first = [], ...others] = textsOf(written).map(namesIn)
  const other = others.find((names) => names.join() !== first.join())
  if (!other) return
  const said = (names: readonly string[]) => names.join(', ') || 'none'
  const detail = `the texts have different fields, one ${said(first)}, another ${said(other)}: whoever reads one of them would be told less`
  throw new Problem(422, 'fields-differ', detail, 'text')
}

/** What is known of everybody, or has another text in its place, is never missing. */
function requireValues(written: PersonalText, fields: Readonly<Record<string, string>>): void {
  const wanted = textsOf(written).flatMap(fieldsIn)
  const isThere = (name: string) => ownFields.some((own) => own === name) || Object.hasOwn(fields, name)
  const missing = new Set(
    wanted.flatMap(({ name, fallback }) => (fallback !== undefined || isThere(name) ? [] : [name])),
  )
  if (missing.size === 0) return
  const detail = `no value is given for ${[...missing].join(', ')}: give it in \`fields\`, or write {{field|otherwise}}`
  throw new Problem(422, 'missing-field', detail, 'fields')
}
