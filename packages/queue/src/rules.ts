/** What those who run the fleet decide about its users. */
import type { Role } from '@courier-fleet/api-types'
import { type Env, field, limit, optional, parseWhole, readSettings, text, withDefault } from '@courier-fleet/process'

export interface Rules {
  /** whose midnight ends the day of a daily limit, IANA */
  readonly timeZone: string
  /** messages a day at most; a role that is absent has no limit */
  readonly quotas: Partial<Record<Role, number>>
  /** whose `X-Forwarded-*` is believed: addresses and networks, comma-separated; nobody's when absent */
  readonly trustProxy?: string
}

const timeZone = field('a time zone such as Europe/Moscow', (name) => (isTimeZone(name) ? name : undefined))
const quota = (usual: number) => limit('a number of messages a day', parseWhole(0, 999_999_999), usual)
const fields = {
  FLEET_TIME_ZONE: withDefault(timeZone, 'Europe/Moscow'),
  QUOTA_TRAINER: quota(4),
  QUOTA_STAFF: quota(16),
  TRUST_PROXY: optional(text('addresses and networks, comma-separated')),
}

/** @throws Error in one line that names the variable */
export function readRules(env: Env): Rules {
  const { FLEET_TIME_ZONE, QUOTA_TRAINER: trainer, QUOTA_STAFF: staff, TRUST_PROXY } = readSettings(env, fields)
  const quotas = { ...(trainer === undefined ? {} : { trainer }), ...(staff === undefined ? {} : { staff }) }
  return { timeZone: FLEET_TIME_ZONE, quotas, ...(TRUST_PROXY ? { trustProxy: TRUST_PROXY } : {}) }
}

function isTimeZone(timeZone: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone }) !== undefined
  } catch {
    return false
  }
}
