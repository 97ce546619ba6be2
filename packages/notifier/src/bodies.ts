/** What a subscriber is told of a resource, compared with what they were told last. */
import type { ChangeBody } from '@courier-fleet/api-types'
import { diffOf, type Subscription, type View } from '@courier-fleet/subscriptions'
import { nanoid } from 'nanoid'
import type { Sending, Told } from './work.ts'

/** Of a longer one only the ids are told: whoever wants it reads the resource. */
export const maxBodyBytes = 32 * 1024

/** @returns what is to be sent; undefined when there is nothing new */
export function bodyOf(
  subscription: Subscription,
  resource: string,
  told: Told | undefined,
  after: View | undefined,
  nowMs: number,
): Sending | undefined {
  const isWhole = told?.whole === true && after !== undefined
  const diff = diffOf(isWhole ? undefined : (told?.view ?? undefined), after)
  if (Object.keys(diff).length === 0) return undefined
  const id = nanoid()
  const sequence = (told?.sequence ?? 0) + 1
  const body: ChangeBody = {
    type: `${subscription.resource}.changed`,
    id,
    created: new Date(nowMs).toISOString(),
    subscription: subscription.id,
    resource: subscription.resource,
    resource_id: resource,
    sequence,
    diff,
  }
  const text = JSON.stringify(body)
  const fits = Buffer.byteLength(text) <= maxBodyBytes
  return {
    sequence,
    id,
    createdMs: nowMs,
    body: fits ? text : JSON.stringify({ ...body, diff: null }),
    after: after ?? null,
    ...(told?.whole ? { whole: true } : {}),
    tries: 0,
  }
}
