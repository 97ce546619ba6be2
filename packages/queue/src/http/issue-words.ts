/** What a value may be, said plainly, where its schema has no words of its own: `takes an object, not a number`. */
import type { z } from 'zod'

const things: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  object: 'an object',
  record: 'an object',
  array: 'a list',
  null: 'null',
  undefined: 'nothing',
}
const counted: Readonly<Record<string, string>> = { string: 'characters', array: 'entries', set: 'entries' }

const named = (thing: string) => things[thing] ?? thing
const oneOf = (values: readonly unknown[]) => values.map((value) => JSON.stringify(value)).join(' or ')

/** @returns undefined where zod's own words do */
export function issueWords(issue: z.core.$ZodRawIssue): string | undefined {
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined ? 'is missing' : `takes ${named(issue.expected)}, not ${thingOf(issue.input)}`
    case 'invalid_value':
      return `takes ${oneOf(issue.values)}, not ${thingOf(issue.input)}`
    case 'too_small':
      return `takes ${limit(issue.inclusive ? 'at least' : 'more than', issue.minimum, issue.origin)}`
    case 'too_big':
      return `takes ${limit(issue.inclusive ? 'at most' : 'less than', issue.maximum, issue.origin)}`
    case 'invalid_union':
      return unionWords(issue)
    case 'invalid_format':
      return issue.format === 'url' ? 'takes an address such as https://fleet.example' : undefined
    default:
      return undefined
  }
}

/** What it takes, where each of its forms asks for another kind of value; the complaint of one form says nothing of the others. */
function unionWords({ errors, input }: z.core.$ZodRawIssue<z.core.$ZodIssueInvalidUnion>): string {
  const taken = errors.flatMap(([first]) => (first?.path.length === 0 ? formOf(first) : []))
  if (taken.length < errors.length || taken.length === 0) return 'is in none of the forms that it may have'
  return `takes ${[...new Set(taken)].join(' or ')}, not ${thingOf(input)}`
}

function formOf(issue: z.core.$ZodIssue): string[] {
  if (issue.code === 'invalid_type') return [named(issue.expected)]
  if (issue.code === 'invalid_value') return [oneOf(issue.values)]
  return []
}

const limit = (most: string, count: number | bigint, origin: string) =>
  [most, count, ...(counted[origin] === undefined ? [] : [counted[origin]])].join(' ')

/** Numbers and short texts as they are: whoever mistyped one sees what. */
function thingOf(input: unknown): string {
  if (input === null) return 'null'
  if (typeof input === 'number' || (typeof input === 'string' && input.length <= 40)) return JSON.stringify(input)
  return named(Array.isArray(input) ? 'array' : typeof input)
}
