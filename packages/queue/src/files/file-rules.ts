/** Where the files of messages are kept, for how long, and how much of them one sender may upload. */
import type { Role } from '@courier-fleet/api-types'
import {
  type Env,
  limit,
  optional,
  parsePositive,
  readSettings,
  text,
  whole,
  withDefault,
} from '@courier-fleet/process'

export interface FileRules {
  /** the same for all processes of the queue */
  readonly dir: string
  /** after the message that has them could last be sent */
  readonly keptMs: number
  /** bytes that must stay free on its disk; no limit when absent */
  readonly freeBytes?: number | undefined
  /** of one sender; a role that is absent has no limit */
  readonly bytesADay: Readonly<Partial<Record<Role, number>>>
}

const dayMs = 86_400_000
const megabyte = 1_048_576

const megabytes = (usual: number) => limit('a number of megabytes', parsePositive, usual)
const fields = {
  FILES_DIR: optional(text('a folder')),
  FILES_DAYS: withDefault(whole(1, 366), 30),
  FILES_FREE_MB: megabytes(1024),
  FILES_MB_TRAINER: megabytes(200),
  FILES_MB_STAFF: megabytes(800),
  FILES_MB_OPERATOR: megabytes(4000),
}

/** @returns undefined without a folder. @throws Error in one line that names the variable */
export function readFileRules(env: Env): FileRules | undefined {
  const settings = readSettings(env, fields)
  const { FILES_DIR: dir, FILES_DAYS: days, FILES_FREE_MB: free } = settings
  if (dir === undefined) return undefined
  const given = {
    trainer: settings.FILES_MB_TRAINER,
    staff: settings.FILES_MB_STAFF,
    operator: settings.FILES_MB_OPERATOR,
  }
  const bytes = (mb: number) => Math.round(mb * megabyte)
  const limited = Object.entries(given).flatMap(([role, mb]) => (mb === undefined ? [] : [[role, bytes(mb)]]))
  return {
    dir,
    keptMs: days * dayMs,
    ...(free === undefined ? {} : { freeBytes: bytes(free) }),
    bytesADay: Object.fromEntries(limited),
  }
}
