/**
 * Makes the due sets, the work streams and other indexes of messages again from the histories, after a restore that has brought back only a part, or
 * somebody has deleted them. What is there stays, so that it may run while couriers are at work, and any number of times:
 *
 *   streams     each has its group: a courier without one reads nothing, and waits for ever with what it knows
 *   indexes     which messages are to be removed, to expire, wait for an operator, hang on an event, are the latest about something; and
 *               how many people wait for each channel, which is a sum over them
 *   lists       what each sender has sent, of what those indexes name: last, when they are whole
 *   due sets    what is scheduled, and waves that wait, are due when their history says
 *   work        whoever of a running message has neither a receipt that is final nor an entry nor a wave gets an entry
 *
 * A claim whose entry is gone is lost to its process like one that was taken over: it writes nothing more, and whom it has marked is sent
 * to again under the same key, or unknown where the provider folds no resends. A crash between any two steps leaves less to
 * do: the same call again.
 */

import {
  classes,
  type HistoryRef,
  type MessageClass,
  memberOf,
  refOfMember,
  shardNames,
} from '@courier-fleet/api-types'
import { readChannels } from './backlog/channels.ts'
import { ensureGroup } from './backlog/stream-group.ts'
import type { Redis } from './connection/client.ts'
import { scanKeys } from './connection/client.ts'
import { shardOfTag, tagOf } from './hash-tags.ts'
import { keys } from './keys.ts'
import { rebuildSent } from './rebuild-sent.ts'
import { numberReply } from './replies.ts'
import { type Argument, defineScript } from './script.ts'

/** One step of it: a part of all keys. */
export interface RebuildStep {
  /** where to go on; absent after the last */
  readonly next?: string
  /** histories that were looked at */
  readonly histories: number
  /** deliveries, entries, and messages in the other indexes, that were missing, and sums that were wrong */
  readonly due: number
  readonly entries: number
  readonly indexes: number
}

/** keys Redis looks through at once; in one step */
const scanned = 1_000
const aStep = 20
/** messages whose lists are looked at in one step, or those of one shard */
const listedAStep = 20_000
/** of a step that is about lists: the number of the shard follows */
const ofLists = 'lists.'
const pageSize = 1_000

const indexesScript = defineScript('rebuild-indexes', {
  keys: ['history'],
  args: ['message', 'tag'],
  reply: numberReply,
})
const dueScript = defineScript('rebuild-due', {
  keys: ['history', 'due'],
  args: ['message', 'tag'],
  reply: numberReply,
})
const workScript = defineScript('rebuild-work', {
  keys: ['history', 'stream'],
  args: ['message', 'tag', 'class', 'leg', 'lastRead'],
  reply: numberReply,
})

const waitingScript = defineScript('rebuild-waiting', {
  keys: ['waiting', 'expiry'],
  args: ['tag'],
  reply: numberReply,
})

/** @param cursor of the step before; absent to begin */
export async function rebuildStep(redis: Redis, shards: number, cursor?: string): Promise<RebuildStep> {
  if (cursor?.startsWith(ofLists)) return rebuildLists(redis, shards, Number(cursor.slice(ofLists.length)))
  if (cursor === undefined) await ensureGroups(redis, shards)
  const streams = createStreams(redis)
  const done = { histories: 0, due: 0, entries: 0, indexes: 0 }
  let next = cursor ?? '0'
  for (let looked = 0; looked < aStep; looked += 1) {
    const { found, next: after } = await scanKeys(redis, next, 'history:{*', scanned)
    const rebuilt = await Promise.all(found.flatMap(refIn).map((ref) => rebuildMessage(redis, ref, streams)))
    done.histories += rebuilt.length
    for (const { due, entries, indexes } of rebuilt) {
      done.due += due
      done.entries += entries
      done.indexes += indexes
    }
    if (after === undefined) {
      const waiting = await rebuildWaiting(redis, shards)
      const lists = await rebuildLists(redis, shards, 0)
      return { ...lists, ...done, indexes: done.indexes + waiting + lists.indexes }
    }
    next = after
  }
  return { ...done, next }
}

/** @param first number of the shard to begin with */
async function rebuildLists(redis: Redis, shards: number, first: number): Promise<RebuildStep> {
  const done = { histories: 0, due: 0, entries: 0, indexes: 0 }
  const names = shardNames(shards)
  let looked = 0
  for (let at = first; at < names.length; at += 1) {
    const { messages, missing } = await rebuildSent(redis, names[at] as string)
    looked += messages
    done.indexes += missing
    if (looked >= listedAStep && at + 1 < names.length) return { ...done, next: `${ofLists}${at + 1}` }
  }
  return done
}

/** When all running messages are found again. @returns how many numbers were wrong */
async function rebuildWaiting(redis: Redis, shards: number): Promise<number> {
  const wrong = await Promise.all(
    shardNames(shards).map((shard) =>
      waitingScript(redis, { waiting: keys.waiting(shard), expiry: keys.expiry(shard) }, { tag: tagOf(shard) }),
    ),
  )
  return wrong.reduce((sum, each) => sum + each, 0)
}

/** Of all channels that are known. */
async function ensureGroups(redis: Redis, shards: number): Promise<void> {
  const channels = [...(await readChannels(redis, shards)).keys()]
  const streams = shardNames(shards).flatMap((shard) =>
    channels.flatMap((channel) => classes.map((cls) => [keys.work(shard, channel, cls), channel] as const)),
  )
  await Promise.all(streams.map(([stream, channel]) => ensureGroup(redis, stream, channel)))
}

/** @returns nothing for a key that is no history of this fleet */
function refIn(key: string): HistoryRef[] {
  const [, tag = '', member] = /^history:\{(\w+)\}:(.+)$/.exec(key) ?? []
  const shard = shardOfTag(tag)
  return shard && member ? [refOfMember(shard, member)] : []
}

async function rebuildMessage(
  redis: Redis,
  ref: HistoryRef,
  streams: Streams,
): Promise<{ due: number; entries: number; indexes: number }> {
  const history = keys.history(ref)
  const about = { message: memberOf(ref), tag: tagOf(ref.shard) }
  const indexes = await indexesScript(redis, { history }, about)
  const [state, cls] = await redis.hmget(history, 'state', 'class')
  if (state !== 'scheduled' && state !== 'running') return { due: 0, entries: 0, indexes }
  const due = await dueScript(redis, { history, due: keys.due(ref.shard) }, about)
  if (state !== 'running') return { due, entries: 0, indexes }
  const fields = await redis.hkeys(history)
  let entries = 0
  for (const leg of fields.flatMap((field) => /^(.+):open$/.exec(field)?.[1] ?? [])) {
    const [channel = leg] = leg.split('~')
    const { stream, lastRead, entriesOf } = await streams.read(ref.shard, channel, cls as MessageClass)
    const args = { ...about, class: cls as MessageClass, leg, lastRead }
    entries += await workScript(redis, { history, stream }, args, entriesOf(about.message, leg))
  }
  return { due, entries, indexes }
}

interface Streams {
  /** As it was when it was read, in this step, for the first time. */
  read(shard: string, channel: string, cls: MessageClass): Promise<StreamRead>
}

interface StreamRead {
  readonly stream: string
  readonly lastRead: string
  entriesOf(message: string, leg: string): readonly Argument[]
}

function createStreams(redis: Redis): Streams {
  const known = new Map<string, Promise<StreamRead>>()
  return {
    read(shard, channel, cls) {
      const stream = keys.work(shard, channel, cls)
      const read = known.get(stream) ?? readStream(redis, stream, channel)
      known.set(stream, read)
      return read
    },
  }
}

async function readStream(redis: Redis, stream: string, channel: string): Promise<StreamRead> {
  await ensureGroup(redis, stream, channel)
  const ids = new Map<string, string[]>()
  const nameOf = (message: string, leg: string) => `${leg} ${message}`
  let lastRead = '0-0'
  for (;;) {
    const page = await redis.xrange(stream, `(${lastRead}`, '+', 'COUNT', pageSize)
    for (const [id, flat] of page) {
      const at = (field: string) => flat[flat.indexOf(field) + 1]
      const leg = flat.includes('leg') ? at('leg') : channel
      const name = nameOf(at('message') ?? '', leg ?? channel)
      const others = ids.get(name)
      if (others) others.push(id)
      else ids.set(name, [id])
      lastRead = id
    }
    if (page.length < pageSize) break
  }
  return { stream, lastRead, entriesOf: (message, leg) => ids.get(nameOf(message, leg)) ?? [] }
}
