/** Histories and a tracker on a database of its own; the test plays the fleet. */
import { type HistoryRef, parseHistoryKey } from '@courier-fleet/api-types'
import {
  connectNode,
  connectSubscriber,
  createHistories,
  type Histories,
  hints,
  keys,
  type Subscriber,
} from '@courier-fleet/store'
import { freshRedis } from '@courier-fleet/testkit'
import type { Redis } from 'ioredis'
import { createTracker, type Tracker } from '../../src/tracker/index.ts'

export interface Fixture {
  readonly redis: Redis
  readonly subscriber: Subscriber
  readonly histories: Histories
  readonly tracker: Tracker
  readonly sender: string
  issued(): Promise<HistoryRef>
  put(ref: HistoryRef, dueMs?: number): Promise<void>
  /** Writes fields of the history hash and tells of the change, as the scripts do. */
  change(ref: HistoryRef, fields: Record<string, string | number>, tell?: boolean): Promise<void>
  settle(ref: HistoryRef): Promise<void>
  /** pub/sub channels on which anyone waits for one of this fixture's histories */
  awaited(): Promise<string[]>
  stop(): Promise<void>
}

/** no test takes so long */
export const neverMs = 3_600_000

/** @param checkMs a tracker that hardly ever looks by itself, unless said otherwise: what it sees it was told */
export async function createFixture(
  intercept: (histories: Histories) => Histories = (same) => same,
  checkMs = neverMs,
): Promise<Fixture> {
  const fresh = await freshRedis()
  const redis = connectNode(fresh.url, { name: 'fixture' })
  const subscriber = connectSubscriber(fresh.url, { name: 'events' })
  const histories = createHistories({ redis, shards: 2 })
  const tracker = createTracker({ subscriber, histories: intercept(histories), checkMs })
  const sender = `dean-${fresh.db}`
  const change: Fixture['change'] = async (ref, fields, tell = true) => {
    await redis.hset(keys.history(ref), fields)
    if (tell) await redis.spublish(hints.change(ref), '')
  }
  return {
    redis,
    subscriber,
    histories,
    tracker,
    sender,
    change,
    issued: async () => parseHistoryKey(await histories.issue(sender)),
    async put(ref, dueMs = Date.now() + 60_000) {
      await histories.put({
        ref,
        issued: true,
        digest: 'd',
        source: 'api',
        text: 't',
        to: ['user:p1'],
        class: 'normal',
        audience: ['p1', 'p2'],
        dueMs,
        expiresMs: 0,
      })
    },
    async settle(ref) {
      await redis.set(keys.receipts(ref, 'vk'), 'ss')
      await change(ref, { state: 'settled', expected: 'vk', 'vk:s': 2, 'vk:settled': 1, settled: 1 })
    },
    awaited: async () => (await redis.pubsub('SHARDCHANNELS', `change:{*}:${sender}:*`)) as string[],
    async stop() {
      await tracker.stop()
      redis.disconnect()
      subscriber.disconnect()
      await fresh.stop()
    },
  }
}
