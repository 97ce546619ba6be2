import { keys } from '@courier-fleet/store'
import { expect } from 'chai'
import { type Claim, Fenced } from '../../src/claim-scripts.ts'
import { createStreams } from '../../src/streams.ts'
import { claimOrder, type Ground, noEvidence, record, setGround, shard, wakeDue } from './claims.ts'

const orders = keys.orders(shard, 'normal')

describe('lua: prune', () => {
  let ground: Ground
  beforeEach(async () => {
    ground = await setGround()
  })
  afterEach(() => ground.stop())

  const consumers = async (channel = 'vk') =>
    ((await ground.redis.xinfo('CONSUMERS', orders, channel)) as string[][]).map((info) => info[1]).sort()
  const finish = (process: Awaited<ReturnType<Ground['process']>>, claim: Claim) =>
    record(process.scripts, claim, Buffer.from('n'), noEvidence, true)

  /** Processes that have read an order and finished it, as one after the other ends and is started anew. */
  async function livesOf(names: readonly string[], channel = 'vk') {
    const lives = []
    for (const name of names) {
      const life = await ground.process(channel, name)
      await ground.put(1, { channels: [channel] })
      await wakeDue(ground, life.scripts)
      await finish(life, await claimOrder(life.streams, 1))
      lives.push(life)
    }
    return lives
  }

  it('removes who has nothing pending and was idle for long, of this channel only', async () => {
    const [last] = (await livesOf(['a', 'b', 'c'])).slice(-1)
    await livesOf(['pigeon-a'], 'pigeon')
    await last?.streams.prune(60_000)
    expect(await consumers()).to.deep.equal(['a', 'b', 'c'])
    await last?.streams.prune(0)
    expect(await consumers()).to.deep.equal([])
    expect(await consumers('pigeon')).to.deep.equal(['pigeon-a'])
    await last?.streams.prune(0)
  })

  it('never touches whoever has something pending, nor what is pending', async () => {
    const [a, b] = [await ground.process('vk', 'a'), await ground.process('vk', 'b')]
    const ref = await ground.put(1)
    await wakeDue(ground, a.scripts)
    const claim = await claimOrder(a.streams, 1)
    await b.streams.prune(0)
    await b.streams.leave()
    await a.streams.leave()
    expect(await consumers()).to.deep.equal(['a'])
    expect((await finish(a, claim)).toString()).to.equal('n')
    expect(await ground.redis.hget(keys.history(ref), 'state')).to.equal('settled')
  })

  it('a frozen process whose consumer was pruned is fenced, and goes on working', async () => {
    const [frozen, other] = [await ground.process('vk', 'frozen'), await ground.process('vk', 'other')]
    await ground.put(1)
    await wakeDue(ground, frozen.scripts)
    const claim = await claimOrder(frozen.streams, 1)
    const [taken] = await other.streams.takeOver(shard, 0, 1)
    await finish(other, { ...(taken as Claim), to: 1 })
    await other.streams.prune(0)
    expect(await consumers()).to.deep.equal([])

    expect(await frozen.scripts.renew(orders, [claim])).to.deep.equal([false])
    const error = await finish(frozen, claim).catch((reason: unknown) => reason)
    expect(error).to.be.instanceOf(Fenced)
    await ground.put(1)
    await wakeDue(ground, frozen.scripts)
    expect((await finish(frozen, await claimOrder(frozen.streams, 1))).toString()).to.equal('n')
  })

  it('goes through the shards in turn', async () => {
    const streams = createStreams({ redis: ground.redis, channel: 'vk', consumer: 'x', shards: 2 })
    await streams.ensureGroups()
    for (const nn of ['00', '01']) await ground.redis.xgroup('CREATECONSUMER', keys.orders(nn, 'bulk'), 'vk', 'dead')
    const left = async () =>
      Promise.all(
        ['00', '01'].map(
          async (nn) => ((await ground.redis.xinfo('CONSUMERS', keys.orders(nn, 'bulk'), 'vk')) as []).length,
        ),
      )
    await streams.prune(0)
    expect(await left()).to.deep.equal([0, 1])
    await streams.prune(0)
    expect(await left()).to.deep.equal([0, 0])
  })
})
