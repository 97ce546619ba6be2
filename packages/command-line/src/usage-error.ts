import { ApiError, UnreachableError } from '@courier-fleet/client'

/** The command was called wrongly; the message is one line for the person who did. */
export class UsageError extends Error {}

/** One clear line for whatever keeps a command from doing its work; undefined for a defect of the command itself. */
export function explain(error: unknown): string | undefined {
  if (error instanceof UsageError) return error.message
  if (error instanceof UnreachableError) return `${error.message}; is the fleet running? (npm start)`
  if (!(error instanceof ApiError)) return undefined
  const { code, detail, field } = error.problem
  if (code === 'unknown-audience') return `${field}: ${detail}; "fleet groups" lists the groups you may write to`
  return field === undefined || detail.startsWith(field) ? detail : `${field}: ${detail}`
}
