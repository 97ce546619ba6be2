/** The API's refusals, and the call that is repeated because another process is making it. */
import { ApiError, isRefusal, UnreachableError } from '@courier-fleet/client'
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

/** It was this very text that was refused: not the key of this process, and not by a proxy that stands before the API. */
export function refusesText(error: unknown): error is ApiError {
  return isRefusal(error) && !isOfEveryText(error) && !error.problem.code.startsWith('http-')
}

const statusesOfEveryText: ReadonlySet<number> = new Set([401, 408, 429, 502, 503, 504])
const codesOfEveryText: ReadonlySet<string> = new Set(['in-progress', 'wrong-channel'])

/** The API is away, takes no more now or refuses the key of this process: it says nothing of what somebody wrote. */
export function isOfEveryText(error: unknown): boolean {
  if (error instanceof UnreachableError) return true
  if (!(error instanceof ApiError)) return false
  // no more is taken of this sender today
  if (error.problem.status === 429 && isRefusal(error)) return false
  return statusesOfEveryText.has(error.problem.status) || codesOfEveryText.has(error.problem.code)
}
