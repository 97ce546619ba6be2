/** What the environment says of settings that operators may change later: it holds until they do. */
import { type Env, field, optional, readSettings, retentionMs } from '@courier-fleet/process'
import { type StoredSettings, settingsOf } from './settings.ts'

const dayMs = 86_400_000
const quietHours = field('quiet hours such as 22:00-08:00', (text) => {
  const [from, to, ...more] = text.split('-')
  return from && to && more.length === 0 ? { from, to } : undefined
})
const fields = { QUIET_HOURS: optional(quietHours), RETENTION_DAYS: retentionMs }

/** @throws Error in one line that names the variable */
export function firstSettings(env: Env): StoredSettings {
  const { QUIET_HOURS: quiet, RETENTION_DAYS: keptMs } = readSettings(env, fields)
  const kept = { retentionDays: keptMs / dayMs }
  check(kept, 'RETENTION_DAYS must be at most 36500')
  const first = { ...kept, ...(quiet ? { quiet } : {}) }
  check(first, 'QUIET_HOURS must be quiet hours such as 22:00-08:00, and last at most 20 hours')
  return first
}

function check(first: StoredSettings, otherwise: string): void {
  try {
    settingsOf(first)
  } catch {
    throw new Error(otherwise)
  }
}
