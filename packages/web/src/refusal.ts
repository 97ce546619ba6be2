/** What an answer to a message tells of the tries before it whose answer was lost. */
import { type ApiError, isRefusal } from '@courier-fleet/client'

/** what is said before it is looked whether the same was sent before */
const ofThisTry = ['bad-csrf-token', 'not-allowed']

/** The message was not accepted by this try nor by one before it, and will not be: after a 5xx it may have been. */
export function isRefused(error: ApiError, isFirstTry: boolean): boolean {
  const { status, code } = error.problem
  if (isFirstTry) return status < 500 && code !== 'in-progress'
  return isRefusal(error) && status !== 401 && !ofThisTry.includes(code)
}
