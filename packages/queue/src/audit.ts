/** Who changed what about whom, when, and through which inbound process. Never a code, a key or a password. */
import type { AuditLine, AuditPage } from '@courier-fleet/api-types'
import { keys } from '@courier-fleet/store'
import type { Redis } from 'ioredis'

const maxLines = 100_000

type AuditEntry = Omit<AuditLine, 'id' | 'at'>

export interface Audit {
  /** After the change; when this fails the call fails, and repeating it adds the line. */
  write(entry: AuditEntry): Promise<void>
  /** Newest first. @param before `next` of the page before */
  read(before: string | undefined, limit: number): Promise<AuditPage>
}

export function createAudit({ redis }: { redis: Redis }): Audit {
  return {
    async write(entry) {
      const fields = Object.entries(entry).flatMap(([name, value]) => (value === undefined ? [] : [name, value]))
      await redis.xadd(keys.audit, 'MAXLEN', '~', maxLines, '*', ...fields)
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
