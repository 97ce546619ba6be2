/** Whether it is of use to make a call again. In a file of its own: a page loads errors before anything else. */
import { ApiError } from './errors.ts'

/** of calls that come too fast the service does not look what they are; these say that no more is taken today */
const ofTheDay: readonly string[] = ['quota', 'too-much-today']

/** The service refused the call, and will again; calls that come too fast, come too slowly or are too many at once may be made later. */
export function isRefusal(error: unknown): error is ApiError {
  if (!(error instanceof ApiError)) return false
  const { status, code } = error.problem
  return status < 500 && status !== 408 && code !== 'in-progress' && (status !== 429 || ofTheDay.includes(code))
}
