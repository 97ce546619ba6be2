/** What of an error goes into a log: never what a command was given, for that may be a code, a key or a person's address. */

interface LoggedError {
  readonly type: string
  readonly message: string
  readonly stack?: string
  readonly code?: string
  readonly cause?: LoggedError
  readonly errors?: readonly LoggedError[]
}

/** an error of a cause of a cause says enough */
const maxDepth = 3

/** Redis repeats what it was given of a command it does not know. */
export const withoutArguments = (text: string) => text.replace(/, with args beginning with: .*/g, '')

/**
 * Type, message, code and stack of an error, and of what caused it. Whatever else it carries stays out: libraries put requests,
 * commands and their arguments there.
 */
export function errorForLog(error: unknown, depth = 0): unknown {
  if (!(error instanceof Error)) return error
  const { code, cause } = error as { code?: unknown; cause?: unknown }
  const errors = error instanceof AggregateError && depth < maxDepth ? error.errors : undefined
  return {
    type: error.name,
    message: withoutArguments(error.message),
    ...(error.stack === undefined ? {} : { stack: withoutArguments(error.stack) }),
    ...(typeof code === 'string' || typeof code === 'number' ? { code: String(code) } : {}),
    ...(cause instanceof Error && depth < maxDepth ? { cause: errorForLog(cause, depth + 1) as LoggedError } : {}),
    ...(errors ? { errors: errors.map((each) => errorForLog(each, depth + 1) as LoggedError) } : {}),
  } satisfies LoggedError
}
