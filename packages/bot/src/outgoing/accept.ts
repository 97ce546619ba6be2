/** Puts a confirmed message under its key, however often it takes: the same body under the same key is sent once. */
import { ApiError, type Client, isRefusal } from '@courier-fleet/client'
import { type Clock, type Log, sleep } from '@courier-fleet/process'
import { type Draft, type OutgoingMessage, saidOf } from '../store/chat.ts'
import type { Words } from '../texts/words.ts'

export type Accepted =
  | 'accepted'
  /** the person may not act from this chat any more: it is not linked to them, or they have asked for no messages there */
  | 'not-theirs'
  | 'opted-out'
  /** it was not taken and will not be; why, in words */
  | {
      readonly why: (words: Words, moment: (at: number) => string) => string
      /** they may mean it: confirmed once more it goes out */
      readonly isQuestion?: true
    }

/** what was to go out at once is asked about again rather than sent so much later */
const lateMs = 600_000
const minWaitMs = 500
const maxWaitMs = 10_000

export interface AcceptDeps {
  readonly client: Client
  readonly clock: Clock
  readonly log: Log
  readonly signal: AbortSignal
}

/** @returns undefined when told to stop before it was known */
export async function accept(deps: AcceptDeps, outgoing: OutgoingMessage, draft: Draft): Promise<Accepted | undefined> {
  const { client, clock, log, signal } = deps
  const { key, confirmedAt } = outgoing
  const { at, sha256, isMeant } = draft
  const to = draft.to.map(({ token }) => token)
  const message = {
    to,
    ...saidOf(draft),
    at: at === undefined ? 'now' : new Date(at).toISOString(),
    ...(sha256 === undefined ? {} : { expect: { sha256 } }),
    ...(isMeant ? { duplicates: 'allow' as const } : {}),
    forecast: true as const,
  }

  async function attempt(): Promise<Accepted> {
    const isLate = at === undefined && clock.now() - confirmedAt > lateMs
    if (isLate && (await isUnsent(client, key))) return { why: (words) => words.notSentInTime }
    if (isLate) return 'accepted'
    try {
      await client.put(key, message)
      return 'accepted'
    } catch (error) {
      const refusal = refusalOf(error)
      if (!refusal) throw error
      // the first answer may have been lost: what counts is what became of the key
      return typeof refusal === 'string' || (await isUnsent(client, key)) ? refusal : 'accepted'
    }
  }

  for (let waitMs = minWaitMs; !signal.aborted; waitMs = Math.min(waitMs * 2, maxWaitMs)) {
    try {
      return await attempt()
    } catch (error) {
      const refusal = refusalOf(error)
      if (refusal) return refusal
      log.warn(
        { key, reason: (error as Error).message, retryAfterMs: waitMs },
        'the service does not take a message now',
      )
      await sleep(waitMs, signal)
    }
  }
  return undefined
}

async function isUnsent(client: Client, key: string): Promise<boolean> {
  try {
    return (await client.history(key)).state === 'issued'
  } catch (error) {
    // an unused key lapses after a day
    if (error instanceof ApiError && error.problem.status === 404) return true
    throw error
  }
}

/** undefined for trouble that passes. */
function refusalOf(error: unknown): Accepted | undefined {
  if (!isRefusal(error)) return undefined
  const { code, resetsAt, sentAt, people = 0 } = error.problem
  switch (code) {
    case 'unknown-contact':
    case 'not-your-history':
      return 'not-theirs'
    case 'opted-out':
      return 'opted-out'
    case 'quota':
      return { why: (words, moment) => words.quota(moment(Date.parse(resetsAt ?? ''))) }
    case 'same-again':
      return { why: (words, moment) => words.sameAgain(moment(Date.parse(sentAt ?? '')), people), isQuestion: true }
    case 'audience-mismatch':
      return { why: (words) => words.audienceChanged }
    case 'unknown-key':
    case 'past-at':
      return { why: (words) => words.notSentInTime }
    case 'empty-audience':
      return { why: (words) => words.nobodyInThere }
    default:
      return { why: (words) => words.refused(code) }
  }
}
