/** What a subscriber is told of a resource, compared with what they were told last. */
import type { Role } from '@courier-fleet/api-types'
import type { Sending, View } from '@courier-fleet/store'
import { changeBodyOf, diffOf, type Subscription } from '@courier-fleet/subscriptions'
import { nanoid } from 'nanoid'
import type { Taken } from './work.ts'

/** @param read by which role `after` was read, and when. @returns what is to be sent; undefined when there is nothing new */
export function bodyOf(
  subscription: Subscription,
  { resource, told, sequence: before }: Pick<Taken, 'resource' | 'told' | 'sequence'>,
  after: View | undefined,
  read: { readonly role: Role; readonly nowMs: number },
): Sending | undefined {
  const isWhole = told?.whole === true && after !== undefined
  const inDoubt = told?.inDoubt && [...Object.keys(told.view ?? {}), ...told.inDoubt]
  const diff = diffOf(isWhole ? undefined : (told?.view ?? undefined), after, inDoubt)
  if (Object.keys(diff).length === 0) return undefined
  const id = nanoid()
  const sequence = (told?.sequence ?? before) + 1
  const body = changeBodyOf({
    type: `${subscription.resource}.changed`,
    id,
    createdMs: read.nowMs,
    subscription: subscription.id,
    resource: subscription.resource,
    resource_id: resource,
    sequence,
    diff,
  })
  return {
    sequence,
    id,
    createdMs: read.nowMs,
    body,
    after: after ?? null,
    role: read.role,
    ...(told?.whole ? { whole: true } : {}),
    tries: 0,
  }
}
