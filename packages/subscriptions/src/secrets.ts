/** What calls of a subscriber are signed with. */
import { validSecrets } from './change-subscription.ts'
import type { Subscription } from './subscription.ts'
import { secretHolder } from './subscriptions.ts'

/** @returns undefined where it was sealed under another FLEET_SECRET, or for somebody else */
export type Open = (sealed: string, of: string) => string | undefined

/** What its owner is told where secretsOf() has none. */
export const unreadableSecret = 'its secret cannot be read with this FLEET_SECRET: make it anew'

/**
 * All that are valid, the newest first; undefined where not each of them opens: what is signed by some alone may be refused by whoever has another.
 */
export function secretsOf(
  subscription: Pick<Subscription, 'id' | 'secrets'>,
  nowMs: number,
  open: Open,
): readonly string[] | undefined {
  const valid = validSecrets(subscription, nowMs)
  const opened = valid.flatMap(({ sealed }) => open(sealed, secretHolder(subscription.id)) ?? [])
  return opened.length === valid.length && opened.length > 0 ? opened : undefined
}
