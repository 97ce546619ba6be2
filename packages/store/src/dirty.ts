/** What has changed, for whoever follows it: marks that scripts leave (lua/lib/dirty.lua), and what leaves one outside of a script. */

import { bucketOf, tagsOfBuckets } from './buckets.ts'
import type { Redis } from './connection/client.ts'
import { tagOfBucket, tagsOfShards } from './hash-tags.ts'
import { keys } from './keys.ts'
import { numberReply } from './replies.ts'
import { defineScript } from './script.ts'

const markScript = defineScript('mark-dirty', { keys: ['watched'], args: ['tag', 'resource'], reply: numberReply })
const unmarkScript = defineScript('unmark-dirty', { keys: ['dirty'], args: [], reply: numberReply })

/** Everywhere that something may be marked: a history in its shard, all else in the bucket that its id would be in. */
export const markedTags = (shards: number): string[] => [...tagsOfShards(shards), ...tagsOfBuckets()]

/** At most so many in a call: Redis does nothing else meanwhile. */
const perCall = 1000

/** Of what has no mark in the step that changes it: after the change, before whoever made it is answered. Costs a read where nobody follows it. */
export async function markDirty(
  redis: Redis,
  resource: 'person' | 'group' | 'cohort' | 'ownership' | 'channel' | 'type',
  ids: readonly string[],
): Promise<void> {
  const byTag = new Map<string, string[]>()
  for (const id of ids) {
    const tag = tagOfBucket(bucketOf(id))
    const others = byTag.get(tag)
    if (others) others.push(id)
    else byTag.set(tag, [id])
  }
  const calls = [...byTag].flatMap(([tag, some]) =>
    Array.from({ length: Math.ceil(some.length / perCall) }, (_unused, at) => ({
      tag,
      some: some.slice(at * perCall, (at + 1) * perCall),
    })),
  )
  await Promise.all(
    calls.map(({ tag, some }) => markScript(redis, { watched: keys.watched(tag) }, { tag, resource }, some)),
  )
}

export interface Mark {
  /** `<resource>:<id>`, of a history `history:<sender>:<id>` */
  readonly of: string
  readonly number: string
  /** ids of the subscriptions that follow it: whoever did before it was marked is among them */
  readonly subscriptions: readonly string[]
}

/** The oldest marks. */
export async function readMarks(redis: Redis, tag: string, max: number): Promise<Mark[]> {
  const found = await redis.zrange(keys.dirty(tag), '0', `${max - 1}`, 'WITHSCORES')
  const marks: { of: string; number: string }[] = []
  for (let at = 0; at < found.length; at += 2)
    if (found[at] !== '#') marks.push({ of: found[at] as string, number: found[at + 1] as string })
  return Promise.all(marks.map(async (mark) => ({ ...mark, subscriptions: await watching(redis, tag, mark.of) })))
}

async function watching(redis: Redis, tag: string, of: string): Promise<string[]> {
  const all = `${of.slice(0, of.indexOf(':'))}:*`
  const found = await Promise.all(
    [of, all].map((each) => redis.zrangebylex(keys.watched(tag), `[${each} `, `(${each}!`)),
  )
  return [...new Set(found.flat().map((member) => member.slice(member.lastIndexOf(' ') + 1)))]
}

/**
 * Takes away marks that were noted wherever they concern somebody, but none that was made anew since.
 * @returns whether none was: of one that stays nobody is told again
 */
export async function unmark(redis: Redis, tag: string, marks: readonly Mark[]): Promise<boolean> {
  const pairs = marks.flatMap(({ of, number }) => [of, number])
  return pairs.length === 0 || (await unmarkScript(redis, { dirty: keys.dirty(tag) }, {}, pairs)) === 0
}
