/** Who of a claim waits for later waves, as the pieces that the claim is handed back in. */
import type { WaveCause } from '@courier-fleet/api-types'
import type { Claim } from '../claims/claim.ts'
import type { Piece } from '../claims/claim-scripts.ts'
import { isHeldCause } from '../rules/job-quiet.ts'
import type { Held } from './recipients.ts'

const maxBackOffMs = 300_000
/** of one piece, as defer.lua keeps it */
const pieceBytes = 12
/** Of a message to more people than this, who waits may cost a byte a person; a string that grows is given twice what it needs. */
const exactPeople = 1_000

export interface PiecesAt {
  /** by the job's clock, which those who are held are put off by */
  readonly nowMs: number
  /** Redis's clock less the job's, where it was read: those who wait for a time of day wait for it by Redis's */
  readonly redisAheadMs?: number | undefined
  /** of the settings by which somebody is held */
  readonly version: number
  /** no quiet hours of theirs hold anybody of this message any more */
  readonly isSentNow?: boolean
  /** people of the whole message, where that was read */
  readonly size?: number | undefined
}

type Run = [Held, ...Held[]]

/**
 * In the order of their ordinals. No ordinal is in two of them: each becomes a claim of its own, and claims share no receipt.
 * Who is settled and lies between those who wait is passed over when the wave is due. People of many zones lie side by side: each
 * has a piece due at their own time where that costs little; else one piece is due when the first of them is, and whoever has to wait
 * for longer is held again then.
 */
export function piecesOf(claim: Claim, held: readonly Held[], at: PiecesAt): Piece[] {
  const sorted = [...held].sort((a, b) => a.recipient.ordinal - b.recipient.ordinal)
  const exact = runsOf(sorted, (one, other) => isHeldCause(one.cause) && one.untilMs !== other.untilMs)
  const isCheap = (at.size ?? 0) <= exactPeople || exact.length * pieceBytes <= claim.to - claim.from
  const runs = isCheap ? exact : runsOf(sorted, () => false)
  return runs.map((run) => pieceOf(claim, run, at))
}

/** Neighbours who wait for the same, unless they are apart otherwise. */
function runsOf(sorted: readonly Held[], areApart: (one: Held, other: Held) => boolean): Run[] {
  const runs: Run[] = []
  for (const each of sorted) {
    const last = runs.at(-1)
    if (last && isAlike(last[0], each) && !areApart(last[0], each)) last.push(each)
    else runs.push([each])
  }
  return runs
}

/** Of those whose endpoint has not taken it, who was tried counts one try more than who was not. */
const isAlike = (one: Held, other: Held): boolean =>
  one.cause === other.cause && (one.cause !== 'not-taken' || one.failed === other.failed)

/** A failed try backs off, a hold does not; of an endpoint the courier has said when it is tried again. */
function pieceOf(claim: Claim, run: Run, { nowMs, redisAheadMs, version, isSentNow }: PiecesAt): Piece {
  const [{ cause, recipient: first }] = run
  const last = (run.at(-1) as Held).recipient
  const failed = Math.max(...run.map((each) => each.failed ?? failedBefore(claim, cause)))
  const backOffMs = cause === 'throttled' ? Math.min(1000 * 2 ** failed, maxBackOffMs) : 0
  const untilMs = Math.min(...run.map((each) => each.untilMs))
  const isTimeOfDay = isHeldCause(cause) && redisAheadMs !== undefined
  const due = isTimeOfDay
    ? { dueMs: Math.round(untilMs + redisAheadMs), ...(isSentNow && cause === 'quiet' ? {} : { version }) }
    : { delayMs: Math.max(backOffMs, untilMs - nowMs) }
  return { cause, ...due, from: first.ordinal, to: last.ordinal + 1, tries: failed, people: run.length }
}

/** Tries of a recheck say nothing of the provider, nor the other way round. */
function failedBefore({ cause: before, tries }: Claim, cause: WaveCause): number {
  const own = (before === 'recheck') === (cause === 'recheck') ? tries : 0
  return cause === 'throttled' ? own + 1 : own
}
