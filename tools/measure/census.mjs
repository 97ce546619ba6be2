/** What is in Redis: what messages have left, and what is meant to lapse by itself. */
import { keys } from '@courier-fleet/store'
import { shardNames } from './running-fleet.mjs'

const ofMessages = [
  'history',
  'record',
  'audience',
  'upload',
  'delivery',
  'pieces',
  'receipts',
  'reasons',
  'evidence',
  'due',
  'retention',
  'sent',
]
const ofStreams = ['work']
const lapsing = ['provider-id', 'unread', 'idempotency', 'quota', 'limit', 'turns', 'pause', 'file-reference']
const sampled = 200
/** an entry each in the tables of keys and of expiry times, which MEMORY USAGE does not count */
const entryBytes = 2 * (24 + 16)

export function createCensus(redis) {
  /** @returns messages that are not forgotten: yet to start, running, or kept */
  async function alive() {
    const shards = await shardNames(redis)
    const counts = await Promise.all(
      shards.flatMap((shard) => [redis.zcard(keys.due(shard)), redis.zcard(keys.retention(shard))]),
    )
    return counts.reduce((sum, each) => sum + each, 0)
  }

  async function streamFigures(names) {
    const figures = { entries: 0, pending: 0, consumers: 0 }
    for (const name of names) {
      figures.entries += await redis.xlen(name)
      for (const info of await redis.xinfo('GROUPS', name)) {
        figures.consumers += info[3]
        figures.pending += info[5]
      }
    }
    return figures
  }

  /** Of the size of keys of one kind, from a sample. */
  async function bytesOf(names) {
    const sample = names.slice(0, sampled)
    const sizes = await Promise.all(sample.map((name) => redis.memory('USAGE', name)))
    const mean = sizes.reduce((sum, each) => sum + Number(each ?? 0), 0) / Math.max(1, sample.length)
    return names.length * (mean + entryBytes)
  }

  /** Names of all keys, by what stands before the first colon. */
  async function namesByKind() {
    const byKind = new Map()
    for await (const names of redis.scanStream({ count: 1000 })) {
      for (const name of names) {
        const kind = name.split(':', 1)[0]
        byKind.set(kind, (byKind.get(kind) ?? new Set()).add(name))
      }
    }
    return byKind
  }

  return {
    alive,
    async take() {
      const byKind = await namesByKind()
      const of = (kinds) => kinds.flatMap((kind) => [...(byKind.get(kind) ?? [])])
      const { entries, pending, consumers } = await streamFigures(of(ofStreams))
      const lapsingKeys = of(lapsing)
      return {
        ofMessages: of(ofMessages).length,
        entries,
        pending,
        consumers,
        lapsing: {
          keys: lapsingKeys.length,
          bytes: await bytesOf(lapsingKeys),
          kinds: lapsing.flatMap((kind) => (byKind.has(kind) ? `${kind} ${byKind.get(kind).size}` : [])).join(', '),
        },
      }
    },
  }
}
