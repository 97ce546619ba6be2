/** The text of a message as it is kept: that for people of other languages, and beside it what makes it another for each. */
import {
  fieldsIn,
  fieldsToCheck,
  givenTo,
  type MessageBody,
  type Personal,
  type PersonalText,
  Problem,
  textsOf,
} from '@courier-fleet/api-types'
import type { Directory } from '@courier-fleet/directory'
import { idsOf, type PackedAudience } from '@courier-fleet/store'
import { ProblemWithFacts } from '../http/problem-with-facts.ts'

type Written = { readonly [Name in 'text' | 'language' | 'fields' | 'recipients']?: MessageBody[Name] | undefined }

/** @param language of the fleet. @throws Problem 422 `which-language` `fields-differ` */
export function writtenOf(
  { text = '', language, fields: ofAll, recipients }: Written,
  { language: ofFleet }: { language: string },
): PersonalText {
  const values = recipients ? { fields: ofAll ?? {}, each: valuesOfEach(recipients) } : ofAll && { fields: ofAll }
  if (typeof text === 'string') return checked(values ? { text, personal: values } : { text })
  const key = language ?? ofFleet
  const { [key]: own, ...texts } = text
  if (own === undefined) throw whichLanguage(key, Object.keys(text))
  const personal: Personal = { language: key, texts, ...values }
  return checked({ text: own, personal })
}

const valuesOfEach = (recipients: NonNullable<Written['recipients']>): NonNullable<Personal['each']> =>
  Object.fromEntries(recipients.map(({ person, fields }) => [person, fields]))

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
    for (const { person, names } of await withoutValues(directory, written, idsOf(people, from, from + pageSize))) {
      without += 1
      for (const name of wanted) if (names.includes(name)) missing.add(name)
      if (first.length < maxNamed) first.push(person)
    }
  }
  if (without > 0) throw missingField({ fields: [...missing], people: without, first }, people.size)
}

/** Nobody is read whom the message gives all that it needs. */
async function withoutValues(
  directory: Pick<Directory, 'findInFull'>,
  written: PersonalText,
  ids: readonly string[],
): Promise<{ person: string; names: readonly string[] }[]> {
  const wanted = fieldsToCheck(written)
  const { personal = {} } = written
  const lacking = (person: string, values: Readonly<Record<string, string>>, names: readonly string[]) => {
    const left = names.filter((name) => !Object.hasOwn(values, name))
    return left.length === 0 ? [] : [{ person, names: left }]
  }
  const asked = ids.flatMap((person) => lacking(person, givenTo(personal, person), wanted))
  const found = await directory.findInFull(asked.map(({ person }) => person))
  return asked.flatMap(({ person, names }, index) => {
    const known = found[index]
    // of a message that is corrected, whoever has been removed since is told nothing
    return known ? lacking(person, known.fields ?? {}, names) : []
  })
}

/** @throws Problem 422 `not-in-audience` where there are values for somebody whom the message is not for */
export function requireInAudience({ personal }: PersonalText, people: PackedAudience): void {
  if (!personal?.each) return
  const others = new Set(Object.keys(personal.each))
  for (let from = 0; from < people.size && others.size > 0; from += pageSize)
    for (const id of idsOf(people, from, from + pageSize)) others.delete(id)
  if (others.size === 0) return
  const named = [...others].slice(0, maxNamed)
  const more = others.size > named.length ? ', …' : ''
  const detail = `${others.size} of those with values of their own are not among its people: ${named.join(', ')}${more}; name them in \`to\`, or leave them out`
  const facts = { people: others.size, first: named }
  throw new ProblemWithFacts(422, 'not-in-audience', detail, facts, 'recipients')
}

function missingField(facts: { fields: string[]; people: number; first: string[] }, size: number): Problem {
  const { fields, people, first } = facts
  const more = people > first.length ? ', …' : ''
  const detail = `${people} of ${size} people have no value for ${fields.join(', ')}: ${first.join(', ')}${more}; give it to them, or in \`recipients\` or to all in \`fields\`, or write {{field|otherwise}}`
  return new ProblemWithFacts(422, 'missing-field', detail, facts, 'fields')
}
