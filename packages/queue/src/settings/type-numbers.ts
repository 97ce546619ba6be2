/**
 * The numbers of types, which stand for them in what people were sent. One is given once: it goes to no other type while a
 * diary may hold it, and comes back to its own type.
 */
import { builtInTypes, findType, type MessageType, maxWindowDays, Problem } from '@courier-fleet/api-types'
import type { Settings } from '@courier-fleet/store'

type Numbered = Pick<Settings, 'types' | 'formerTypes'>

/** the day on which it was sent is kept whole */
const keptMs = (maxWindowDays + 1) * 86_400_000
const lowest = 2
const highest = 254

/** Those whose number nobody else may have yet. */
export const formerTypesAt = (settings: Numbered, nowMs: number): Settings['formerTypes'] =>
  settings.formerTypes.filter(({ removedMs }) => nowMs - removedMs < keptMs)

/** @throws Problem 409 `too-many-types` where none is free */
export function numberFor(settings: Numbered, id: string, nowMs: number): number {
  const former = formerTypesAt(settings, nowMs)
  const own = findType(settings.types, id) ?? former.find((type) => type.id === id)
  if (own) return own.number
  const taken = new Set([...builtInTypes, ...settings.types, ...former].map(({ number }) => number))
  for (let number = lowest; number <= highest; number += 1) if (!taken.has(number)) return number
  throw new Problem(409, 'too-many-types', 'too many types were made and removed within a month: use one there is')
}

/** With these types from now on, numbers as they have to be; what is not among them any more was removed now. */
export function replaceTypes(settings: Numbered, types: readonly MessageType[], nowMs: number): Numbered {
  const removed = settings.types.filter(({ id }) => !types.some((type) => type.id === id))
  const former = [
    ...formerTypesAt(settings, nowMs),
    ...removed.map(({ id, number }) => ({ id, number, removedMs: nowMs })),
  ]
  let numbered: Numbered = { types: settings.types, formerTypes: former }
  for (const type of types) {
    const number = numberFor(numbered, type.id, nowMs)
    const others = numbered.types.filter(({ id }) => id !== type.id)
    numbered = { types: [...others, { ...type, number }], formerTypes: former }
  }
  const kept = numbered.types.filter(({ id }) => types.some((type) => type.id === id))
  return {
    types: kept.sort((a, b) => (a.id < b.id ? -1 : 1)),
    formerTypes: former.filter(({ id }) => !kept.some((type) => type.id === id)),
  }
}
