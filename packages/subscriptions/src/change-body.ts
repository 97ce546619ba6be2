/** What is posted to a subscriber, as text: what is signed is what is sent. */
import type { ChangeBody, ChangeDiff, SubscriptionResource } from '@courier-fleet/api-types'

const maxDiffBytes = 32_768

export interface Change {
  /** the same at every try */
  readonly id: string
  readonly createdMs: number
  readonly subscription: string
  readonly resource: SubscriptionResource
  readonly resourceId: string
  readonly sequence: number
  readonly diff: ChangeDiff
}

/** A diff that is too long is left out: whoever gets it reads the resource itself. */
export function changeBodyOf(type: ChangeBody['type'], { createdMs, resourceId, diff, ...change }: Change): string {
  const isTooLong = Buffer.byteLength(JSON.stringify(diff)) > maxDiffBytes
  const { id, subscription, resource, sequence } = change
  const created = new Date(createdMs).toISOString()
  const said = { id, created, subscription, resource, resource_id: resourceId, sequence }
  return JSON.stringify({ type, ...said, diff: isTooLong ? null : diff } satisfies ChangeBody)
}
