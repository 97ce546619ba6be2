/**
 * A text that is not the same for everybody: in the language of each, with what is known of each in its fields. One pure function says what
 * somebody reads, for couriers and rehearsals alike. Free of zod, so that a page may load it.
 */

/** Beside the text of a message; absent where everybody reads the same. */
export interface Personal {
  /** of the text itself, which is for whoever reads none of `texts`; absent where there are none */
  readonly language?: string
  /** by language, those besides */
  readonly texts?: Readonly<Record<string, string>>
  /** values of this message; absent: the text has no fields, and its braces are braces */
  readonly fields?: Readonly<Record<string, string>>
  /** values of this message for one of its people, by id; before those for all of them */
  readonly each?: Readonly<Record<string, Readonly<Record<string, string>>>>
}

export interface PersonalText {
  readonly text: string
  readonly personal?: Personal | undefined
}

/** What is known of whoever reads it. */
export interface Reader {
  readonly id: string
  readonly name?: string | undefined
  /** BCP 47 */
  readonly language?: string | undefined
  /** their own values */
  readonly fields?: Readonly<Record<string, string>> | undefined
}

/** What somebody reads, or the fields that have no value for them: never a hole. */
export type Rendering =
  | { readonly text: string; readonly missing?: never }
  | { readonly text?: never; readonly missing: readonly string[] }

/** Known of everybody in the directory: a message gives them no other value. */
export const ownFields = ['name', 'id'] as const

export const maxFields = 20
export const maxFieldLength = 200
export const fieldNamePattern = /^\p{L}[\p{L}\p{N}_-]{0,31}$/u
/** the first part of a BCP 47 tag */
export const languageKeyPattern = /^[a-z]{2,3}$/

/** Two braces that are meant as such, a field, or two braces that are neither. */
const markPattern = /\{\{\{\{|\{\{([^{}]*)\}\}|\{\{/g

interface Field {
  readonly name: string
  /** in its place where it has no value */
  readonly fallback?: string
}

function fieldOf(inside: string): Field {
  const bar = inside.indexOf('|')
  return bar < 0 ? { name: inside.trim() } : { name: inside.slice(0, bar).trim(), fallback: inside.slice(bar + 1) }
}

/** The texts it may be read in, that for everybody else first. */
export const textsOf = ({ text, personal }: PersonalText): string[] => [text, ...Object.values(personal?.texts ?? {})]

/** Of a message as it is written. */
export const textsIn = (text: string | Readonly<Record<string, string>>): string[] =>
  typeof text === 'string' ? [text] : Object.values(text)

const keyOf = (language = '') => language.toLowerCase().replace(/[-_].*$/, '')

/** Before its fields have values. */
function textIn({ text, personal }: PersonalText, language: string | undefined): string {
  const texts = personal?.texts ?? {}
  const key = keyOf(language)
  return Object.hasOwn(texts, key) ? (texts[key] as string) : text
}

export function fieldsIn(text: string): Field[] {
  const inside = [...text.matchAll(markPattern)].flatMap(([, found]) => (found === undefined ? [] : [found]))
  return inside.map(fieldOf)
}

/** What of a text with fields is none; undefined where all is well. */
export function slipIn(text: string): string | undefined {
  for (const [mark, inside] of text.matchAll(markPattern)) {
    if (mark === '{{{{') continue
    if (inside === undefined || !fieldNamePattern.test(fieldOf(inside).name)) return mark
  }
  return undefined
}

/** What is wrong with a text that has fields, in words; undefined where all is well. */
export function slipDetail(text: string): string | undefined {
  const slip = slipIn(text)
  return slip === undefined
    ? undefined
    : `${JSON.stringify(slip)} is no field: write {{field}} or {{field|otherwise}}, and {{{{ for two braces`
}

/** What the message says of this one person. */
export const givenTo = ({ each = {} }: Personal, person: string): Readonly<Record<string, string>> =>
  Object.hasOwn(each, person) ? (each[person] ?? {}) : {}

function valueFor(name: string, personal: Personal, reader: Reader): string | undefined {
  if (name === 'id') return reader.id
  if (name === 'name') return reader.name
  const { fields = {} } = personal
  const own = reader.fields ?? {}
  return [givenTo(personal, reader.id), fields, own].find((values) => Object.hasOwn(values, name))?.[name]
}

/** Whether two braces mean anything in it, once it has fields. */
export const hasMarks = (text: string): boolean => text.includes('{{')

/** Those of a text that the message gives no value for to everybody, and that have nothing in their place. */
export function fieldsToCheck(written: PersonalText): string[] {
  const { fields } = written.personal ?? {}
  if (!fields) return []
  const wanted = textsOf(written).flatMap(fieldsIn)
  const isSure = (name: string) => ownFields.some((own) => own === name) || Object.hasOwn(fields, name)
  return [...new Set(wanted.flatMap(({ name, fallback }) => (fallback !== undefined || isSure(name) ? [] : [name])))]
}

/** @param escaped a value as it stands in a text where some characters mean something; the value itself when absent */
export function renderText(
  written: PersonalText,
  reader: Reader,
  escaped: (value: string) => string = (value) => value,
): Rendering {
  const { personal } = written
  const text = textIn(written, reader.language)
  if (!personal?.fields) return { text }
  const missing = new Set<string>()
  const rendered = text.replace(markPattern, (mark: string, inside: string | undefined) => {
    if (inside === undefined) return '{{'
    const { name, fallback } = fieldOf(inside)
    const value = valueFor(name, personal, reader)
    if (value !== undefined) return escaped(value)
    if (fallback === undefined) missing.add(name)
    return fallback ?? mark
  })
  return missing.size > 0 ? { missing: [...missing] } : { text: rendered }
}
