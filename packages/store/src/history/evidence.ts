/** What `evidence:…` keeps of a recipient: the provider's message id (`#…`), or the reason why not (`!…`). */
const longestReason = 200

export const evidenceOfId = (providerId: string) => `#${providerId}`
export const evidenceOfReason = (reason: string) => `!${reason.slice(0, longestReason)}`

export function parseEvidence(value: string | null | undefined): { providerId?: string; reason?: string } {
  if (!value) return {}
  return value.startsWith('#') ? { providerId: value.slice(1) } : { reason: value.slice(1) }
}
