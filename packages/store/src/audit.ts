/** Lines of the audit: who changed what about whom. Read by the queue; written by whoever has made the change, right after it. */
import type { AuditLine } from '@courier-fleet/api-types'
import type { Redis } from './connection/client.ts'
import { keys } from './keys.ts'

const maxLines = 100_000
/** a long value is cut: what was meant is seen from its beginning */
const maxValueLength = 500

/** `undefined` says nothing */
export type AuditEntry = Pick<AuditLine, 'action' | 'by' | 'via'> & {
  readonly [Name in keyof Omit<AuditLine, 'id' | 'at' | 'action' | 'by' | 'via'>]?: AuditLine[Name] | undefined
}

export async function writeAudit(redis: Redis, entry: AuditEntry): Promise<void> {
  const fields: string[] = []
  for (const [name, value] of Object.entries(entry))
    if (value !== undefined) fields.push(name, value.slice(0, maxValueLength))
  await redis.xadd(keys.audit, 'MAXLEN', '~', maxLines, '*', ...fields)
}
