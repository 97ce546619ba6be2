/** Who of a message waits for a time that a rule about people has set. */
import type { HistoryView, WaveCause } from '@courier-fleet/api-types'
import { heldCauses } from '@courier-fleet/api-types/waves'

const rules: ReadonlySet<WaveCause> = new Set([...heldCauses, 'same-on-its-way'])

/** The others wait for a provider, or for the fleet itself. */
export const isHeldByRule = (cause: WaveCause): boolean => rules.has(cause)

export interface HeldPeople {
  /** not before this time */
  readonly at: string
  readonly people: number
  readonly cause: WaveCause
}

/**
 * Everyone once, the earliest first. Each channel has waves of its own, and a rule about a person holds them on all of
 * theirs: of one time and cause they are as many as on the channel where most wait, and no more than are pending.
 */
export function heldIn({ waiting = [], people }: Pick<HistoryView, 'waiting' | 'people'>): readonly HeldPeople[] {
  const groups = new Map<string, { readonly at: string; readonly cause: WaveCause; channels: Map<string, number> }>()
  for (const wave of waiting) {
    if (!isHeldByRule(wave.cause)) continue
    const { at, cause, channel } = wave
    const group = groups.get(`${at} ${cause}`) ?? { at, cause, channels: new Map() }
    group.channels.set(channel, (group.channels.get(channel) ?? 0) + wave.people)
    groups.set(`${at} ${cause}`, group)
  }
  let left = people?.pending ?? 0
  return [...groups.values()]
    .sort((one, other) => one.at.localeCompare(other.at))
    .map(({ at, cause, channels }) => {
      const held = Math.min(Math.max(...channels.values()), left)
      left -= held
      return { at, cause, people: held }
    })
    .filter((group) => group.people > 0)
}
