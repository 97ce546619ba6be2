import { hash } from 'node:crypto'

/** JSON with the properties of every object in code-unit order, so that equal values give equal text. */
export function canonicalJson(value: unknown): string {
  if (value === null || typeof value !== 'object') return JSON.stringify(value) ?? 'null'
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`
  let text = ''
  for (const name of Object.keys(value).sort()) {
    const part = (value as Record<string, unknown>)[name]
    if (part !== undefined) text += `${text === '' ? '' : ','}${JSON.stringify(name)}:${canonicalJson(part)}`
  }
  return `{${text}}`
}

/** SHA-256 of the canonical JSON, its first 144 bits, base64url: every message keeps one. */
export function digestOf(value: unknown): string {
  return hash('sha256', canonicalJson(value), 'base64url').slice(0, 24)
}
