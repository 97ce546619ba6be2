/**
 * Which rules that count hold for a message: no text twice, so many in a window, so long between two, only important ones after so many.
 * Compiled from the settings to a list of plain numbers, that lua/allow.lua and judgeCounts() read alike. A message of a type that
 * nobody made any such rule for has none and is not counted: nothing is asked or written for it.
 */
import {
  type Cap,
  durationMs,
  type FleetSettings,
  type MessageClass,
  type MessageRules,
  type MessageType,
  type Reason,
  serviceType,
  typeOf,
} from '@courier-fleet/api-types'

/** So many at most of what it looks at. */
export interface CountRule {
  readonly reason: Extract<Reason, 'duplicate' | 'capped' | 'too-soon' | 'not-important'>
  /** the first rank that forbids it is the reason; within a rank the strictest rule */
  readonly rank: 1 | 2 | 3
  /** the same text, any type, or the type of this number */
  readonly of: 'text' | 'any' | number
  readonly n: number
  /** `day`: of the person's own calendar */
  readonly window: number | 'day'
  /** what becomes of a message that would be one more */
  readonly over: Cap['over']
}

export interface CountPolicy {
  /** of the type, in the diary */
  readonly number: number
  /** what is in its way; a message that no rule stops may still be counted */
  readonly rules: readonly CountRule[]
  /** for how long a page of a diary is kept once its day is over */
  readonly keptMs: number
  /** of the settings it was compiled from */
  readonly version: number
}

type Counting = Pick<FleetSettings, 'types' | 'caps' | 'interval' | 'levels'>

const dayMs = 86_400_000
/** a calendar day has 25 hours where clocks are set back by one */
const longestDayMs = 25 * 3_600_000

/** @returns undefined where the message is not counted at all */
export function countPolicyOf(
  cls: MessageClass,
  said: MessageRules | undefined,
  settings: Counting,
  version: number,
): CountPolicy | undefined {
  if (said?.type === serviceType) return undefined
  const type = typeOf(settings.types, said?.type)
  if (!hasFleetRules(settings) && !hasOwnRules(type)) return undefined
  const isExempt = cls === 'urgent' || type.optOut === 'mandatory'
  const rules = [
    ...(said?.duplicates === 'allow' ? [] : duplicateRules(type)),
    // urgent and mandatory messages are never too many; they count all the same, for people feel them
    ...(isExempt ? [] : frequencyOf(type, type.number)),
    ...(isExempt ? [] : frequencyOf({ ...settings, interval: settings.interval ?? undefined }, 'any')),
    // that it is urgent says who goes first, not who goes at all
    ...(type.optOut === 'mandatory' ? [] : levelRules(said?.level ?? type.level, settings)),
  ]
  return { number: type.number, rules, keptMs: longestWindowMs(settings), version }
}

const hasFleetRules = ({ caps, interval, levels }: Counting) =>
  caps.length > 0 || interval !== null || levels.length > 0
const hasOwnRules = ({ caps, interval, duplicates }: MessageType) =>
  caps.length > 0 || interval !== undefined || duplicates !== undefined

function duplicateRules({ duplicates }: MessageType): CountRule[] {
  if (!duplicates) return []
  return [{ reason: 'duplicate', rank: 1, of: 'text', n: 1, window: durationMs(duplicates.window), over: 'drop' }]
}

/** An interval is one at most in any such time, and whoever had one waits for its end. */
function frequencyOf(
  { caps, interval }: { caps: readonly Cap[]; interval?: string | undefined },
  of: CountRule['of'],
): CountRule[] {
  const least: CountRule[] =
    interval === undefined
      ? []
      : [{ reason: 'too-soon', rank: 2, of, n: 1, window: durationMs(interval), over: 'wait' }]
  return [
    ...least,
    ...caps.map(({ n, per, over }): CountRule => ({ reason: 'capped', rank: 2, of, n, window: windowOf(per), over })),
  ]
}

const windowOf = (per: Cap['per']) => (per === 'day' ? per : durationMs(per))

function levelRules(level: number, { levels }: Counting): CountRule[] {
  return levels
    .filter(({ least }) => level < least)
    .map(({ after }) => ({ reason: 'not-important', rank: 3, of: 'any', n: after, window: 'day', over: 'drop' }))
}

/** All rules that say how many messages somebody may have: of each type, then of all together. */
export function allFrequencyRules(settings: Counting): { readonly type?: string; readonly rule: CountRule }[] {
  return [
    ...settings.types.flatMap((type) => frequencyOf(type, type.number).map((rule) => ({ type: type.id, rule }))),
    ...frequencyOf({ ...settings, interval: settings.interval ?? undefined }, 'any').map((rule) => ({ rule })),
    ...levelRules(0, settings).map((rule) => ({ rule })),
  ]
}

export const windowMs = ({ window }: Pick<CountRule, 'window'>): number => (window === 'day' ? longestDayMs : window)

/** Of anything that is counted: for so long an entry may matter to somebody. */
function longestWindowMs({ types, caps, interval, levels }: Counting): number {
  const windows = [
    ...caps.map(({ per }) => windowOf(per)),
    ...(levels.length > 0 ? ['day' as const] : []),
    ...(interval === null ? [] : [durationMs(interval)]),
    ...types.flatMap((type) => [
      ...type.caps.map(({ per }) => windowOf(per)),
      ...(type.interval === undefined ? [] : [durationMs(type.interval)]),
      ...(type.duplicates ? [durationMs(type.duplicates.window)] : []),
    ]),
  ]
  return Math.max(dayMs, ...windows.map((window) => windowMs({ window })))
}
