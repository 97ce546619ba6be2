/** A subscription: whose, of what, and where it is told. As the hash `subscription:{subscriptions}:<id>` holds it. */
import {
  type DisabledReason,
  historyKeyPattern,
  Problem,
  parseHistoryKey,
  type SubscriptionResource,
} from '@courier-fleet/api-types'
import { bucketOf, tagOf, tagOfBucket, tagsOfBuckets, tagsOfShards } from '@courier-fleet/store'

export interface Followed {
  readonly resource: SubscriptionResource
  /** absent: all of them that the owner may read */
  readonly resourceId?: string
}

/** sealed by whoever made it, for only they can open it */
export interface SealedSecret {
  readonly sealed: string
  /** Unix ms, of one that was rotated out */
  readonly untilMs?: number
}

export interface Disabled {
  readonly sinceMs: number
  readonly reason: DisabledReason
  readonly why: string
  /** its owner has been told */
  readonly isTold?: true
}

export interface Subscription extends Followed {
  readonly id: string
  readonly owner: string
  /** the API key it was made with: it ends with it; absent: made in a session */
  readonly keyId?: string
  readonly url: string
  /** Unix ms */
  readonly createdMs: number
  /** the newest first */
  readonly secrets: readonly SealedSecret[]
  readonly failing?: { readonly sinceMs: number; readonly nextMs: number; readonly why: string }
  readonly disabled?: Disabled
  /** whatever has changed since then is to be sent again, Unix ms; taken away by whoever does it. A new one begins with it: all is sent once */
  readonly replayMs?: number
}

/** @returns undefined when there is none of this id */
export function readSubscription(id: string, record: Record<string, string>): Subscription | undefined {
  const { owner, url, resource, 'resource-id': resourceId, key: keyId, created, secrets } = record
  if (owner === undefined || url === undefined || resource === undefined || secrets === undefined) return undefined
  return {
    id,
    owner,
    url,
    resource: resource as SubscriptionResource,
    ...(resourceId === undefined ? {} : { resourceId }),
    ...(keyId === undefined ? {} : { keyId }),
    createdMs: Number(created),
    secrets: JSON.parse(secrets),
    ...(record.failing === undefined ? {} : { failing: JSON.parse(record.failing) }),
    ...(record.disabled === undefined ? {} : { disabled: JSON.parse(record.disabled) }),
    ...(record.replay === undefined ? {} : { replayMs: Number(record.replay) }),
  }
}

/** Fields and values of a new one. */
export function writeSubscription(subscription: Subscription): string[] {
  const { owner, keyId: key, url, resource, resourceId, createdMs, secrets, replayMs } = subscription
  const created = String(createdMs)
  const replay = replayMs === undefined ? undefined : String(replayMs)
  const fields = {
    owner,
    key,
    url,
    resource,
    'resource-id': resourceId,
    created,
    replay,
    secrets: JSON.stringify(secrets),
  }
  return Object.entries(fields).flatMap(([field, value]) => (value === undefined ? [] : [field, value]))
}

/** What two subscriptions may not have in common. */
export const targetOf = ({ resource, resourceId = '*', url }: Followed & { readonly url: string }) =>
  `${resource} ${resourceId} ${url}`
export const resourceOf = (target: string) => target.slice(0, target.indexOf(' ')) as SubscriptionResource

const forms: Readonly<Record<SubscriptionResource, [form: RegExp, inWords: string]>> = {
  history: [historyKeyPattern, 'a history key'],
  person: [/^[A-Za-z0-9_-]{1,64}$/, 'the id of a person'],
  group: [/^[A-Za-z0-9_-]{1,64}$/, 'the id of a group'],
  cohort: [/^[A-Za-z0-9_-]{1,64}$/, 'the id of a cohort'],
  channel: [/^[a-z][a-z0-9]{1,15}$/, 'the name of a channel'],
  type: [/^[A-Za-z0-9_-]{1,64}$/, 'the id of a type'],
  ownership: [/^(group|cohort):[A-Za-z0-9_-]{1,64}$/, 'group:<id> or cohort:<id>'],
}

/** @throws Problem 422 `invalid`, where there can be nothing of this id */
export function checkResourceId({ resource, resourceId }: Followed): void {
  if (resourceId === undefined) return
  const [form, inWords] = forms[resource]
  if (!form.test(resourceId)) throw new Problem(422, 'invalid', `resource_id: ${inWords}`, 'resource_id')
}

/**
 * The tag under which changes of a resource are marked: a history's own shard, a person's own bucket, where the change itself is written;
 * of all else the bucket that its id would be in.
 */
export function tagOfResource(resource: SubscriptionResource, id: string): string {
  if (resource === 'history') return tagOf(parseHistoryKey(id).shard)
  return tagOfBucket(bucketOf(id))
}

export function tagsOf({ resource, resourceId }: Followed, shards: number): readonly string[] {
  if (resourceId !== undefined) return [tagOfResource(resource, resourceId)]
  return resource === 'history' ? tagsOfShards(shards) : tagsOfBuckets()
}
