/** What went wrong, in the words that everybody uses; the API's own are for those who write programs. */
import { ApiError } from '@courier-fleet/client'
import type { Words } from './texts/en.ts'

export function problemText(words: Words, error: unknown): string {
  if (!(error instanceof ApiError)) return words.noAnswer
  const { code } = error.problem
  const expected = code === 'invalid' ? words.invalid[isOfBraces(error) ? 'braces' : (fieldOf(error) ?? '')] : undefined
  return expected ?? words.problem(code)
}

/** Of a text with fields: something between braces is none. */
const isOfBraces = (error: ApiError) => fieldOf(error) === 'text' && (error.problem.detail ?? '').includes('{{')

/** The field of the form a problem belongs to: `to.1` is `to`'s, what was expected of the audience is too. */
export function fieldOf(error: unknown): string | undefined {
  if (!(error instanceof ApiError)) return undefined
  const first = error.problem.field?.split('.', 1)[0]
  return first === 'expect' ? 'to' : first
}
