/**
 * What `evidence:…` keeps of a recipient: the provider's message id (`#…`), or the provider's own words on why not (`!…`); before it,
 * where somebody has told what became of it, who (`@person …`).
 */
const maxDetailLength = 200

export const evidenceOfId = (providerId: string) => `#${providerId}`
export const evidenceOfDetail = (detail: string) => `!${detail.slice(0, maxDetailLength)}`

interface Evidence {
  providerId?: string
  detail?: string
  toldBy?: string
}

export function parseEvidence(value: string | null | undefined): Evidence {
  if (!value) return {}
  const [, toldBy, rest] = /^@(\S+) (.*)$/s.exec(value) ?? []
  if (toldBy !== undefined) return { ...parseEvidence(rest), toldBy }
  return value.startsWith('#') ? { providerId: value.slice(1) } : { detail: value.slice(1) }
}
