/**
 * Whether a centre that can be reached does its work, as far as this process has seen. It says what is better left alone while
 * there is another; it forbids nothing.
 *
 *   works ─► troubled (since its first answer that took nothing) ─► left alone ─► tried with one message ─► works, or left alone for twice as long
 *
 * Any message that it takes, or refuses for good, ends the trouble. What a crash leaves is nothing: the next process looks for itself.
 */
import { type Clock, steadyClock } from '@courier-fleet/process'
import type { Outcome } from '../courier.ts'

export interface HealthTiming {
  /** A centre that has taken nothing for so long, or says that it will not, is left alone. */
  readonly failAfterMs: number
  /** before it is tried again; twice as long after each try that fails, up to the longest */
  readonly restMs: number
  readonly maxRestMs: number
}

export interface LeftAlone {
  /** Unix ms */
  readonly since: number
  readonly why: string
}

export interface Health {
  /** undefined: it works */
  leftAlone(): LeftAlone | undefined
  /** the latest time that is over; `until` Unix ms */
  last(): (LeftAlone & { readonly until: number }) | undefined
  /** whether a message may go by it: it works, or it is time to try it, and nobody does */
  mayCarry(): boolean
  /** A message goes by it. @returns takes its outcome */
  begin(): (outcome: Outcome) => void
}

/** So many in a row whom it has perhaps taken are enough: each of them is told as unknown. */
const maxDoubtful = 5

/** @param wall what is told, is told to people */
export function createHealth(
  { failAfterMs, restMs, maxRestMs }: HealthTiming,
  wall: Clock,
  onChange: () => void,
  clock: Clock = steadyClock,
): Health {
  let troubledAt: number | undefined
  let doubtful = 0
  let rest: (LeftAlone & { readonly ms: number; readonly endsAt: number }) | undefined
  let last: ReturnType<Health['last']>
  let isTrying = false

  function takes(): void {
    troubledAt = undefined
    doubtful = 0
    if (!rest) return
    last = { since: rest.since, why: rest.why, until: wall.now() }
    rest = undefined
    onChange()
  }

  function leaveAlone(why: string, ms: number): void {
    const isNew = !rest
    rest = { since: rest?.since ?? wall.now(), why, ms, endsAt: clock.now() + ms }
    if (isNew) onChange()
  }

  function takesNot(why: string, since: number, forMs: number, isDoubtful: boolean): void {
    troubledAt = Math.min(troubledAt ?? since, since)
    if (isDoubtful) doubtful += 1
    if (rest) return
    if (clock.now() + forMs - troubledAt >= failAfterMs || doubtful >= maxDoubtful) leaveAlone(why, restMs)
  }

  return {
    leftAlone: () => rest && { since: rest.since, why: rest.why },
    last: () => last,
    mayCarry: () => !rest || (!isTrying && clock.now() >= rest.endsAt),
    begin() {
      const startedAt = clock.now()
      const isTry = rest !== undefined && !isTrying && startedAt >= rest.endsAt
      if (isTry) isTrying = true
      return (outcome) => {
        if (isTry) isTrying = false
        const trouble = troubleIn(outcome)
        if (outcome.kind === 'sent' || outcome.kind === 'rejected') takes()
        else if (trouble && isTry && rest) leaveAlone(trouble.why, Math.min(rest.ms * 2, maxRestMs))
        else if (trouble) takesNot(trouble.why, startedAt, trouble.forMs, outcome.kind === 'unknown')
      }
    },
  }
}

/** What never left, or waits for this process, says nothing of the centre. */
function troubleIn(outcome: Outcome): { readonly why: string; readonly forMs: number } | undefined {
  if (outcome.kind === 'unknown') return { why: outcome.why, forMs: 0 }
  if (outcome.kind !== 'throttled' || outcome.isOwn) return undefined
  return { why: outcome.reason, forMs: outcome.retryAfterMs }
}
