/**
 * What somebody follows is said in `watched:{tag}`, where the scripts that change it look: nobody pays for what nobody follows. The record of a
 * subscription is written before its watches and removed before them: a watch without a record is a leftover, always.
 */
import { memberOf as memberOfHistory, parseHistoryKey } from '@courier-fleet/api-types'
import { keys, markedTags, type Redis } from '@courier-fleet/store'
import { type Followed, tagsOf } from './subscription.ts'

export interface WatchesDeps {
  readonly redis: Redis
  readonly shards: number
}

type Watching = Followed & { readonly id: string }

/** As `lua/lib/dirty.lua` looks for it, up to the blank: a history goes by the name that its keys end in. */
function memberOf({ id, resource, resourceId = '*' }: Watching): string {
  const isOneHistory = resource === 'history' && resourceId !== '*'
  return `${resource}:${isOneHistory ? memberOfHistory(parseHistoryKey(resourceId)) : resourceId} ${id}`
}

export async function watch({ redis, shards }: WatchesDeps, subscription: Watching): Promise<void> {
  await Promise.all(tagsOf(subscription, shards).map((tag) => redis.zadd(keys.watched(tag), 0, memberOf(subscription))))
}

export async function unwatch({ redis, shards }: WatchesDeps, subscription: Watching): Promise<void> {
  await Promise.all(tagsOf(subscription, shards).map((tag) => redis.zrem(keys.watched(tag), memberOf(subscription))))
}

/** Adds what is missing and drops what is left over, where a call was cut off between record and watches. Safe at any time. */
export async function mendWatches(
  { redis, shards }: WatchesDeps,
  list: () => Promise<readonly Watching[]>,
): Promise<void> {
  const tags = markedTags(shards)
  const found = await Promise.all(tags.map((tag) => redis.zrange(keys.watched(tag), '0', '-1')))
  // read after the watches: whoever has none of these by now was removed
  const subscriptions = await list()
  const wanted = new Set(subscriptions.flatMap((each) => tagsOf(each, shards).map((tag) => `${tag} ${memberOf(each)}`)))
  const there = new Set(tags.flatMap((tag, index) => (found[index] ?? []).map((member) => `${tag} ${member}`)))
  const split = (watch: string): [tag: string, member: string] => {
    const at = watch.indexOf(' ')
    return [watch.slice(0, at), watch.slice(at + 1)]
  }
  await Promise.all([
    ...[...wanted].filter((watch) => !there.has(watch)).map((watch) => add(redis, ...split(watch))),
    ...[...there].filter((watch) => !wanted.has(watch)).map((watch) => drop(redis, ...split(watch))),
  ])
}

const add = (redis: Redis, tag: string, member: string) => redis.zadd(keys.watched(tag), 0, member)
const drop = (redis: Redis, tag: string, member: string) => redis.zrem(keys.watched(tag), member)
