/**
 * What `evidence:…` keeps of a recipient: the provider's message id (`#…`), the provider's own words on why not (`!…`), or which rule
 * says that they have had enough (`&…`, JSON); before it, where somebody has told what became of it, who (`@person …`).
 */
import type { Limit } from '@courier-fleet/api-types'

const maxDetailLength = 200

export const evidenceOfId = (providerId: string) => `#${providerId}`
export const evidenceOfDetail = (detail: string) => `!${detail.slice(0, maxDetailLength)}`

export const evidenceOfLimit = (limit: Limit) => `&${JSON.stringify(limit)}`

/** The provider's id, where that is what is kept. */
export const idInEvidence = (value: string): string | undefined => parseEvidence(value).providerId

interface Evidence {
  providerId?: string
  detail?: string
  limit?: Limit
  toldBy?: string
}

export function parseEvidence(value: string | null | undefined): Evidence {
  if (!value) return {}
  const [, toldBy, rest] = /^@(\S+) (.*)$/s.exec(value) ?? []
  if (toldBy !== undefined) return { ...parseEvidence(rest), toldBy }
  if (value.startsWith('&')) return { limit: JSON.parse(value.slice(1)) as Limit }
  return value.startsWith('#') ? { providerId: value.slice(1) } : { detail: value.slice(1) }
}
