import { hash } from 'node:crypto'
import { Problem } from '@courier-fleet/api-types'

/** deeper than anything the API takes */
const maxDepth = 32

/**
 * JSON with the properties of every object in code-unit order, so that equal values give equal text.
 * @throws Problem 400 `bad-json` for what is nested too deep
 */
export function canonicalJson(value: unknown, depth = 0): string {
  if (value === null || typeof value !== 'object') return JSON.stringify(value) ?? 'null'
  if (depth > maxDepth) throw new Problem(400, 'bad-json', `the body is nested deeper than ${maxDepth}`)
  if (Array.isArray(value)) return `[${value.map((item) => canonicalJson(item, depth + 1)).join(',')}]`
  let text = ''
  for (const name of Object.keys(value).sort()) {
    const part = (value as Record<string, unknown>)[name]
    if (part !== undefined) text += `${text === '' ? '' : ','}${JSON.stringify(name)}:${canonicalJson(part, depth + 1)}`
  }
  return `{${text}}`
}

/** SHA-256 of the canonical JSON, its first 144 bits, base64url: every message keeps one. */
export function digestOf(value: unknown): string {
  return hash('sha256', canonicalJson(value), 'base64url').slice(0, 24)
}
