/** Each master of a cluster has replicas of its own: what they have is confirmed, whatever becomes of those of others. */
import { shardNames } from '@courier-fleet/api-types'
import { silentLog } from '@courier-fleet/process'
import { type OwnCluster, type OwnMember, ownCluster, until } from '@courier-fleet/testkit'
import { expect } from 'chai'
import { connectRedis, type Redis, reachRedis } from '../src/connection/index.ts'
import { type Durability, startDurability } from '../src/durability/durability.ts'
import type { Generations } from '../src/durability/generations.ts'
import { NotDurable } from '../src/durability/replica-line.ts'
import { generationsFor, keys, tagOf } from '../src/index.ts'

const shards = 16

describe('durability on a cluster of three masters', () => {
  let cluster: OwnCluster
  let redis: Redis
  let durability: Durability
  let generations: Generations
  /** of each master one shard that is there */
  let places: { master: OwnMember; shard: string }[]

  before(async () => {
    cluster = await ownCluster({ lines: true })
    redis = connectRedis(cluster.url, { name: 'test' })
    await reachRedis(silentLog, redis)
    const at = { url: cluster.url, redis, level: 'replica' } as const
    durability = await startDurability({ ...at, name: 'test' })
    generations = generationsFor(at, shards)
    await generations.look()
    const found = new Map<OwnMember, string>()
    for (const shard of shardNames(shards)) found.set(await cluster.masterOf(keys.due(shard)), shard)
    places = [...found].map(([master, shard]) => ({ master, shard }))
    expect(places).to.have.length(3)
  })
  after(async () => {
    durability?.stop()
    redis?.disconnect()
    await cluster?.stop()
  })

  const failed = (confirm: Promise<void>) =>
    confirm.then(
      () => undefined,
      (error: Error) => error,
    )
  const keyIn = (shard: string) => `written:{${tagOf(shard)}}`
  const write = (shard: string, value: string) => redis.set(keyIn(shard), value)
  const confirm = (shard: string) => durability.confirm(generations.of(shard))
  /** On a busy machine replicas may answer too late: it is asked again. */
  const confirmed = (ask: () => Promise<void>) =>
    until(async () => (await failed(ask())) === undefined, 'it is confirmed')
  /** what the replica of its master has */
  async function copyOf({ master, shard }: (typeof places)[number]): Promise<string | null> {
    const [replica] = await cluster.replicasOf(master)
    const node = (replica as OwnMember).redis()
    await node.readonly()
    return node.get(keyIn(shard))
  }

  it('what was written is confirmed once the replica of that master has it, however late that is', async () => {
    const [first] = places as [(typeof places)[number]]
    first.master.line.delay(300)
    for (const place of places) {
      await write(place.shard, 'late')
      await confirmed(() => confirm(place.shard))
      expect(await copyOf(place), place.shard).to.equal('late')
    }
    await write(first.shard, 'of a change')
    await confirmed(durability.begin())
    expect(await copyOf(first)).to.equal('of a change')
    await first.master.line.restore()
  })

  it('is not confirmed while that one replica is held back; what others have goes on', async () => {
    const [held, ...others] = places as [(typeof places)[number], ...typeof places]
    const confirmChange = durability.begin()
    held.master.line.hold()
    for (const { shard } of places) await write(shard, 'held')
    const why = '0 of 1 replicas have answered within 1000 ms'
    await until(async () => {
      const error = await failed(confirm(held.shard))
      expect(error).to.be.instanceOf(NotDurable)
      return error?.message === why
    }, why)
    for (const place of others) {
      await confirmed(() => confirm(place.shard))
      expect(await copyOf(place), place.shard).to.equal('held')
    }
    expect(durability.troubles()).to.have.length(1)
    // a change may have written anywhere
    expect(await failed(confirmChange())).to.be.instanceOf(NotDurable)
    await held.master.line.restore()
    await confirmed(() => confirm(held.shard))
    expect(await copyOf(held)).to.equal('held')
    await confirmed(durability.begin())
    expect(durability.troubles()).to.deep.equal([])
  })
})
