/** The text of a message as it is kept: that for people of other languages, and beside it what makes it another for each. */
import {
  fieldsIn,
  fieldsToCheck,
  type MessageBody,
  type Personal,
  type PersonalText,
  Problem,
  textsOf,
} from '@courier-fleet/api-types'
import type { Directory } from '@courier-fleet/directory'
import { idsOf, type PackedAudience } from '@courier-fleet/store'
import { ProblemWithFacts } from './problem-with-facts.ts'

type Written = { readonly [Name in 'text' | 'language' | 'fields']?: MessageBody[Name] | undefined }

/** @param language of the fleet. @throws Problem 422 `which-language` `fields-differ` */
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

/** people who are read in one go: other requests are served in between */
const pageSize = 2_000
/** so many are named */
const maxNamed = 20

/**
 * Of fields that the message gives no value for, and that have nothing in their place, everybody has one of their own. Nobody is read where there is no such field.
 * @throws Problem 422 `missing-field`
 */
export async function requireValues(
  directory: Pick<Directory, 'findInFull'>,
  written: PersonalText,
  people: PackedAudience,
): Promise<void> {
  const wanted = fieldsToCheck(written)
  if (wanted.length === 0) return
  const first: string[] = []
  const missing = new Set<string>()
  let without = 0
  for (let from = 0; from < people.size; from += pageSize) {
    const ids = idsOf(people, from, from + pageSize)
    for (const [index, person] of (await directory.findInFull(ids)).entries()) {
      const own = person?.fields ?? {}
      const names = wanted.filter((name) => !Object.hasOwn(own, name))
      if (names.length === 0) continue
      without += 1
      for (const name of names) missing.add(name)
      if (first.length < maxNamed) first.push(ids[index] as string)
    }
  }
  if (without > 0) throw missingField({ fields: [...missing], people: without, first }, people.size)
}

function missingField(facts: { fields: string[]; people: number; first: string[] }, size: number): Problem {
  const { fields, people, first } = facts
  const more = people > first.length ? ', …' : ''
  const detail = `${people} of ${size} people have no value for ${fields.join(', ')}: ${first.join(', ')}${more}; give it to them or to the message in \`fields\`, or write {{field|otherwise}}`
  return new ProblemWithFacts(422, 'missing-field', detail, facts, 'fields')
}
