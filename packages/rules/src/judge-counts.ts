/**
 * Whether a message may go to somebody, by what they were sent before. The pure twin of lua/allow.lua, which decides and counts in one
 * step: a rehearsal asks here, and a property test that both answer alike.
 */
import type { CalendarDay } from './calendar-day.ts'
import { type CountRule, windowMs } from './count-rules.ts'
import type { Decision } from './decide.ts'

/** A message that somebody was sent, or will have been unless it fails; what their diary says of it. */
export interface Counted {
  /** when it was allowed */
  readonly atMs: number
  /** number of its type */
  readonly type: number
  /** of its text; nothing else is compared */
  readonly textHash: string
  /** its history key; empty where one entry stands for several messages */
  readonly message: string
  /** how many messages */
  readonly weight: number
}

export interface Forbidden<C extends Counted = Counted> {
  readonly rule: CountRule
  /** until then, if nothing else comes */
  readonly untilMs: number
  /** of those in its way, so many are too many */
  readonly tooMany: number
  /** the newest first; at most as many as the script tells */
  readonly inTheWay: readonly C[]
}

const maxInTheWay = 16

/**
 * @param diary the newest first
 * @returns undefined where no rule forbids it
 */
export function judgeCounts<C extends Counted>(
  { message, textHash }: Pick<Counted, 'message' | 'textHash'>,
  diary: readonly C[],
  rules: readonly CountRule[],
  nowMs: number,
  day: CalendarDay,
): Forbidden<C> | undefined {
  const others = newestOfEach(diary).filter((entry) => entry.message !== message)
  let strictest: Forbidden<C> | undefined
  for (const rule of rules) {
    if (strictest && strictest.rule.rank !== rule.rank) return strictest
    const found = forbid(rule, others, textHash, nowMs, day)
    if (found && (!strictest || isStricter(found, strictest))) strictest = found
  }
  return strictest
}

/** A message is one, however often it was written down. */
function newestOfEach<C extends Counted>(diary: readonly C[]): readonly C[] {
  const seen = new Set<string>()
  return diary.filter(({ message }) => message === '' || (!seen.has(message) && seen.add(message)))
}

function forbid<C extends Counted>(
  rule: CountRule,
  others: readonly C[],
  textHash: string,
  nowMs: number,
  day: CalendarDay,
): Forbidden<C> | undefined {
  const hits = hitsOf(rule, others, textHash, nowMs, day)
  const { used, untilMs } = useOf(rule, hits, day)
  if (untilMs === undefined) return undefined
  return { rule, untilMs, tooMany: used - rule.n + 1, inTheWay: hits.slice(0, maxInTheWay) }
}

function hitsOf<C extends Counted>(
  rule: CountRule,
  others: readonly C[],
  textHash: string,
  nowMs: number,
  day: CalendarDay,
): C[] {
  const isWithin = ({ atMs }: Counted) => (rule.window === 'day' ? atMs >= day.fromMs : atMs + rule.window > nowMs)
  const isMeant = (entry: Counted) =>
    rule.of === 'any' || (rule.of === 'text' ? entry.textHash === textHash : entry.type === rule.of)
  return others.filter((entry) => isWithin(entry) && isMeant(entry))
}

/** How much of a rule is used up. */
export interface Use {
  readonly used: number
  /** until then there is no room, if nothing else comes; absent where there is some */
  readonly untilMs?: number
}

function useOf({ n, window }: CountRule, hits: readonly Counted[], day: CalendarDay): Use {
  let used = 0
  let untilMs: number | undefined
  for (const { weight, atMs } of hits) {
    used += weight
    if (used >= n) untilMs ??= window === 'day' ? day.toMs : atMs + window
  }
  return untilMs === undefined ? { used } : { used, untilMs }
}

/** What somebody has left of a rule that is not about a text. @param diary the newest first */
export const roomOf = (rule: CountRule, diary: readonly Counted[], nowMs: number, day: CalendarDay): Use =>
  useOf(rule, hitsOf(rule, newestOfEach(diary), '', nowMs, day), day)

function isStricter(one: Forbidden, other: Forbidden): boolean {
  if (one.rule.over !== other.rule.over) return one.rule.over === 'drop'
  return one.untilMs > other.untilMs
}

/** What becomes of somebody to whom it is forbidden: they wait for room, where the rule says so and the message lives to see it. */
export function decisionOn(
  { rule, untilMs }: Pick<Forbidden, 'rule' | 'untilMs'>,
  expiresMs = Number.POSITIVE_INFINITY,
): Exclude<Decision, { kind: 'send' }> {
  const { reason } = rule
  const waits = rule.over === 'wait' && untilMs < expiresMs
  if (waits && (reason === 'capped' || reason === 'too-soon')) return { kind: 'hold', untilMs, cause: reason }
  return { kind: 'settle', state: 'suppressed', reason }
}

/** How far back a diary has to be read for these rules. */
export const reachOf = (rules: readonly CountRule[]): number => Math.max(0, ...rules.map(windowMs))

export const needsDay = (rules: readonly CountRule[]): boolean => rules.some(({ window }) => window === 'day')
