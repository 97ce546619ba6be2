/** A budget as it stands in a form: what was typed, and its unit, `parts` or a currency. */
import type { Budgets } from '@courier-fleet/api-types'

type Ceiling = NonNullable<Budgets['month']>

export interface Amount {
  readonly text: string
  readonly unit: string
}

const perUnit = 1_000_000

export function amountOf(ceiling: Ceiling | null | undefined): Amount {
  if (!ceiling) return { text: '', unit: 'parts' }
  if ('parts' in ceiling) return { text: String(ceiling.parts), unit: 'parts' }
  return { text: String(ceiling.millionths / perUnit), unit: ceiling.currency }
}

/** Of this role; it may be called as something every object has, such as `constructor`. */
export const amountOfDay = (day: Budgets['day'], role: string): Amount =>
  amountOf(Object.hasOwn(day, role) ? day[role] : null)

/** null: no limit. @returns undefined where that is no amount */
export function ceilingIn({ text, unit }: Amount): Ceiling | null | undefined {
  if (text.trim() === '') return null
  const value = Number(text.replace(',', '.'))
  if (unit === 'parts') return Number.isSafeInteger(value) && value > 0 && value <= 1e9 ? { parts: value } : undefined
  const millionths = Math.round(value * perUnit)
  return Number.isSafeInteger(millionths) && millionths > 0 ? { millionths, currency: unit } : undefined
}
