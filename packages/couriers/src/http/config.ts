/** The HTTP courier's settings, from the environment. */
import { type Env, optional, readSettings, target, whole } from '@courier-fleet/process'
import { type GuardedSettings, guardedSettings, retryScale } from '@courier-fleet/webhooks'

export interface HttpConfig {
  readonly target: 'sandbox' | 'real'
  readonly guarded: GuardedSettings
  readonly retryScale: number
  /** over all processes; undefined: no limit beside that of each endpoint */
  readonly perSecond: number | undefined
}

const fields = { HTTP_TARGET: target, HTTP_PER_SECOND: optional(whole(1, 65_535)) }

/** @throws Error naming the variable that is wrong */
export function httpConfig(env: Env): HttpConfig {
  const rate = env.HTTP_PER_SECOND === 'off' ? { ...env, HTTP_PER_SECOND: '' } : env
  const { HTTP_TARGET, HTTP_PER_SECOND } = readSettings(rate, fields)
  return { target: HTTP_TARGET, guarded: guardedSettings(env), retryScale: retryScale(env), perSecond: HTTP_PER_SECOND }
}
