/** What those who run the fleet decide about its users. */
import type { Role } from '@courier-fleet/api-types'

export interface Rules {
  /** whose midnight ends the day of a daily limit, IANA */
  readonly timeZone: string
  /** messages a day at most; a role that is absent has no limit */
  readonly quotas: Partial<Record<Role, number>>
  /** whose `X-Forwarded-*` is believed: addresses and networks, comma-separated; nobody's when absent */
  readonly trustProxy?: string
}

const usualRules: Rules = { timeZone: 'Europe/Moscow', quotas: { trainer: 4, staff: 16 } }

/** @throws Error in one line that names the variable */
export function readRules(env: NodeJS.ProcessEnv): Rules {
  const timeZone = env.FLEET_TIME_ZONE || usualRules.timeZone
  try {
    new Intl.DateTimeFormat('en', { timeZone })
  } catch {
    throw new Error(`FLEET_TIME_ZONE must be a time zone such as Europe/Moscow, not "${timeZone}"`)
  }
  const trainer = readQuota('QUOTA_TRAINER', env.QUOTA_TRAINER, usualRules.quotas.trainer)
  const staff = readQuota('QUOTA_STAFF', env.QUOTA_STAFF, usualRules.quotas.staff)
  const quotas = { ...(trainer === undefined ? {} : { trainer }), ...(staff === undefined ? {} : { staff }) }
  return { timeZone, quotas, ...(env.TRUST_PROXY ? { trustProxy: env.TRUST_PROXY } : {}) }
}

function readQuota(name: string, text: string | undefined, usual: number | undefined): number | undefined {
  if (!text) return usual
  if (text === 'off') return undefined
  if (/^\d{1,9}$/.test(text)) return Number(text)
  throw new Error(`${name} must be a number of messages a day, or off, not "${text}"`)
}
