/** What a refusal by a rule that counts means: that people wait, and for what, or what is told of them. */
import { defaultType, type Limit, perOf, type WaveCause } from '@courier-fleet/api-types'
import type { Decision } from '@courier-fleet/rules'
import type { DiaryEntry } from '@courier-fleet/store'
import type { Recipient } from '../jobs/recipients.ts'
import type { Refusal } from './diary-scripts.ts'
import type { Standing } from './standing-entries.ts'

export interface Refused {
  readonly recipient: Recipient
  readonly refusal: Refusal
}

export type Standings = ReadonlyMap<DiaryEntry, Standing>

/** Whoever waits for what is on its way waits as long as that has been, within these. */
const [leastWaitMs, longestWaitMs] = [30_000, 900_000]

const minuteMs = 60_000

export const isFailed = (standings: Standings) => (entry: DiaryEntry) =>
  standings.get(entry) === 'failed' && !entry.isContested

/** When there is room for whoever waits for it, to the minute, so that many wait together; never for whoever does not wait. */
export function roomMs(decision: Decision, nowMs: number): number {
  if (decision.kind !== 'hold') return Number.POSITIVE_INFINITY
  const { untilMs } = decision
  return untilMs - nowMs < minuteMs ? untilMs : Math.ceil(untilMs / minuteMs) * minuteMs
}

/** When to look again, where enough of what is in the way may still fail; never where it stands. */
export function looksAgainMs({ tooMany, inTheWay }: Refusal, standings: Standings, nowMs: number): number {
  const open = inTheWay.filter((entry) => standings.get(entry) === 'open')
  if (open.length < tooMany) return Number.POSITIVE_INFINITY
  const sinceMs = Math.max(...open.map(({ atMs }) => atMs))
  return nowMs + Math.min(Math.max(nowMs - sinceMs, leastWaitMs), longestWaitMs)
}

export function causeOf({ rule }: Refusal): WaveCause {
  if (rule.reason === 'duplicate') return 'same-on-its-way'
  return rule.reason === 'too-soon' ? 'too-soon' : 'capped'
}

/** Which rule it was, by which settings, and until when it would forbid it. */
export function limitOf(
  { rule, untilMs, inTheWay }: Refusal,
  standings: Standings,
  type: string | undefined,
  version: number,
): Limit {
  const said = { settings: version, until: new Date(untilMs).toISOString(), n: rule.n, per: perOf(rule.window) }
  if (rule.of === 'any') return said
  if (rule.of !== 'text') return { ...said, type: type ?? defaultType }
  const earlier = inTheWay.find((entry) => standings.get(entry) === 'stands') ?? inTheWay[0]
  if (!earlier) return said
  return { ...said, earlier: { at: new Date(earlier.atMs).toISOString(), key: earlier.message } }
}
