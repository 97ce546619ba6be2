/** The API's refusals, and the call that is repeated because another process is making it. */
import { ApiError } from '@courier-fleet/client'
import { sleep } from '@courier-fleet/process'

const maxTries = 20
const waitMs = 250

/** Repeats a call that another process is making at this moment under the same Idempotency-Key. */
export async function retryWhileInProgress<T>(call: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await call()
    } catch (error) {
      if (!isProblem(error, 'in-progress') || tries === maxTries) throw error
      await sleep(waitMs)
    }
  }
}

export function isProblem(error: unknown, ...codes: readonly string[]): error is ApiError {
  return error instanceof ApiError && codes.includes(error.problem.code)
}

/** The API refused the call, and will again; calls that come too fast, or are too many at once, may be made later. */
export function isRefusal(error: unknown): error is ApiError {
  if (!(error instanceof ApiError)) return false
  const { status, code } = error.problem
  return status < 500 && code !== 'in-progress' && (status !== 429 || code === 'quota')
}
