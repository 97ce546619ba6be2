/** What `evidence:…` keeps of a recipient: the provider's message id (`#…`), or the provider's own words on why not (`!…`). */
const maxDetailLength = 200

export const evidenceOfId = (providerId: string) => `#${providerId}`
export const evidenceOfDetail = (detail: string) => `!${detail.slice(0, maxDetailLength)}`

export function parseEvidence(value: string | null | undefined): { providerId?: string; detail?: string } {
  if (!value) return {}
  return value.startsWith('#') ? { providerId: value.slice(1) } : { detail: value.slice(1) }
}
