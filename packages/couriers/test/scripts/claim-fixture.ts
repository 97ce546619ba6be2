/** A message up to the point where a process has claimed it, without any process: each step is called by the test. */

import type { HistoryRef } from '@courier-fleet/api-types'
import {
  connectNode,
  createHistories,
  type Histories,
  keys,
  oneGeneration,
  type PutInput,
  readEvidence,
} from '@courier-fleet/store'
import { freshRedis } from '@courier-fleet/testkit'
import type { Redis } from 'ioredis'
import { type Claim, Fenced } from '../../src/engine/claims/claim.ts'
import { bindClaimScripts, type ClaimScripts } from '../../src/engine/claims/claim-scripts.ts'
import { wakeShard } from '../../src/engine/claims/waker.ts'
import { createWorkStreams, type WorkStreams } from '../../src/engine/claims/work-streams.ts'
import { createDeliveryReports } from '../../src/engine/delivery-reports.ts'

export const shard = '00'

export interface ClaimFixture {
  readonly redis: Redis
  readonly url: string
  readonly histories: Histories
  ref(id?: string): HistoryRef
  /** Puts a message to `size` people under the id, due now unless told otherwise. */
  put(size: number, more?: Partial<PutInput>): Promise<HistoryRef>
  /** A process of a channel; its groups exist afterwards. */
  process(channel?: string, consumer?: string): Promise<{ scripts: ClaimScripts; streams: WorkStreams }>
  stop(): Promise<void>
}

export async function createClaimFixture(): Promise<ClaimFixture> {
  const fresh = await freshRedis()
  const redis = connectNode(fresh.url, { name: 'fixture' })
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
      const streams = createWorkStreams({ redis, channel, consumer, generations: oneGeneration, shards: 1 })
      await streams.ensureGroups()
      return { scripts: actingAs(consumer, bindClaimScripts(redis, channel)), streams }
    },
    async stop() {
      redis.disconnect()
      await fresh.stop()
    },
  }
}

/** Whoever's claim it is, this process says that it is its own. */
function actingAs(consumer: string, scripts: ClaimScripts): ClaimScripts {
  const own = (claim: Claim): Claim => ({ ...claim, consumer })
  return {
    renew: (claims) => scripts.renew(claims.map(own)),
    split: (claim, people) => scripts.split(own(claim), people),
    record: (entries) => scripts.record(entries.map((entry) => ({ ...entry, claim: own(entry.claim) }))),
    defer: (claim, pieces) => scripts.defer(own(claim), pieces),
  }
}

/** Wakes what is due, waiting out the millisecond that "now" is put off by. */
export async function wakeDue(fixture: ClaimFixture): Promise<number> {
  const [, at] = await fixture.redis.zrange(keys.due(shard), '0', '0', 'WITHSCORES')
  if (at === undefined || Number(at) > Date.now() + 1000) throw new Error('nothing is due')
  for (;;) {
    const woken = await wakeShard(fixture.redis, shard, 100)
    if (woken > 0) return woken
  }
}

/** The one entry there is, claimed. */
export async function claimWork(streams: WorkStreams): Promise<Claim> {
  const [claim] = await streams.read(shard, 'normal', 1)
  return claim as Claim
}

/** The state bytes of so many; what stands behind them says when. */
export const statesOf = (fixture: ClaimFixture, ref: HistoryRef, size: number, leg = 'vk'): Promise<string> =>
  fixture.redis.getrange(keys.receipts(ref, leg), 0, size - 1)

/** What is kept of the first so many, by ordinal. */
export async function evidenceOf(
  fixture: ClaimFixture,
  ref: HistoryRef,
  size: number,
  leg = 'vk',
): Promise<Record<string, string>> {
  const ordinals = Array.from({ length: size }, (_unused, ordinal) => ordinal)
  const found = await readEvidence(fixture.redis, ref, leg, ordinals)
  return Object.fromEntries(
    found.flatMap((text, ordinal) => (text === undefined ? [] : [[String(ordinal), text] as const])),
  )
}

/** by offset in the claim */
export const noEvidence: ReadonlyMap<number, string> = new Map()

/** Records one claim. @returns the bytes as they stand. @throws Fenced */
export async function record(
  scripts: ClaimScripts,
  claim: Claim,
  bytes: Buffer,
  evidence: ReadonlyMap<number, string>,
  done: boolean,
  reasons?: Buffer,
): Promise<Buffer> {
  const lines = Array.from(bytes, (_unused, place) => evidence.get(place) ?? '')
  const update = { from: claim.from, bytes, evidence: evidence.size > 0 ? lines : [], ...(reasons ? { reasons } : {}) }
  const [standing] = await scripts.record([{ claim, version: 1, done, ...update }])
  if (!standing) throw new Fenced('the claim is no longer its own')
  return standing
}

/** Those from … to-1 wait for so long. */
export const waiting = (from: number, to: number, delayMs: number, tries = 1) =>
  ({ cause: 'throttled', delayMs, from, to, tries, people: to - from }) as const

let reported = 0

/** What a provider says later of one recipient, by an id of its own. */
export async function report(
  fixture: ClaimFixture,
  ref: HistoryRef,
  ordinal: number,
  said: { state: 'delivered' | 'read' | 'failed'; reason?: string },
): Promise<void> {
  const reports = createDeliveryReports({ redis: fixture.redis, channel: 'vk' })
  reported += 1
  const providerId = `reported-${reported}`
  await reports.index([{ providerId, ref, leg: 'vk', ordinal }])
  await reports.receive({ providerIds: [providerId], ...said })
}
