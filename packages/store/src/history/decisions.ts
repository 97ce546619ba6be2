/** What people have decided of receipts that were unknown, as lua/lib/decisions.lua keeps it. */
import { decisions, type HistoryView } from '@courier-fleet/api-types'

type Decisions = NonNullable<HistoryView['decisions']>

export const decisionField = new RegExp(`^(${decisions.join('|')}):([^:]+):([^:]+)$`)

/** @returns the latest last; `undefined` while nobody has decided anything */
export function decisionsIn(hash: Readonly<Record<string, string>>): Decisions | undefined {
  const found = Object.entries(hash).flatMap(([field, value]): Decisions => {
    const [, decision, channel, by] = decisionField.exec(field) ?? []
    const [people, atMs] = value.split(' ')
    if (channel === undefined || by === undefined) return []
    const at = new Date(Number(atMs)).toISOString()
    return [{ decision: decision as Decisions[number]['decision'], channel, by, people: Number(people), at }]
  })
  return found.length > 0 ? found.sort((a, b) => a.at.localeCompare(b.at)) : undefined
}
