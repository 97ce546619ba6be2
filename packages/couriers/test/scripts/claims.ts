/** A message up to the point where a process has claimed it, without any process: each step is called by the test. */

import type { HistoryRef } from '@courier-fleet/api-types'
import { connectRedis, createHistories, type Histories, keys, type PutInput } from '@courier-fleet/store'
import { freshRedis } from '@courier-fleet/testkit'
import type { Redis } from 'ioredis'
import { bindClaimScripts, type Claim, type ClaimScripts, Fenced } from '../../src/claim-scripts.ts'
import { createStreams, type Streams } from '../../src/streams.ts'

export const shard = '00'

export interface Ground {
  readonly redis: Redis
  readonly url: string
  readonly histories: Histories
  ref(id?: string): HistoryRef
  /** Puts a message to `size` people under the id, due now unless told otherwise. */
  put(size: number, more?: Partial<PutInput>): Promise<HistoryRef>
  /** A process of a channel; its groups exist afterwards. */
  process(channel?: string, consumer?: string): Promise<{ scripts: ClaimScripts; streams: Streams }>
  stop(): Promise<void>
}

export async function setGround(): Promise<Ground> {
  const fresh = await freshRedis()
  const redis = connectRedis(fresh.url, { name: 'ground' })
  await redis.connect()
  const histories = createHistories({ redis, shards: 1 })
  let bodies = 0
  const ref = (id = 'message-0'): HistoryRef => ({ shard, sender: 'dean', id })
  return {
    redis,
    url: fresh.url,
    histories,
    ref,
    async put(size, more = {}) {
      const to = more.ref ?? ref(`message-${bodies}`)
      bodies += 1
      await histories.put({
        ref: to,
        issued: false,
        digest: 'd',
        source: 'api',
        text: 't',
        to: ['group:g'],
        class: 'normal',
        audience: Array.from({ length: size }, (_unused, index) => `p${String(index).padStart(6, '0')}`),
        dueMs: 0,
        expiresMs: 0,
        ...more,
      })
      return to
    },
    async process(channel = 'vk', consumer = `${channel}-a`) {
      const streams = createStreams({ redis, channel, consumer, shards: 1 })
      await streams.ensureGroups()
      return { scripts: bindClaimScripts(redis, channel, consumer), streams }
    },
    async stop() {
      redis.disconnect()
      await fresh.stop()
    },
  }
}

/** Wakes what is due, waiting out the millisecond that "now" is put off by. */
export async function wakeDue(ground: Ground, scripts: ClaimScripts): Promise<number> {
  const [, at] = await ground.redis.zrange(keys.due(shard), '0', '0', 'WITHSCORES')
  if (at === undefined || Number(at) > Date.now() + 1000) throw new Error('nothing is due')
  for (;;) {
    const woken = await scripts.wake(shard, 100)
    if (woken > 0) return woken
  }
}

/** The one order there is, claimed, as wide as the message. */
export async function claimOrder(streams: Streams, size: number): Promise<Claim> {
  const [claim] = await streams.readOrders(shard, 'normal', 1)
  return { ...(claim as Claim), to: size }
}

/** by place in the claim */
export const noEvidence: ReadonlyMap<number, string> = new Map()

/** Records one claim. @returns the bytes as they stand. @throws Fenced */
export async function record(
  scripts: ClaimScripts,
  claim: Claim,
  bytes: Buffer,
  evidence: ReadonlyMap<number, string>,
  done: boolean,
): Promise<Buffer> {
  const lines = Array.from(bytes, (_unused, place) => evidence.get(place) ?? '')
  const [standing] = await scripts.record([{ claim, bytes, evidence: evidence.size > 0 ? lines : [], done }])
  if (!standing) throw new Fenced('the claim is no longer its own')
  return standing
}
