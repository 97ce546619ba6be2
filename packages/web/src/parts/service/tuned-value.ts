/** A setting of a channel as it stands in a form: what was typed, and what that means. */
import type { ChannelTuning } from '@courier-fleet/api-types'
import { tuningLimits } from '@courier-fleet/api-types/tuning-limits'

export type TunedName = keyof ChannelTuning
/** null: as its couriers were started */
type Tuned = number | 'off' | 'auto' | null

/** what a setting may be besides a number */
export const wordOf: Readonly<Partial<Record<TunedName, 'off' | 'auto'>>> = { perSecond: 'off', processes: 'auto' }
export const isWhole = (name: TunedName) => name !== 'perSecond'

export const textOf = (value: Tuned | undefined): string => (value === undefined || value === null ? '' : String(value))

/** @returns undefined where it is no value of the setting */
export function tunedIn(name: TunedName, text: string): Tuned | undefined {
  const typed = text.trim()
  if (typed === '') return null
  const word = wordOf[name]
  if (word !== undefined && typed === word) return word
  const value = Number(typed.replace(',', '.'))
  const fits = value > 0 && value <= tuningLimits[name] && (!isWhole(name) || Number.isInteger(value))
  return fits ? value : undefined
}
