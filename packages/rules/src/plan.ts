/** From what is decided of each person on each channel to who is sent a message now, who later, and who never. */
import {
  type Plan,
  reasonAtExpiry,
  type WaveCause,
  type WhyNotDelivered,
  whyNotDelivered,
  whyOf,
} from '@courier-fleet/api-types'
import type { Decision } from './decide.ts'

type Never = Plan['never'][number]['why']

/** What is decided of a message that is not there yet: of whoever is held, `lastMs` is the latest they may be sent to, where it is not the earliest. */
export type Foreseen = Decision & { readonly lastMs?: number }

/** What becomes of a message for one person, over all of their channels. */
export type Outlook =
  | { readonly kind: 'now' }
  | { readonly kind: 'later'; readonly atMs: number; readonly lastMs?: number; readonly cause: WaveCause }
  | { readonly kind: 'never'; readonly why: Never }

const now: Outlook = { kind: 'now' }
const nothing: Outlook = { kind: 'never', why: 'no-contact' }

/** Now where any channel may; else at the earliest time; else never, for the reason of the channel that came nearest. */
export function outlookOf(decisions: readonly Foreseen[], expiresMs: number): Outlook {
  return decisions.map((decision) => onOneChannel(decision, expiresMs)).reduce(nearer, nothing)
}

/** Whoever would be held until it has expired is told so now, and not then. */
function onOneChannel(decision: Foreseen, expiresMs: number): Outlook {
  if (decision.kind === 'send') return now
  if (decision.kind === 'hold') {
    const { untilMs, lastMs, cause } = decision
    if (untilMs < expiresMs) return { kind: 'later', atMs: untilMs, ...(lastMs === undefined ? {} : { lastMs }), cause }
    return { kind: 'never', why: asNotDelivered(reasonAtExpiry(cause) ?? 'expired') }
  }
  const { state, reason } = decision
  if (state === 'no-contact') return nothing
  return { kind: 'never', why: asNotDelivered(whyOf(state, reason)) }
}

const asNotDelivered = (why: string | undefined): WhyNotDelivered =>
  whyNotDelivered.find((each) => each === why) ?? 'failed'

function nearer(one: Outlook, other: Outlook): Outlook {
  if (one.kind === 'now' || other.kind === 'now') return now
  if (one.kind === 'later') return other.kind === 'later' && other.atMs < one.atMs ? other : one
  if (other.kind === 'later') return other
  return rankOf(other.why) < rankOf(one.why) ? other : one
}

const rankOf = (why: Never) => (why === 'no-contact' ? whyNotDelivered.length : whyNotDelivered.indexOf(why))

export interface PlanCount {
  add(outlook: Outlook): void
  /** how many were added */
  readonly people: number
  /** @param size of the whole audience: where it is larger than what was added, the numbers are scaled to it */
  plan(asOfMs: number, size: number): Plan
}

/** a plan has about so many times: what is later is told in larger steps, from when to when */
const maxTimes = 32
const stepsMs = [60_000, 900_000, 3_600_000, 21_600_000, 86_400_000, 604_800_000, 2_678_400_000]

export function createPlanCount(): PlanCount {
  const later = new Map<string, Later>()
  const never = new Map<Never, number>()
  let atOnce = 0
  let people = 0
  return {
    get people() {
      return people
    },
    add(outlook) {
      people += 1
      if (outlook.kind === 'now') atOnce += 1
      else if (outlook.kind === 'never') never.set(outlook.why, (never.get(outlook.why) ?? 0) + 1)
      else count(later, { ...outlook, lastMs: outlook.lastMs ?? outlook.atMs, people: 1 })
    },
    plan(asOfMs, size) {
      const times = coarse([...later.values()], asOfMs).sort((one, other) => one.atMs - other.atMs)
      const reasons = [...never].sort(([, one], [, other]) => other - one)
      const counts = scaled([atOnce, ...times.map((each) => each.people), ...reasons.map(([, each]) => each)], size)
      const [first = 0, ...others] = counts
      return {
        asOf: new Date(asOfMs).toISOString(),
        now: first,
        later: times
          .map(({ atMs, lastMs, cause }, index) => ({
            at: new Date(atMs).toISOString(),
            ...(lastMs > atMs ? { until: new Date(lastMs).toISOString() } : {}),
            people: others[index] as number,
            cause,
          }))
          .filter(isAnybody),
        never: reasons
          .map(([why], index) => ({ people: others[times.length + index] as number, why }))
          .filter(isAnybody),
        ...(people < size ? { sample: people } : {}),
      }
    },
  }
}

interface Later {
  readonly atMs: number
  /** nobody of these waits for longer */
  readonly lastMs: number
  readonly cause: WaveCause
  readonly people: number
}

function count(into: Map<string, Later>, { atMs, lastMs, cause, people }: Later): void {
  const key = `${atMs} ${cause}`
  const before = into.get(key)
  into.set(key, {
    atMs,
    lastMs: Math.max(lastMs, before?.lastMs ?? lastMs),
    cause,
    people: people + (before?.people ?? 0),
  })
}

function coarse(times: readonly Later[], asOfMs: number): Later[] {
  let rows = [...times]
  for (const step of stepsMs) {
    if (rows.length <= maxTimes) break
    const merged = new Map<string, Later>()
    for (const row of rows) count(merged, { ...row, atMs: Math.max(asOfMs, Math.floor(row.atMs / step) * step) })
    rows = [...merged.values()]
  }
  return rows
}

/** To a larger sum, in whole people: the largest remainders are rounded up. */
function scaled(counts: readonly number[], size: number): number[] {
  const sum = counts.reduce((all, each) => all + each, 0)
  if (sum === 0 || sum >= size) return [...counts]
  const exact = counts.map((each) => (each * size) / sum)
  const whole = exact.map(Math.floor)
  const missing = size - whole.reduce((all, each) => all + each, 0)
  const byRemainder = exact.map((each, index) => ({ index, rest: each % 1 })).sort((a, b) => b.rest - a.rest)
  for (const { index } of byRemainder.slice(0, missing)) whole[index] = (whole[index] as number) + 1
  return whole
}

const isAnybody = ({ people }: { readonly people: number }) => people > 0
