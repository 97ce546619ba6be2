/**
 * What `evidence:…` keeps of a recipient: the provider's message id (`#…`), the provider's own words on why not (`!…`), or which rule
 * says that they have had enough (`&…`, JSON); before it, where somebody has told what became of it, who (`@person …`). Ids that are
 * numbers are packed; see lua/lib/evidence.lua.
 */
import type { HistoryRef, Limit } from '@courier-fleet/api-types'
import type { Redis } from '../connection/client.ts'
import { keys } from '../keys.ts'

const maxDetailLength = 200

export const evidenceOfId = (providerId: string) => `#${providerId}`
export const evidenceOfDetail = (detail: string) => `!${detail.slice(0, maxDetailLength)}`

export const evidenceOfLimit = (limit: Limit) => `&${JSON.stringify(limit)}`

/** The provider's id, where that is what is kept. */
export const idInEvidence = (value: string): string | undefined => parseEvidence(value).providerId

/** of lua/lib/evidence.lua */
const idsAField = 100
const idBytes = 5
const lastId = 2 ** 35 - 1
const maxDigits = 11
const [hashSign, zero, nine] = [...'#09'].map((sign) => sign.charCodeAt(0)) as [number, number, number]

/** of marks, which are half of what is written */
const nothingKept: { readonly ids: string; readonly lines: readonly string[] } = { ids: '', lines: [] }

/** What record.lua is given of neighbours. @param evidence a line each, empty where there is none */
export function packEvidence(evidence: readonly string[]): { ids: string; lines: readonly string[] } {
  if (evidence.length === 0) return nothingKept
  let ids: Buffer | undefined
  let lines: string[] | undefined
  for (let place = 0; place < evidence.length; place += 1) {
    const line = evidence[place] as string
    const id = packableId(line)
    if (id > 0) {
      ids ??= Buffer.allocUnsafe(evidence.length * idBytes).fill(0)
      writeId(ids, place * idBytes, id)
    } else if (line !== '') {
      lines ??= new Array<string>(evidence.length).fill('')
      lines[place] = line
    }
  }
  return { ids: ids?.toString('latin1') ?? '', lines: lines ?? [] }
}

/** Of thousands at a time, so it makes nothing. @returns 0 where the line is no id, or none that can be packed */
function packableId(line: string): number {
  if (line.length > 1 + maxDigits || line.charCodeAt(0) !== hashSign || line.charCodeAt(1) === zero) return 0
  let id = 0
  for (let at = 1; at < line.length; at += 1) {
    const code = line.charCodeAt(at)
    if (code < zero || code > nine) return 0
    id = id * 10 + code - zero
  }
  return id <= lastId ? id : 0
}

/** Seven bits a byte, the highest first: a text that the way to Redis leaves as it is. */
function writeId(ids: Buffer, from: number, id: number): void {
  for (let at = idBytes - 1, left = id; at >= 0; at -= 1, left = Math.floor(left / 128)) ids[from + at] = left % 128
}

function idAt(ids: string, place: number): string | undefined {
  let id = 0
  for (let at = place * idBytes; at < (place + 1) * idBytes; at += 1) id = id * 128 + (ids.charCodeAt(at) || 0)
  return id > 0 ? evidenceOfId(String(id)) : undefined
}

const hundredOf = (ordinal: number) => Math.floor(ordinal / idsAField)

/** Whether this field of `evidence:…` holds ids of a hundred people, and not what is kept of one. */
export const holdsIds = (field: string) => field.startsWith('#')

/** Of these people, in their order: what is kept of each, undefined for nothing. */
export async function readEvidence(
  redis: Redis,
  ref: HistoryRef,
  leg: string,
  ordinals: readonly number[],
): Promise<(string | undefined)[]> {
  if (ordinals.length === 0) return []
  const hundreds = [...new Set(ordinals.map(hundredOf))]
  const fields = [...hundreds.map((each) => `#${each}`), ...ordinals.map(String)]
  const found = await redis.hmget(keys.evidence(ref, leg), ...fields)
  const ids = new Map(hundreds.map((each, index) => [each, found[index] ?? '']))
  return ordinals.map(
    (ordinal, index) =>
      idAt(ids.get(hundredOf(ordinal)) as string, ordinal % idsAField) ?? found[hundreds.length + index] ?? undefined,
  )
}

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
