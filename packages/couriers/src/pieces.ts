/** Who of a claim waits for later waves, as the pieces that the claim is handed back in. */
import type { Claim } from './claim.ts'
import type { Piece } from './claim-scripts.ts'
import type { Held } from './recipients.ts'

const maxBackOffMs = 300_000

/**
 * In the order of their ordinals. No ordinal is in two of them: each becomes a claim of its own, and claims share no receipt.
 * Who is settled and lies between those who wait is passed over when the wave is due.
 */
export function piecesOf(claim: Claim, held: readonly Held[], nowMs: number): Piece[] {
  const runs: [Held, ...Held[]][] = []
  for (const each of [...held].sort((a, b) => a.recipient.ordinal - b.recipient.ordinal)) {
    const last = runs.at(-1)
    if (last && last[0].cause === each.cause) last.push(each)
    else runs.push([each])
  }
  return runs.map((run) => pieceOf(claim, run, nowMs))
}

/** A failed try backs off, a hold does not. */
function pieceOf({ tries }: Claim, run: readonly [Held, ...Held[]], nowMs: number): Piece {
  const [{ cause, recipient: first }] = run
  const last = (run.at(-1) as Held).recipient
  const failed = cause === 'throttled' ? tries + 1 : tries
  const backOffMs = cause === 'throttled' ? Math.min(1000 * 2 ** failed, maxBackOffMs) : 0
  const waitMs = Math.min(...run.map(({ untilMs }) => untilMs)) - nowMs
  return {
    cause,
    delayMs: Math.max(backOffMs, waitMs),
    from: first.ordinal,
    to: last.ordinal + 1,
    tries: failed,
    people: run.length,
  }
}
