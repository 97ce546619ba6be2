/** What became of a view, field by field. A view holds what JSON holds, and null nowhere at its top: that is for what is not there. */
import { isDeepStrictEqual } from 'node:util'
import type { ChangeDiff } from '@courier-fleet/api-types'
import type { View } from '@courier-fleet/store'

/** As it comes out of JSON: what is undefined or null is not there. */
export function viewFrom(shown: object): View {
  const entries = Object.entries(JSON.parse(JSON.stringify(shown)) as Record<string, unknown>)
  return Object.fromEntries(entries.filter(([, value]) => value !== null))
}

/**
 * @param before absent: nothing was told yet
 * @param after absent: it is gone, or its reader may not read it any more
 * @param inDoubt fields that somebody may have otherwise than `before` says; given, every field is told, also one that is as it was
 */
export function diffOf(before: View = {}, after: View = {}, inDoubt?: readonly string[]): ChangeDiff {
  const fields = [...new Set([...Object.keys(before), ...Object.keys(after), ...(inDoubt ?? [])])].sort()
  const changed = fields.filter((field) => inDoubt || !isDeepStrictEqual(own(before, field), own(after, field)))
  return Object.fromEntries(
    changed.map((field) => [field, { '+++': own(after, field) ?? null, '---': own(before, field) ?? null }]),
  )
}

/** What a receiver makes of the view it had. */
export function applyDiff(view: View, diff: ChangeDiff): View {
  const changed = { ...view, ...Object.fromEntries(Object.entries(diff).map(([field, each]) => [field, each['+++']])) }
  return Object.fromEntries(Object.entries(changed).filter(([, value]) => value !== null))
}

const own = (view: View, field: string) => (Object.hasOwn(view, field) ? view[field] : undefined)
