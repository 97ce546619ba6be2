/** The push courier's settings, from the environment. Every error is one line that names the variable and hides its value. */
import { type Env, field, optional, readSettings, target, whole } from '@courier-fleet/process'
import { type GuardedSettings, guardedSettings, type VapidKeys, vapidKeys } from '@courier-fleet/webhooks'

export interface PushConfig {
  readonly target: 'sandbox' | 'real'
  readonly guarded: GuardedSettings
  /** whom a push service turns to about this fleet */
  readonly contact: string
  /** absent without FLEET_SECRET: nobody can have turned notifications on */
  readonly keys: VapidKeys | undefined
  /** over all processes; undefined: no limit */
  readonly perSecond: number | undefined
}

/** Services refuse an address that is none, and one at this machine. */
const contact = field('mailto:name@example.org, or an https:// URL', (text) => {
  const url = URL.canParse(text) ? new URL(text) : undefined
  const isMail = url?.protocol === 'mailto:' && /^[^@\s]+@[^@\s]+\.[^@\s]+$/.test(url.pathname)
  return isMail || url?.protocol === 'https:' ? text : undefined
})
const fields = { PUSH_TARGET: target, PUSH_CONTACT: contact, PUSH_PER_SECOND: optional(whole(1, 65_535)) }

/** @throws Error naming the variable that is wrong */
export function pushConfig(env: Env): PushConfig {
  const rate = env.PUSH_PER_SECOND === 'off' ? { ...env, PUSH_PER_SECOND: '' } : env
  const { PUSH_TARGET, PUSH_CONTACT, PUSH_PER_SECOND } = readSettings(rate, fields)
  return {
    target: PUSH_TARGET,
    guarded: guardedSettings(env),
    contact: PUSH_CONTACT,
    keys: vapidKeys(env),
    perSecond: PUSH_PER_SECOND,
  }
}
