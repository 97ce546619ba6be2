/** What an inbound process says of the contacts of its channels: only of those, and not of everybody. */
import { Problem } from '@courier-fleet/api-types'
import type { RateLimits } from '../limits/rate-limits.ts'

interface InboundCaller {
  readonly channels?: readonly string[]
  readonly keyId?: string
}

/** @throws Problem 403 `wrong-channel` when its key is for other channels */
export function requireOwnChannel({ channels }: InboundCaller, channel: string): void {
  if (channels !== undefined && !channels.includes(channel)) {
    throw new Problem(403, 'wrong-channel', `this API key is for ${channels.join(', ')} only`)
  }
}

/** @throws Problem 403 `wrong-channel` when its key is for other channels · 429 `too-many-contacts` */
export async function admitContact(
  rateLimits: RateLimits,
  inbound: InboundCaller,
  channel: string,
  address: string,
): Promise<void> {
  requireOwnChannel(inbound, channel)
  const { keyId } = inbound
  if (keyId !== undefined) await rateLimits.countContact(keyId, `${channel}:${address.trim()}`)
}
