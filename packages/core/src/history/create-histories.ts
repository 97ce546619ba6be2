import type { Redis } from 'ioredis'
import { type HistoryRef, keys, newHistoryKey, parseHistoryKey, shardName } from '../keys.ts'
import { receiptStates } from '../receipt-state.ts'
import type { HistoryView } from '../schemas.ts'
import { packAudience } from './audience.ts'
import type { Histories, PutInput, Recount } from './histories.ts'
import { cancel, issue, reschedule, schedule } from './history-scripts.ts'
import { channelsOf, countBytes, countsOf } from './ledger.ts'
import { packRecord } from './message-record.ts'
import { readReceipts } from './receipts.ts'
import { readHistory } from './view.ts'

/** An issued key may wait this long for its message. */
const unusedMs = 86_400_000
/** Larger audiences are staged under a key of their own, so that no script carries megabytes; one that is not taken lapses. */
const inlineBytes = 16_384
const stagedMs = 600_000

export function createHistories(deps: { redis: Redis; shards: number }): Histories {
  const { redis, shards } = deps

  async function put(input: PutInput): Promise<{ created: boolean }> {
    const { ref } = input
    const audience = packAudience(input.audience)
    const staged = audience.bytes.length > inlineBytes
    if (staged) await redis.set(keys.staged(ref, input.digest), audience.bytes, 'PX', stagedMs)
    const created = await schedule(redis, ref, {
      issued: input.issued,
      digest: input.digest,
      record: packRecord({ ...input, width: audience.width, sha256: audience.sha256 }),
      audience: staged ? '' : audience.bytes,
      size: audience.size,
      dueMs: input.dueMs,
      expiresMs: input.expiresMs,
      class: input.class,
      channels: input.channels ?? [],
    })
    return { created }
  }

  async function list(sender: string, before: number, limit: number): Promise<HistoryView[]> {
    const pages = await Promise.all(
      Array.from({ length: shards }, async (_unused, index) => {
        const shard = shardName(index)
        const found = await redis.zrevrangebyscore(
          keys.sent(shard, sender),
          `(${before}`,
          '-inf',
          'WITHSCORES',
          'LIMIT',
          0,
          limit,
        )
        const rows: { ref: HistoryRef; at: number }[] = []
        for (let i = 0; i < found.length; i += 2) {
          rows.push({ ref: { shard, sender, id: found[i] as string }, at: Number(found[i + 1]) })
        }
        return rows
      }),
    )
    const newest = pages
      .flat()
      .sort((a, b) => b.at - a.at)
      .slice(0, limit)
    const views = await Promise.all(newest.map(({ ref }) => readHistory(redis, ref)))
    return views.filter((view) => view !== undefined)
  }

  async function recount(ref: HistoryRef): Promise<Recount[]> {
    const hash = await redis.hgetall(keys.history(ref))
    return Promise.all(
      channelsOf(hash).map(async (channel) => {
        const ledger = countsOf(hash, channel)
        const bytes = await countBytes(redis, ref, channel, Number(hash.size))
        return { channel, ledger, bytes, balanced: receiptStates.every((state) => ledger[state] === bytes[state]) }
      }),
    )
  }

  return {
    async issue(sender) {
      const key = newHistoryKey(sender, shards)
      await issue(redis, parseHistoryKey(key), unusedMs)
      return key
    },
    put,
    get: (ref) => readHistory(redis, ref),
    receipts: (ref, page) => readReceipts(redis, ref, page),
    cancel: (ref) => cancel(redis, ref),
    async reschedule(ref, dueMs) {
      await reschedule(redis, ref, dueMs)
    },
    list,
    recount,
  }
}
