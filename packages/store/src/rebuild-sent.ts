/**
 * Lists of what somebody has sent, made again. Every message that was accepted is due, held or kept until it is removed, as soon as those indexes
 * are whole; so what a list lacks is found without looking at histories again.
 */
import { type HistoryRef, refOfMember } from '@courier-fleet/api-types'
import type { Redis } from './connection/client.ts'
import { tagOf } from './hash-tags.ts'
import { keys } from './keys.ts'
import { numberReply } from './replies.ts'
import { defineScript } from './script.ts'

/** read at once */
const pageSize = 1_000
/** listed again in one call, in which the whole list is written anew */
const aCall = 10_000

const sentScript = defineScript('rebuild-sent', {
  keys: ['sent'],
  args: ['tag', 'sender'],
  reply: numberReply,
})

/** @returns how many messages of the shard there are, and how many of them were missing */
export async function rebuildSent(redis: Redis, shard: string): Promise<{ messages: number; missing: number }> {
  const { senders, messages } = await acceptedIn(redis, shard)
  let missing = 0
  for (const [sender, ids] of senders) {
    const sent = keys.sent(shard, sender)
    for (const id of await idsIn(redis, sent)) ids.delete(id)
    const unlisted = [...ids]
    for (let at = 0; at < unlisted.length; at += aCall)
      missing += await sentScript(redis, { sent }, { tag: tagOf(shard), sender }, unlisted.slice(at, at + aCall))
  }
  return { messages, missing }
}

/** Ids by sender. What becomes due meanwhile goes from the first of these indexes to the last, and so is in one that is read. */
async function acceptedIn(redis: Redis, shard: string) {
  const senders = new Map<string, Set<string>>()
  let messages = 0
  const note = ({ sender, id }: HistoryRef) => {
    const ids = senders.get(sender) ?? new Set()
    senders.set(sender, ids)
    if (ids.has(id)) return
    ids.add(id)
    messages += 1
  }
  for await (const entry of membersOf(redis, keys.due(shard))) {
    // one for each wave
    const [, member] = /^(.+):\d+$/.exec(entry) ?? []
    if (member) note(refOfMember(shard, member))
  }
  for (const index of [keys.held(shard), keys.retention(shard)])
    for await (const member of membersOf(redis, index)) note(refOfMember(shard, member))
  return { senders, messages }
}

async function* membersOf(redis: Redis, zset: string): AsyncGenerator<string> {
  let cursor = '0'
  do {
    const [next, found] = await redis.zscan(zset, cursor, 'COUNT', pageSize)
    for (let at = 0; at < found.length; at += 2) yield found[at] as string
    cursor = next
  } while (cursor !== '0')
}

async function idsIn(redis: Redis, sent: string): Promise<string[]> {
  const ids: string[] = []
  let last = '-'
  for (;;) {
    const page = await redis.xrange(sent, last, '+', 'COUNT', pageSize)
    for (const [, [, id]] of page) ids.push(id as string)
    if (page.length < pageSize) return ids
    last = `(${page.at(-1)?.[0]}`
  }
}
