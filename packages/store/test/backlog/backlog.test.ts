import { expect } from 'chai'
import { retireChannel } from '../../src/backlog/channels.ts'
import { keys } from '../../src/keys.ts'
import { createFixture, type Fixture, shards } from './fixture.ts'

const minuteMs = 60_000
const soonMs = 2_000
/** what a test may take on a machine that has other things to do */
const slackMs = 20_000

describe('the backlog', () => {
  let fixture: Fixture
  beforeEach(async () => {
    fixture = await createFixture()
  })
  afterEach(() => fixture.stop())

  it('is empty, and nothing is stuck, where nothing has ever happened', async () => {
    expect(await fixture.read()).to.deep.equal({ overdue: { deliveries: 0, oldestMs: 0 }, moving: [], channels: [] })
  })

  it('only reads', async () => {
    await fixture.use('vk')
    await fixture.work('vk', minuteMs)
    await fixture.name('max')
    await fixture.due(-minuteMs)
    const dump = async () => {
      const names = (await fixture.redis.keys('*')).sort()
      return Promise.all(names.map(async (name) => [name, (await fixture.redis.dumpBuffer(name))?.toString('base64')]))
    }
    const before = await dump()
    await fixture.read()
    expect(await dump()).to.deep.equal(before)
  })

  describe('what is due', () => {
    it('is stuck when it is long overdue and nobody wakes it', async () => {
      await fixture.due(-minuteMs)
      await fixture.due(-soonMs)
      await fixture.due(minuteMs, '04')
      const { overdue } = await fixture.read()
      expect(overdue.deliveries).to.equal(2)
      expect(overdue.oldestMs).to.be.within(minuteMs, minuteMs + slackMs)
      expect(overdue.stuck).to.match(/^due: 2 overdue, the first by [67]\d s; no courier is running$/)
    })

    it('is told of before it is stuck, and not when its time has not come', async () => {
      await fixture.due(minuteMs)
      expect((await fixture.read()).overdue).to.deep.equal({ deliveries: 0, oldestMs: 0 })
      await fixture.due(-soonMs)
      const { overdue } = await fixture.read()
      expect([overdue.deliveries, overdue.stuck]).to.deep.equal([1, undefined])
    })

    it('is stuck although couriers run that neither wake nor claim, and not while one is at work', async () => {
      await fixture.use('vk')
      await fixture.courier('vk')
      await fixture.due(-minuteMs)
      expect((await fixture.read()).overdue.stuck).to.match(/couriers running: 1, waking none of them$/)
      await fixture.work('vk', soonMs)
      await fixture.claim('vk', 100)
      expect((await fixture.read()).overdue).to.not.have.property('stuck')
    })
  })

  describe('a channel', () => {
    it('whose courier is dead is stuck with work unread, and named with what waits how long', async () => {
      await fixture.use('sms')
      await fixture.work('sms', minuteMs)
      await fixture.work('sms', soonMs)
      const sms = await fixture.channel('sms')
      expect(sms).to.include({ unclaimed: 2, inProgress: 0, abandoned: 0 })
      expect(sms.oldestUnclaimedMs).to.be.within(minuteMs, minuteMs + slackMs)
      expect(sms.stuck).to.match(/^sms: 2 unclaimed, the first for [67]\d s; no courier of it is running$/)
    })

    it('is not stuck within its patience, yet tells what waits and that nobody is there', async () => {
      await fixture.use('sms')
      await fixture.work('sms', soonMs)
      const sms = await fixture.channel('sms')
      expect(sms).to.include({ unclaimed: 1 }).and.not.have.property('stuck')
      expect(sms.couriers).to.deep.equal([])
      expect(sms.oldestUnclaimedMs).to.be.within(soonMs, soonMs + slackMs)
    })

    it('whose couriers are not ready, or ready and idle, is stuck all the same', async () => {
      await fixture.use('sms')
      await fixture.use('vk')
      await fixture.courier('sms', { ready: false })
      await fixture.courier('vk')
      await fixture.work('sms', minuteMs)
      await fixture.work('vk', minuteMs)
      expect((await fixture.channel('sms')).stuck).to.match(/no courier of it is ready$/)
      expect((await fixture.channel('vk')).stuck).to.match(/couriers of it running: 1, claiming nothing$/)
    })

    it('is stuck with a claim that its dead courier left behind, until another has taken it over', async () => {
      await fixture.use('vk')
      await fixture.work('vk', minuteMs)
      await fixture.claim('vk', 45_000)
      const vk = await fixture.channel('vk')
      expect(vk).to.include({ unclaimed: 0, inProgress: 0, abandoned: 1 })
      expect(vk.stuck).to.match(/^vk: 1 abandoned, the first [4-6]\d s ago; no courier of it is running$/)
      await fixture.claim('vk', 0)
      expect(await fixture.channel('vk'))
        .to.include({ inProgress: 1, abandoned: 0 })
        .and.not.have.property('stuck')
    })

    it('has a claim abandoned by the lease its couriers announce', async () => {
      await fixture.use('vk')
      await fixture.work('vk', minuteMs)
      await fixture.claim('vk', 45_000)
      await fixture.courier('vk', { leaseMs: 40_000 })
      expect(await fixture.channel('vk'))
        .to.include({ abandoned: 1 })
        .and.not.have.property('stuck')
      await fixture.courier('vk', { leaseMs: 120_000 })
      expect(await fixture.channel('vk')).to.include({ abandoned: 0, inProgress: 1 })
    })

    it('is given no less patience for a short lease', async () => {
      await fixture.use('vk')
      await fixture.courier('vk', { leaseMs: 500 })
      await fixture.work('vk', 5_000)
      await fixture.claim('vk', 5_000)
      expect(await fixture.channel('vk'))
        .to.include({ abandoned: 1 })
        .and.not.have.property('stuck')
    })

    it('whose claims are kept alive is not stuck, however long its queue', async () => {
      await fixture.use('vk')
      await fixture.work('vk', 10 * minuteMs)
      await fixture.claim('vk', 4_000)
      for (let i = 0; i < 200; i += 1) await fixture.work('vk', 5 * minuteMs)
      const vk = await fixture.channel('vk')
      expect(vk).to.include({ unclaimed: 200, inProgress: 1 }).and.not.have.property('stuck')
      expect(vk.oldestUnclaimedMs).to.be.at.least(5 * minuteMs)
    })

    it('is not stuck in the moment between two claims', async () => {
      await fixture.use('vk')
      await fixture.courier('vk')
      const first = await fixture.work('vk', 10 * minuteMs)
      await fixture.claim('vk', 0)
      await fixture.redis.xack(keys.work('07', 'vk', 'normal'), 'vk', first)
      await fixture.redis.xdel(keys.work('07', 'vk', 'normal'), first)
      await fixture.work('vk', 5 * minuteMs)
      expect(await fixture.channel('vk'))
        .to.include({ unclaimed: 1, inProgress: 0 })
        .and.not.have.property('stuck')
    })

    it('whose provider has told it to slow down is paused and not stuck', async () => {
      await fixture.use('vk')
      await fixture.courier('vk', { account: 'club1' })
      await fixture.redis.set(keys.pause('vk', 'club1'), '', 'PX', 10 * minuteMs)
      await fixture.due(10 * minuteMs)
      const vk = await fixture.channel('vk')
      expect(vk.pausedForMs).to.be.within(9 * minuteMs, 10 * minuteMs)
      expect(vk).to.include({ unclaimed: 0 }).and.not.have.property('stuck')
      expect((await fixture.read()).overdue).to.not.have.property('stuck')
    })

    it('is not blamed for what is meant for others', async () => {
      await fixture.use('vk')
      await fixture.use('sms')
      for (let i = 0; i < 5; i += 1) await fixture.work('vk', minuteMs)
      expect(await fixture.channel('sms'))
        .to.include({ unclaimed: 0, oldestUnclaimedMs: 0 })
        .and.not.have.property('stuck')
      expect((await fixture.channel('vk')).unclaimed).to.equal(5)
      await fixture.work('sms', soonMs)
      expect((await fixture.channel('sms')).unclaimed).to.equal(1)
    })

    it('that a sender named and that never had a courier is known, and never stuck: nobody is expected to come', async () => {
      await fixture.use('vk')
      await fixture.name('max')
      await fixture.work('max', minuteMs)
      const max = await fixture.channel('max')
      expect(max).to.include({ unclaimed: 1, use: 'named' })
      expect(max).not.to.have.property('stuck')
    })

    it('that was retired is not in use, nor stuck, and what waits for it is still told', async () => {
      await fixture.use('vk')
      await fixture.work('vk', minuteMs)
      expect(await fixture.channel('vk')).to.include({ use: 'in-use', unclaimed: 1 })
      await retireChannel(fixture.redis, shards, 'vk')
      expect(await fixture.channel('vk'))
        .to.include({ use: 'retired', unclaimed: 1 })
        .and.not.have.property('stuck')
    })

    it('adds up over all shards', async () => {
      await fixture.use('vk')
      for (const shard of ['00', '08', '15']) await fixture.work('vk', soonMs, shard)
      await fixture.claim('vk', 0, '08')
      expect(await fixture.channel('vk')).to.include({ unclaimed: 2, inProgress: 1 })
    })
  })
})
