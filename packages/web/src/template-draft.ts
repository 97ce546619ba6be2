/** A template as it is written on the page: a row for each of its texts, and what of its fields the sender is asked for. */
import type { AskedField, TemplateInput, TemplateView } from '@courier-fleet/api-types'
import { fieldNamePattern, fieldsIn, ownFields, slipIn } from '@courier-fleet/api-types/personal-text'

export interface WrittenText {
  /** of the one text for everybody there may be none */
  readonly language: string
  readonly text: string
}

export interface TemplateDraft {
  readonly id: string
  readonly name: { readonly ru: string; readonly en: string }
  /** empty: as the message says */
  readonly type: string
  /** the first is for people of other languages, too */
  readonly texts: readonly [WrittenText, ...WrittenText[]]
  readonly asked: readonly AskedField[]
}

export const blank: TemplateDraft = {
  id: '',
  name: { ru: '', en: '' },
  type: '',
  texts: [{ language: '', text: '' }],
  asked: [],
}

export function draftOf({ id, name, type = '', text, language = '', fields }: TemplateView): TemplateDraft {
  if (typeof text === 'string') return { id, name, type, texts: [{ language: '', text }], asked: fields }
  const { [language]: first = '', ...others } = text
  const rest = Object.entries(others).map(([key, each]) => ({ language: key, text: each }))
  return { id, name, type, texts: [{ language, text: first }, ...rest], asked: fields }
}

/** Of a version, what a template is made of. */
export const bodyOf = (view: TemplateView): TemplateInput => inputOf(draftOf(view))

/** What is asked for and does not stand in the text any more is left out. */
export function inputOf({ name, type, texts, asked }: TemplateDraft): TemplateInput {
  const [first] = texts
  const known = namesIn(texts)
  return {
    name,
    ...(type === '' ? {} : { type }),
    ...(texts.length === 1 && first.language === ''
      ? { text: first.text }
      : { text: Object.fromEntries(texts.map(({ language, text }) => [language, text])), language: first.language }),
    fields: asked.filter((field) => known.includes(field.name)).map(withoutEmpty),
  }
}

function withoutEmpty({ name, label, example = '' }: AskedField): AskedField {
  return {
    name,
    ...(label && `${label.ru}${label.en}`.trim() !== '' ? { label } : {}),
    ...(example.trim() === '' ? {} : { example }),
  }
}

const own: readonly string[] = ownFields
const marksIn = (texts: readonly WrittenText[]) => texts.flatMap(({ text }) => fieldsIn(text))

/** Its fields that are not known of everybody by themselves, in the order of the text. */
export const namesIn = (texts: readonly WrittenText[]): string[] =>
  [...new Set(marksIn(texts).map(({ name }) => name))].filter(
    (name) => fieldNamePattern.test(name) && !own.includes(name),
  )

/** What stands in the place of a field that has no value. */
export const fallbackIn = (texts: readonly WrittenText[], name: string): string | undefined =>
  marksIn(texts).find((mark) => mark.name === name)?.fallback

export type Flaw =
  | { readonly is: 'slip'; readonly mark: string }
  | { readonly is: 'lacks'; readonly names: readonly string[] }

/** What is wrong with one of its texts; undefined: nothing. */
export function flawIn(texts: readonly WrittenText[], { text }: WrittenText): Flaw | undefined {
  const mark = slipIn(text)
  if (mark !== undefined) return { is: 'slip', mark }
  if (text.trim() === '') return undefined
  const here = fieldsIn(text).map(({ name }) => name)
  const names = [...new Set(marksIn(texts).map(({ name }) => name))].filter((name) => !here.includes(name))
  return names.length === 0 ? undefined : { is: 'lacks', names }
}

/** So a text is in this language already. */
export const isTaken = (texts: readonly WrittenText[], language: string): boolean =>
  texts.filter((each) => each.language === language).length > 1

export const hasFlaws = ({ texts }: TemplateDraft): boolean =>
  texts.some((each) => flawIn(texts, each) !== undefined || isTaken(texts, each.language))

/** For the fields that the sender is asked for: their examples, or their names in brackets. */
export const examplesOf = ({ asked }: TemplateDraft): Record<string, string> =>
  Object.fromEntries(asked.map(({ name, example = '' }) => [name, example.trim() || `[${name}]`]))
