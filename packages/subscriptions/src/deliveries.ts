/** What was sent to a subscriber, attempt by attempt: of a day, and no more than are looked through. */
import type { SubscriptionDelivery } from '@courier-fleet/api-types'
import { keys, type Redis } from '@courier-fleet/store'

const keptMs = 86_400_000
const keptAttempts = 500
const shownCharacters = 4000

/** Whoever has sent something says so. A crash before it leaves a line less, and nothing else. */
export async function noteDelivery(redis: Redis, subscription: string, delivery: SubscriptionDelivery): Promise<void> {
  const key = keys.deliveries(subscription)
  const line = JSON.stringify({ ...delivery, body: delivery.body.slice(0, shownCharacters) })
  await redis.multi().xadd(key, 'MAXLEN', '~', keptAttempts, '*', 'attempt', line).pexpire(key, keptMs).exec()
  // it was removed while this was sent: what was removed with it is not begun anew
  if ((await redis.exists(keys.subscription(subscription))) === 0) await redis.unlink(key)
}

/** Newest first. */
export async function listDeliveries(
  redis: Redis,
  subscription: string,
  nowMs: number,
): Promise<SubscriptionDelivery[]> {
  const entries = await redis.xrevrange(keys.deliveries(subscription), '+', nowMs - keptMs, 'COUNT', keptAttempts)
  return entries.map(([, fields]) => JSON.parse(fields[1] as string) as SubscriptionDelivery)
}
