/** Who of a message waits for a time that a rule about people has set. */
import type { HistoryView, WaveCause } from '@courier-fleet/api-types'
import { ruleCauses } from '@courier-fleet/api-types/waves'

const rules: ReadonlySet<WaveCause> = new Set(ruleCauses)

/** The others wait for a provider, or for the fleet itself. */
export const isHeldByRule = (cause: WaveCause): boolean => rules.has(cause)

export interface HeldPeople {
  /** not before this time */
  readonly at: string
  readonly people: number
  readonly cause: WaveCause
  /** `least`: so many at least, for more is not known; `earliest`: each of them until then or until a later wave of the same cause */
  readonly how: 'exactly' | 'least' | 'earliest'
}

type Facts = Pick<HistoryView, 'waiting' | 'people' | 'channels'>

/**
 * Everyone once, the earliest first. Waves are of a channel each, and who waits on two of them is in both: of one time and cause
 * there are as many as on the channel where most wait, or more. Where everybody who is pending is in some wave, they are known.
 */
export function heldIn(history: Facts): readonly HeldPeople[] {
  const pending = history.people?.pending ?? 0
  const groups = groupsIn(history)
  const [first] = groups
  if (!first || pending === 0) return []
  if (!areAllHeld(history)) return atLeast(groups, pending)
  if (groups.length === 1) return [{ at: first.at, cause: first.cause, people: pending, how: 'exactly' }]
  for (const count of ['most', 'sum'] as const) {
    const all = groups.reduce((sum, group) => sum + group[count], 0)
    if (all === pending) return groups.map(({ at, cause, [count]: people }) => ({ at, cause, people, how: 'exactly' }))
  }
  if (groups.every(({ cause }) => cause === first.cause))
    return [{ at: first.at, cause: first.cause, people: pending, how: 'earliest' }]
  // one cause must not be said of everybody; whoever is in none of the other groups is in this one
  const total = groups.reduce((sum, group) => sum + group.sum, 0)
  const known = groups.map((group) => ({ ...group, most: Math.max(group.most, pending - (total - group.sum)) }))
  return atLeast(known, pending)
}

/**
 * How many wait for one of these causes on some channel: so many at least, each once, and nobody only where nobody does. By `heldIn` whoever waits
 * for two causes stands at the earlier one; here they count for either.
 */
export function heldFor(history: Facts, causes: readonly WaveCause[]): number {
  const pending = history.people?.pending ?? 0
  const waves = (history.waiting ?? []).filter(({ cause }) => isHeldByRule(cause))
  const meant = waves.filter(({ cause }) => causes.includes(cause))
  if (meant.length === 0) return 0
  const { most, sum } = countsOf(meant)
  const inNoOther = areAllHeld(history) ? pending - (countsOf(waves).sum - sum) : 0
  return Math.min(Math.max(inNoOther, most), pending)
}

/** Whether nobody is being sent to, because everyone who still may be waits for a time that a rule has set. */
export function areAllHeld({ waiting = [], people, channels }: Facts): boolean {
  const receipts = Object.values(channels).reduce((sum, { pending }) => sum + pending, 0)
  if (!people?.pending || receipts < people.pending) return false
  return Object.entries(channels).every(([leg, { pending }]) => {
    const waves = waiting.filter(({ channel, cause }) => channel === leg && isHeldByRule(cause))
    return waves.reduce((sum, wave) => sum + wave.people, 0) === pending
  })
}

interface Counts {
  /** people on the channel where most wait; on all of them together */
  readonly most: number
  readonly sum: number
}

interface Group extends Counts {
  readonly at: string
  readonly cause: WaveCause
}

function groupsIn({ waiting = [] }: Facts): Group[] {
  const waves = waiting.filter(({ cause }) => isHeldByRule(cause))
  const names = [...new Set(waves.map(({ at, cause }) => `${at} ${cause}`))].sort()
  return names.map((name) => {
    const own = waves.filter(({ at, cause }) => `${at} ${cause}` === name)
    const { at, cause } = own[0] as (typeof own)[number]
    return { at, cause, ...countsOf(own) }
  })
}

function countsOf(waves: NonNullable<Facts['waiting']>): Counts {
  const channels = new Map<string, number>()
  for (const { channel, people } of waves) channels.set(channel, (channels.get(channel) ?? 0) + people)
  const counts = [...channels.values()]
  return { most: Math.max(0, ...counts), sum: counts.reduce((sum, each) => sum + each, 0) }
}

function atLeast(groups: readonly Group[], pending: number): HeldPeople[] {
  let left = pending
  return groups
    .map(({ at, cause, most, sum }): HeldPeople => {
      const people = Math.min(most, left)
      left -= people
      return { at, cause, people, how: sum === people ? 'exactly' : 'least' }
    })
    .filter(({ people }) => people > 0)
}
