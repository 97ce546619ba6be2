/** Whether the address may be asked that a message wants asked before it is sent. */
import { Problem, type Recheck } from '@courier-fleet/api-types'
import type { Principal } from '@courier-fleet/directory'
import type { Settings } from '@courier-fleet/store'
import { requireSealingKey, requireUrl, type Webhooks } from '../subscriptions/webhooks.ts'

/**
 * Whoever may write to everyone may name any public address; trainers and students those hosts only that operators have listed.
 * @throws Problem 422 `refused-url` · 403 `unlisted-host` · 503 `no-fleet-secret`
 */
export function requireAllowedRecheck(
  webhooks: Webhooks,
  { recheckHosts }: Pick<Settings, 'recheckHosts'>,
  recheck: Recheck | undefined,
  { role }: Principal,
): void {
  if (!recheck) return
  const field = 'recheck.url'
  const host = hostOf(requireUrl(webhooks, recheck.url, field))
  requireSealingKey(webhooks)
  if ((role !== 'trainer' && role !== 'student') || recheckHosts.includes(host)) return
  const listed = recheckHosts.length > 0 ? `one of ${recheckHosts.join(', ')}` : 'none: operators have listed no host'
  throw new Problem(403, 'unlisted-host', `${host} may not be asked for messages of a ${role}, but ${listed}`, field)
}

/** Whom a plan says is asked. */
export const hostOf = (url: string): string => new URL(url).hostname
