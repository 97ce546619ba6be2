import { setTimeout as sleep } from 'node:timers/promises'
import { type OwnRedis, ownRedis, ownSentinel, until } from '@courier-fleet/testkit'
import { expect } from 'chai'
import { connectNode, type RedisNode } from '../src/connection/index.ts'
import { type Durability, masterOnly, startDurability } from '../src/durability/durability.ts'
import { NotDurable } from '../src/durability/replica-line.ts'
import { generationsFor, keys, tagOf } from '../src/index.ts'

describe('durability: what a replica has', () => {
  let master: OwnRedis
  let replica: OwnRedis
  let redis: RedisNode
  const started: Durability[] = []
  const ends: (() => Promise<void>)[] = []

  const isInStep = async () => /state=online/.test(await master.redis().info('replication'))
  const start = async (level?: 'replica' | 'all') => {
    const durability = await startDurability({ url: master.url, redis, level, name: 'test' })
    started.push(durability)
    return durability
  }
  const waits = async () => {
    const stats = await redis.info('commandstats')
    return Number(/cmdstat_wait:calls=(\d+)/.exec(stats)?.[1] ?? 0)
  }
  const failed = (confirm: Promise<void>) =>
    confirm.then(
      () => undefined,
      (error: Error) => error,
    )

  /** On a busy machine replicas may answer too late: it is asked again, and until they do it is never a yes. */
  const confirmed = (confirm: () => Promise<void>) =>
    until(async () => {
      const error = await failed(confirm())
      if (error) expect(error).to.be.instanceOf(NotDurable)
      return error === undefined
    }, 'it is confirmed')
  /** Never a yes. @returns once this is why not */
  const refused = (confirm: () => Promise<void>, why: string) =>
    until(async () => {
      const error = await failed(confirm())
      expect(error).to.be.instanceOf(NotDurable)
      return error?.message === why
    }, why)

  beforeEach(async () => {
    master = await ownRedis({ config: { 'repl-diskless-sync-delay': '0' } })
    const { hostname, port } = new URL(master.url)
    replica = await ownRedis({ config: { replicaof: `${hostname} ${port}` } })
    redis = connectNode(master.url, { name: 'test' })
    await redis.connect()
    await until(isInStep, 'the replica is in step')
  })
  afterEach(async () => {
    for (const durability of started.splice(0)) durability.stop()
    redis.disconnect()
    await Promise.all([master.stop(), replica.stop(), ...ends.splice(0).map((end) => end())])
  })

  it('is confirmed once it is there; whoever asks meanwhile shares the next question', async () => {
    const durability = await start('replica')
    await confirmed(async () => {
      const before = await waits()
      const calls = Array.from({ length: 50 }, async (_unused, index) => {
        const confirm = durability.begin()
        await redis.set(`of ${index}`, '1')
        await confirm()
      })
      await Promise.all(calls)
      expect((await waits()) - before).to.be.within(1, 25)
    })
    expect(await replica.redis().dbsize()).to.be.at.least(50)
    expect(durability.troubles()).to.deep.equal([])
  })

  it('is not confirmed while the replica stands still, says why, and is confirmed once it goes on', async () => {
    const durability = await start('replica')
    replica.freeze()
    const write = async () => {
      const confirm = durability.begin()
      await redis.set('a', '1')
      await confirm()
    }
    const why = '0 of 1 replicas have answered within 1000 ms'
    await refused(write, why)
    expect(durability.troubles()).to.deep.equal([why])
    replica.thaw()
    await confirmed(write)
    expect(durability.troubles()).to.deep.equal([])
  })

  it('is not confirmed where the master has become another meanwhile', async () => {
    const durability = await start('replica')
    const other = await ownRedis()
    const { hostname, port } = new URL(other.url)
    await confirmed(() => durability.begin()())
    const confirm = durability.begin()
    await redis.set('a', '1')
    // a fail-over and back, on the same connections: of what came before it nothing is sure any more
    await redis.replicaof(hostname, port)
    await redis.replicaof('NO', 'ONE')
    await until(isInStep, 'the replica is in step')
    await refused(confirm, 'another Redis has taken the place of the master')
    await confirmed(() => durability.begin()())
    await other.stop()
  })

  it('all: one replica that stands still is enough to say no', async () => {
    const { hostname, port } = new URL(master.url)
    const second = await ownRedis({ config: { replicaof: `${hostname} ${port}` } })
    await until(
      async () => ((await redis.info('replication')).match(/state=online/g) ?? []).length === 2,
      'both are in step',
    )
    const [one, all] = [await start('replica'), await start('all')]
    second.freeze()
    await redis.set('a', '1')
    await confirmed(() => one.begin()())
    await refused(() => all.begin()(), '1 of 2 replicas have answered within 1000 ms')
    second.thaw()
    await second.stop()
  })

  it('behind Sentinels a master that a replica has left is not believed for a while, whatever the other replica has', async () => {
    const sentinel = await ownSentinel()
    const onMaster = connectNode(sentinel.url, { name: 'test' })
    ends.push(
      () => sentinel.stop(),
      async () => onMaster.disconnect(),
    )
    await onMaster.connect()
    const durability = await startDurability({ url: sentinel.url, redis: onMaster, level: 'replica', name: 'test' })
    started.push(durability)
    const confirms = () => durability.begin()()
    await confirmed(confirms)
    // what Sentinels do first of all: the master and the other replica hear of it only seconds later
    for (const each of sentinel.sentinels) each.freeze()
    const next = sentinel.nodes[1] as (typeof sentinel.nodes)[number]
    await next.redis().replicaof('NO', 'ONE')
    await onMaster.set('a', '1')
    await refused(confirms, 'a replica has left the master: it may be about to take its place')
    await confirmed(confirms)
  })

  it('a claim is of one generation, which is another after a fail-over', async () => {
    const generations = generationsFor({ url: master.url, redis, level: 'replica' }, 1)
    expect(await generations.look()).to.equal(false)
    const first = generations.of('00')
    expect(first).to.match(/^[0-9a-f]{12}$/)
    const durability = await start('replica')
    await confirmed(() => durability.confirm(first))
    await redis.replicaof('127.0.0.1', '1')
    await redis.replicaof('NO', 'ONE')
    await until(isInStep, 'the replica is in step')
    expect(await failed(durability.confirm(first))).to.be.instanceOf(NotDurable)
    expect(await generations.look()).to.equal(true)
    expect(generations.before('00')).to.deep.equal([first])
    await confirmed(() => durability.confirm(generations.of('00')))
  })

  it('on one Redis nothing is asked', async () => {
    const before = await waits()
    const durability = await startDurability({ url: master.url, redis, level: undefined, name: 'test' })
    expect(durability).to.equal(masterOnly)
    await durability.begin()()
    await sleep(0)
    expect(await waits()).to.equal(before)
    expect(generationsFor({ url: master.url, redis, level: undefined }, 1).of('00')).to.equal('')
    expect(await redis.exists(keys.durable(tagOf('00')))).to.equal(0)
  })
})
