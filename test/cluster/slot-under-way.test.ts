/**
 * A slot that goes from node to node key by key, as `redis-cli --cluster reshard` moves it: meanwhile some of its keys are here and some there.
 * Whatever is asked of it is done whole or not at all: after each key that has moved, every call is refused and nothing in Redis is another.
 */
import type { HistoryRef } from '@courier-fleet/api-types'
import { silentLog } from '@courier-fleet/process'
import {
  connectRedis,
  createHistories,
  keys,
  oneGeneration,
  type PutInput,
  type Redis,
  type RedisNode,
  reachRedis,
  type Snapshot,
  tagOf,
} from '@courier-fleet/store'
import { type OwnCluster, ownCluster, until } from '@courier-fleet/testkit'
import { expect } from 'chai'
import { Cluster } from 'ioredis'
import { bindClaimScripts, type ClaimScripts } from '../../packages/couriers/src/engine/claims/claim-scripts.ts'
import { wakeShard } from '../../packages/couriers/src/engine/claims/waker.ts'
import { createWorkStreams } from '../../packages/couriers/src/engine/claims/work-streams.ts'
import { createDeliveryReports } from '../../packages/couriers/src/engine/delivery-reports.ts'

const shard = '00'
const tag = tagOf(shard)
const far = Date.now() + 86_400_000
const refOf = (id: string): HistoryRef => ({ shard, sender: 'dean', id })
const [first, second, third, due, later, fresh] = [
  'first000',
  'second00',
  'third000',
  'due00000',
  'later000',
  'fresh000',
].map(refOf) as [HistoryRef, HistoryRef, HistoryRef, HistoryRef, HistoryRef, HistoryRef]

const messageOf = (ref: HistoryRef, dueMs: number): PutInput => ({
  ref,
  issued: false,
  digest: ref.id,
  source: 'api',
  text: 't',
  to: ['group:g'],
  class: 'normal',
  audience: ['anna', 'boris', 'clara'],
  dueMs,
  expiresMs: 0,
})

describe('a slot that moves key by key', () => {
  let cluster: OwnCluster
  let redis: Redis
  let nodes: RedisNode[]

  beforeEach(async () => {
    cluster = await ownCluster({ masters: 2, replicas: 0, config: { 'enable-debug-command': 'yes' } })
    nodes = cluster.nodes.map((node) => node.redis())
    const at = cluster.nodes.map(({ url }) => ({ host: '127.0.0.1', port: Number(new URL(url).port) }))
    // gives up soon: here nothing is whole again before everything was tried
    const impatient = { maxRedirections: 2, retryDelayOnTryAgain: 1, redisOptions: { replyMapping: 'legacy' as const } }
    redis = new Cluster(at, impatient) as unknown as Redis
    // a node that holds nothing counts otherwise than one that holds something
    await Promise.all(Array.from({ length: 64 }, (_unused, index) => redis.set(`filler:${index}`, '')))
  })
  afterEach(async () => {
    redis.disconnect()
    await cluster.stop()
  })

  const histories = () => createHistories({ redis, shards: 1 })
  const put = (ref: HistoryRef, dueMs: number) => histories().put(messageOf(ref, dueMs))

  /** All that the nodes hold together, keys, values and whether they expire: a key that moves changes nothing of it. */
  async function digest(): Promise<string> {
    const each = (await Promise.all(nodes.map((node) => node.call('DEBUG', 'DIGEST')))) as string[]
    return each
      .map((text) => BigInt(`0x${text}`))
      .reduce((all, one) => all ^ one)
      .toString(16)
  }

  const refusalOf = (call: Promise<unknown>) =>
    call.then(
      (answer) => `was done: ${JSON.stringify(answer)}`,
      (error: unknown) => String((error as Error).message),
    )

  /** Three messages of which a process has a claim each, one that is due, one that is far ahead. */
  async function someWork(): Promise<{ scripts: ClaimScripts; calls: Record<string, () => Promise<unknown>> }> {
    const streams = createWorkStreams({ redis, channel: 'vk', consumer: 'vk-a', generations: oneGeneration, shards: 1 })
    const scripts = bindClaimScripts(redis, 'vk')
    await streams.ensureGroups()
    await redis.zadd(keys.watched(tag), 0, 'history:* subscription')
    for (const ref of [first, second, third]) await put(ref, 0)
    await until(async () => {
      await wakeShard(redis, shard, 10)
      return (await redis.zcard(keys.due(shard))) === 0
    }, 'all are awake')
    const claims = await streams.read(shard, 'normal', 3)
    const [one, two, three] = claims as [(typeof claims)[number], (typeof claims)[number], (typeof claims)[number]]
    const entry = (text: string, claim: typeof one, done: boolean) => ({
      claim,
      from: 0,
      bytes: Buffer.from(text),
      version: 1,
      evidence: [],
      done,
    })
    await scripts.record([one, two].map((claim) => entry('aaa', claim, false)))
    await put(due, 0)
    await put(later, far)
    // its trigger has fired: nothing changes by itself any more
    await until(async () => (await redis.exists(keys.delivery(due, 0))) === 0, 'it is due')
    const waiting = { cause: 'throttled', delayMs: 86_400_000, from: 0, to: 3, tries: 1, people: 3 } as const
    return {
      scripts,
      calls: {
        record: () => scripts.record([one, two].map((claim) => entry('sss', claim, true))),
        defer: () => scripts.defer(three, [waiting]),
        wake: () => wakeShard(redis, shard, 10),
        put: () => put(fresh, far),
        reschedule: () => histories().reschedule(later, far + 1000),
        report: () =>
          createDeliveryReports({ redis, channel: 'vk' }).reportAccepted(third, 'vk', [{ ordinal: 0, evidence: '#1' }]),
      },
    }
  }

  it('refuses every call whole while it is under way, and does each once it has arrived', async () => {
    const { calls } = await someWork()
    const before = await digest()
    for await (const name of cluster.moveSlot(keys.due(shard)))
      for (const [what, call] of Object.entries(calls)) {
        expect(await refusalOf(call()), `${what}, after ${name} has moved`).to.match(
          /^TRYAGAIN|Too many Cluster redirections/,
        )
        expect(await digest(), `${what}, after ${name} has moved`).to.equal(before)
      }
    for (const call of Object.values(calls)) await call()
    for (const ref of [first, second]) {
      const history = await redis.hgetall(keys.history(ref))
      expect(history).to.include({ state: 'settled', 'vk:open': '0', 'vk:s': '3' })
    }
    expect(await redis.hget(keys.history(due), 'state')).to.equal('running')
    expect(await redis.hget(keys.history(fresh), 'state')).to.equal('scheduled')
    expect(await redis.zrange(keys.due(shard), '0', '-1')).to.have.length(3)
  })

  it('has a replay read all the while, of people whose receipts are there and of those who have none', async () => {
    const { calls } = await someWork()
    await calls.record?.()
    const standings = { size: 3, channels: ['telegram', 'vk'], startedMs: 1 }
    const replay = async () =>
      (await histories().readStandings({ ref: first } as Snapshot, standings, 0)).toString('hex')
    const before = await replay()
    expect(before).to.match(/^000000/) // pending, of the channel that nothing was written of
    for await (const name of cluster.moveSlot(keys.due(shard)))
      expect(await replay(), `after ${name} has moved`).to.equal(before)
  })

  it('has whoever is patient wait until it has arrived', async () => {
    const { calls } = await someWork()
    const patient = connectRedis(cluster.url, { name: 'patient' })
    await reachRedis(silentLog, patient)
    const waiting: Promise<unknown>[] = []
    let done = 0
    for await (const name of cluster.moveSlot(keys.due(shard))) {
      if (waiting.length === 0) {
        const put = createHistories({ redis: patient, shards: 1 }).put(messageOf(fresh, far))
        waiting.push(put.then(() => (done += 1)))
      }
      expect(done, `after ${name} has moved`).to.equal(0)
    }
    await Promise.all(waiting)
    expect(await redis.hget(keys.history(fresh), 'state')).to.equal('scheduled')
    await calls.record?.()
    patient.disconnect()
  })
})
