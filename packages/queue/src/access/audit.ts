/** Who changed what about whom, when, from where, and what it was before. Never a code, a key or a password. */
import { type AuditLine, type AuditPage, type HistoryRef, historyKeyOf } from '@courier-fleet/api-types'
import { type AuditEntry, keys, type Redis, writeAudit } from '@courier-fleet/store'
import { type Caller, viaOf } from './callers.ts'

const maxBetween = 10_000

export interface Audit {
  /** After the change; when this fails the call fails, and repeating it adds the line. */
  write(entry: AuditEntry): Promise<void>
  /** Oldest first, of the time between two moments, Unix ms: of its first 10 000 lines. */
  between(fromMs: number, toMs: number): Promise<AuditLine[]>
  /** Newest first. @param before `next` of the page before */
  read(before: string | undefined, limit: number): Promise<AuditPage>
}

export function createAudit({ redis }: { redis: Redis }): Audit {
  return {
    write: (entry) => writeAudit(redis, entry),

    async between(fromMs, toMs) {
      const entries = await redis.xrange(keys.audit, fromMs, toMs, 'COUNT', maxBetween)
      return entries.map(([id, fields]) => lineOf(id, fields))
    },

    async read(before, limit) {
      const from = before === undefined ? '+' : `(${before}`
      const entries = await redis.xrevrange(keys.audit, from, '-', 'COUNT', limit)
      const lines = entries.map(([id, fields]) => lineOf(id, fields))
      const last = lines.at(-1)
      return lines.length === limit && last ? { lines, next: last.id } : { lines }
    },
  }
}

function lineOf(id: string, fields: readonly string[]): AuditLine {
  const entry: Record<string, string> = {}
  for (let i = 0; i < fields.length; i += 2) entry[fields[i] as string] = fields[i + 1] as string
  const at = new Date(Number(id.split('-', 1)[0])).toISOString()
  return { id, at, ...entry } as AuditLine
}

/** Who calls, and from where. */
export const byCaller = (caller: Caller) => ({ by: caller.owner, via: viaOf(caller) })

/** A caller does something about a message, his own or another's. */
export const aboutMessage = (caller: Caller, ref: HistoryRef) => ({
  ...byCaller(caller),
  person: ref.sender,
  history: historyKeyOf(ref),
})

/** What a group or a cohort is called, and who may write to it. */
export const ownersOf = ({ name, owners }: { readonly name: string; readonly owners: readonly string[] }) =>
  `${name}; owners: ${owners.join(' ') || 'nobody'}`
