/** Calling URLs of others: what may be called, by which client, and what secrets are sealed with. */
import { Problem } from '@courier-fleet/api-types'
import type { Env } from '@courier-fleet/process'
import {
  checkUrl,
  createGuardedClient,
  type GuardedClient,
  type GuardedSettings,
  guardedSettings,
  type SealingKey,
  sealingKey,
  type VapidKeys,
  vapidKeys,
} from '@courier-fleet/webhooks'

export interface Webhooks {
  readonly settings: GuardedSettings
  readonly client: GuardedClient
  /** absent without FLEET_SECRET */
  readonly sealingKey: SealingKey | undefined
  /** likewise: by which push services know this fleet */
  readonly pushKey: VapidKeys | undefined
}

export function createWebhooks(env: Env): Webhooks {
  const settings = guardedSettings(env)
  return { settings, client: createGuardedClient(settings), sealingKey: sealingKey(env), pushKey: vapidKeys(env) }
}

/** @throws Problem 422 `refused-url` that says why */
export function requireUrl({ settings }: Webhooks, text: string, field: string): string {
  const url = checkUrl(text, settings)
  if (typeof url === 'string') throw new Problem(422, 'refused-url', `${field} ${url}`, field)
  return url.href
}

/** @throws Problem 503 `no-fleet-secret` */
export function requireSealingKey({ sealingKey: key }: Webhooks): SealingKey {
  if (key) return key
  throw new Problem(503, 'no-fleet-secret', 'nothing with a secret can be kept: this fleet runs without FLEET_SECRET')
}

/** @throws Problem 503 `no-fleet-secret` */
export function requirePushKey({ pushKey: key }: Webhooks): VapidKeys {
  if (key) return key
  throw new Problem(503, 'no-fleet-secret', 'no browser can be subscribed: this fleet runs without FLEET_SECRET')
}
