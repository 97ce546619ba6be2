/** What is wrong with a value, in words of ours: whoever mistyped a setting is told what it takes. */
import { expect } from 'chai'
import { z } from 'zod'
import { parseInput } from '../src/http/invalid-input.ts'

const said = (schema: z.ZodType, value: unknown) => {
  try {
    parseInput(z.object({ it: schema }), { it: value })
    return undefined
  } catch (error) {
    return (error as Error).message
  }
}

describe('what a value may be', () => {
  const rows: readonly (readonly [z.ZodType, unknown, string])[] = [
    [z.object({}), 99, 'takes an object, not 99'],
    [z.object({}), 'abc', 'takes an object, not "abc"'],
    [z.array(z.string()), null, 'takes a list, not null'],
    [z.string(), undefined, 'is missing'],
    [z.int(), 1.5, 'takes a whole number, not 1.5'],
    [z.boolean(), [], 'takes true or false, not a list'],
    [z.number().gt(0), 0, 'takes more than 0'],
    [z.number().max(5), 6, 'takes at most 5'],
    [z.string().min(2), 'a', 'takes at least 2 characters'],
    [z.array(z.string()).max(1), ['a', 'b'], 'takes at most 1 entries'],
    [z.enum(['drop', 'wait']), 'keep', 'takes "drop" or "wait", not "keep"'],
    [z.union([z.number(), z.literal('off')]), 'abc', 'takes a number or "off", not "abc"'],
    [
      z.union([z.object({ a: z.string() }), z.object({ b: z.string() })]),
      {},
      'is in none of the forms that it may have',
    ],
    [z.url(), 'nowhere', 'takes an address such as https://fleet.example'],
    [z.string().regex(/^a$/, 'an a'), 'b', 'an a'],
  ]
  for (const [schema, value, words] of rows)
    it(`${JSON.stringify(value)}: ${words}`, () => expect(said(schema, value)).to.equal(`it: ${words}`))
})
