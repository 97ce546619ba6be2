/** What an inbound process says of the contacts of its channels: only of those, and not of everybody. */
import { Problem } from '@courier-fleet/api-types'
import type { RateLimits } from './rate-limits.ts'

/** @throws Problem 403 `wrong-channel` when its key is for other channels · 429 `too-many-contacts` */
export async function admitContact(
  rateLimits: RateLimits,
  inbound: { readonly channels?: readonly string[]; readonly keyId?: string },
  channel: string,
  address: string,
): Promise<void> {
  const { channels, keyId } = inbound
  if (channels !== undefined && !channels.includes(channel)) {
    throw new Problem(403, 'wrong-channel', `this API key is for ${channels.join(', ')} only`)
  }
  if (keyId !== undefined) await rateLimits.countContact(keyId, `${channel}:${address.trim()}`)
}
