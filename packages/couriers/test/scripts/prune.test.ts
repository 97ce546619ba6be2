import { keys, oneGeneration } from '@courier-fleet/store'
import { expect } from 'chai'
import { type Claim, Fenced } from '../../src/engine/claims/claim.ts'
import { createWorkStreams } from '../../src/engine/claims/work-streams.ts'
import {
  type ClaimFixture,
  claimWork,
  createClaimFixture,
  noEvidence,
  record,
  shard,
  wakeDue,
} from './claim-fixture.ts'

describe('lua: prune', () => {
  let fixture: ClaimFixture
  beforeEach(async () => {
    fixture = await createClaimFixture()
  })
  afterEach(() => fixture.stop())

  const streamOf = (channel = 'vk') => keys.work(shard, channel, 'normal')
  const consumers = async (channel = 'vk') =>
    ((await fixture.redis.xinfo('CONSUMERS', streamOf(channel), channel)) as string[][]).map((info) => info[1]).sort()
  const finish = (process: Awaited<ReturnType<ClaimFixture['process']>>, claim: Claim) =>
    record(process.scripts, claim, Buffer.from('n'), noEvidence, true)

  /** Processes that have read an entry and finished it, as one after the other ends and is started anew. */
  async function livesOf(names: readonly string[], channel = 'vk') {
    const lives = []
    for (const name of names) {
      const life = await fixture.process(channel, name)
      await fixture.put(1, { channels: [channel] })
      await wakeDue(fixture)
      await finish(life, await claimWork(life.streams))
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
    const [a, b] = [await fixture.process('vk', 'a'), await fixture.process('vk', 'b')]
    const ref = await fixture.put(1)
    await wakeDue(fixture)
    const claim = await claimWork(a.streams)
    await b.streams.prune(0)
    await b.streams.leave()
    await a.streams.leave()
    expect(await consumers()).to.deep.equal(['a'])
    expect((await finish(a, claim)).toString()).to.equal('n')
    expect(await fixture.redis.hget(keys.history(ref), 'state')).to.equal('settled')
  })

  it('a frozen process whose consumer was pruned is fenced, and goes on working', async () => {
    const [frozen, other] = [await fixture.process('vk', 'frozen'), await fixture.process('vk', 'other')]
    await fixture.put(1)
    await wakeDue(fixture)
    const claim = await claimWork(frozen.streams)
    const [taken] = await other.streams.takeOver(shard, 0, 1)
    await finish(other, taken as Claim)
    await other.streams.prune(0)
    expect(await consumers()).to.deep.equal([])

    expect(await frozen.scripts.renew([claim])).to.deep.equal([false])
    const error = await finish(frozen, claim).catch((reason: unknown) => reason)
    expect(error).to.be.instanceOf(Fenced)
    await fixture.put(1)
    await wakeDue(fixture)
    expect((await finish(frozen, await claimWork(frozen.streams))).toString()).to.equal('n')
  })

  it('goes through the shards in turn', async () => {
    const streams = createWorkStreams({
      redis: fixture.redis,
      channel: 'vk',
      consumer: 'x',
      generations: oneGeneration,
      shards: 2,
    })
    await streams.ensureGroups()
    for (const nn of ['00', '01'])
      await fixture.redis.xgroup('CREATECONSUMER', keys.work(nn, 'vk', 'bulk'), 'vk', 'dead')
    const left = async () =>
      Promise.all(
        ['00', '01'].map(
          async (nn) => ((await fixture.redis.xinfo('CONSUMERS', keys.work(nn, 'vk', 'bulk'), 'vk')) as []).length,
        ),
      )
    await streams.prune(0)
    expect(await left()).to.deep.equal([0, 1])
    await streams.prune(0)
    expect(await left()).to.deep.equal([0, 0])
  })
})
