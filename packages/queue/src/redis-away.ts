/** Tells errors of a Redis that is away (try again) from those of a wrong command (a defect). */

/** the first word of Redis's own refusals that pass by themselves */
const passing = new Set([
  'LOADING',
  'READONLY',
  'MISCONF',
  'OOM',
  'MASTERDOWN',
  'CLUSTERDOWN',
  'TRYAGAIN',
  'NOREPLICAS',
])

/** what ioredis says when there is no connection; it has no codes for these */
const disconnected =
  /^(Command timed out|Connection is closed|Stream isn't writeable|Reached the max retries per request|Socket timeout|connect )/

export function isRedisAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  if (error.name === 'ReplyError') return passing.has(error.message.split(' ', 1)[0] as string)
  if (error.name === 'MaxRetriesPerRequestError' || error.name === 'AbortError') return true
  return disconnected.test(error.message) || (error as NodeJS.ErrnoException).syscall === 'connect'
}
