/** What is said where it is not known whether a message was accepted, or what has become of it since. */
import { ApiError, UnreachableError } from '@courier-fleet/client'
import { explain, UsageError } from './usage-error.ts'

/** nobody was asked anything */
const neverConnected = ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'UND_ERR_CONNECT_TIMEOUT']

function mayBeAccepted(error: unknown): boolean {
  if (error instanceof ApiError) return error.problem.status >= 500
  if (!(error instanceof UnreachableError)) return false
  const { cause } = error.cause as { cause?: { code?: string } }
  return !neverConnected.includes(cause?.code ?? '')
}

const reasonOf = (error: unknown) => (error instanceof UnreachableError ? error.message : explain(error))

/** @param how the options that make the call the same again */
export function orRepeat(error: unknown, how: string): unknown {
  if (!mayBeAccepted(error)) return error
  return new UsageError(
    `${reasonOf(error)}; it may have been accepted: run it again with ${how}, and it is not sent twice`,
  )
}

export function orWatch(error: unknown, key: string): unknown {
  const reason = reasonOf(error)
  if (reason === undefined) return error
  return new UsageError(`${reason}; it was accepted as ${key}, and "fleet watch ${key}" says who gets it`)
}
