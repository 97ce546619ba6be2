/** What may be wrong with a message, whichever way it is put; and with one that is only rehearsed. */
import type { ProblemName } from '../openapi-problems.ts'

export const ofRehearsals: readonly ProblemName[] = [
  '403 ignores-quiet',
  '403 not-your-audience',
  '403 not-your-history',
  '403 not-your-type',
  '403 raises-level',
  '403 unlisted-host',
  '404 unknown-key',
  '422 bad-address',
  '422 expires-before-at',
  '422 names-nobody',
  '422 past-at',
  '422 refused-url',
  '422 too-far',
  '422 too-far-back',
  '422 too-much-to-read',
  '422 unknown-audience',
  '422 unknown-channel',
  '422 unknown-event',
  '422 unknown-type',
  '422 urls-and-people',
  '503 no-fleet-secret',
]

export const ofMessages: readonly ProblemName[] = [
  ...ofRehearsals,
  '409 another-body',
  '409 audience-mismatch',
  '409 cancelled',
  '409 event-moved',
  '409 in-progress',
  '409 same-again',
  '409 too-many-reminders',
  '422 empty-audience',
  '422 nobody-in-time',
  '422 text-too-long',
  '429 quota',
  '429 too-much-today',
  '503 redis-nearly-full',
  '503 try-again',
]
