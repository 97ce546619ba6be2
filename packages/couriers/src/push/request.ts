/** One notification as a push service takes it. */
import type { MessageClass } from '@courier-fleet/api-types'
import type { BrowserSubscription } from '@courier-fleet/channels'
import type { VapidKeys } from '@courier-fleet/webhooks'
import webPush from 'web-push'

export interface Notification {
  /** of its message and recipient: one that has not reached the browser is replaced by the next with the same, and so is one that is shown */
  readonly id: string
  readonly text: string
  readonly class: MessageClass
}

/** a browser that is not opened for so long never has it: long enough for a weekend */
const lifeSeconds = 3 * 86_400
const urgencies = { urgent: 'high', normal: 'normal', bulk: 'low' } as const

/** @throws Error when the browser's key is no point of the curve */
export function requestFor(
  subscription: BrowserSubscription,
  { id, text, class: cls }: Notification,
  { contact, keys }: { readonly contact: string; readonly keys: VapidKeys },
): { readonly headers: Readonly<Record<string, string>>; readonly body: Uint8Array } {
  // what the service worker reads (packages/web/public/push-worker.js)
  const { headers, body } = webPush.generateRequestDetails(subscription, JSON.stringify({ id, text }), {
    vapidDetails: { subject: contact, ...keys },
    TTL: lifeSeconds,
    urgency: urgencies[cls],
    topic: id,
  })
  const given = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), String(value)])
  return { headers: Object.fromEntries(given), body }
}
