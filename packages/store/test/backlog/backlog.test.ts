import { expect } from 'chai'
import { keys } from '../../src/keys.ts'
import { type Stage, setStage } from './stage.ts'

const minuteMs = 60_000
const soonMs = 2_000

describe('the backlog', () => {
  let stage: Stage
  beforeEach(async () => {
    stage = await setStage()
  })
  afterEach(() => stage.stop())

  it('is empty, and nothing is stuck, where nothing has ever happened', async () => {
    expect(await stage.read()).to.deep.equal({ overdue: { deliveries: 0, oldestMs: 0 }, channels: [] })
  })

  it('only reads', async () => {
    await stage.ear('vk')
    await stage.order('vk,max', minuteMs)
    await stage.due(-minuteMs)
    const dump = async () => {
      const names = (await stage.redis.keys('*')).sort()
      return Promise.all(names.map(async (name) => [name, (await stage.redis.dumpBuffer(name))?.toString('base64')]))
    }
    const before = await dump()
    await stage.read()
    expect(await dump()).to.deep.equal(before)
  })

  describe('what is due', () => {
    it('is stuck when it is long overdue and nobody wakes it', async () => {
      await stage.due(-minuteMs)
      await stage.due(-soonMs)
      await stage.due(minuteMs, '04')
      const { overdue } = await stage.read()
      expect(overdue.deliveries).to.equal(2)
      expect(overdue.oldestMs).to.be.within(minuteMs, minuteMs + 5_000)
      expect(overdue.stuck).to.match(/^due: 2 overdue, the first by 6\d s; no courier is running$/)
    })

    it('is told of before it is stuck, and not when its time has not come', async () => {
      await stage.due(minuteMs)
      expect((await stage.read()).overdue).to.deep.equal({ deliveries: 0, oldestMs: 0 })
      await stage.due(-soonMs)
      const { overdue } = await stage.read()
      expect([overdue.deliveries, overdue.stuck]).to.deep.equal([1, undefined])
    })

    it('is stuck although couriers run that neither wake nor claim, and not while one is at work', async () => {
      await stage.ear('vk')
      await stage.courier('vk')
      await stage.due(-minuteMs)
      expect((await stage.read()).overdue.stuck).to.match(/couriers running: 1, waking none of them$/)
      await stage.order('vk', soonMs)
      await stage.claim('vk', 100)
      expect((await stage.read()).overdue).to.not.have.property('stuck')
    })
  })

  describe('a channel', () => {
    it('whose courier is dead is stuck with an order unread, and named with what waits how long', async () => {
      await stage.ear('sms')
      await stage.order('sms', minuteMs)
      await stage.order('sms', soonMs)
      const sms = await stage.channel('sms')
      expect(sms).to.include({ waiting: 2, inProgress: 0, abandoned: 0 })
      expect(sms.oldestWaitingMs).to.be.within(minuteMs, minuteMs + 5_000)
      expect(sms.stuck).to.match(/^sms: 2 waiting, the first for 6\d s; no courier of it is running$/)
    })

    it('is not stuck within its patience, yet tells what waits and that nobody is there', async () => {
      await stage.ear('sms')
      await stage.order('sms', soonMs)
      const sms = await stage.channel('sms')
      expect(sms).to.include({ waiting: 1 }).and.not.have.property('stuck')
      expect(sms.couriers).to.deep.equal([])
      expect(sms.oldestWaitingMs).to.be.within(soonMs, soonMs + 5_000)
    })

    it('whose couriers are not ready, or ready and idle, is stuck all the same', async () => {
      await stage.ear('sms')
      await stage.ear('vk')
      await stage.courier('sms', { ready: false })
      await stage.courier('vk')
      await stage.order('sms,vk', minuteMs)
      expect((await stage.channel('sms')).stuck).to.match(/no courier of it is ready$/)
      expect((await stage.channel('vk')).stuck).to.match(/couriers of it running: 1, claiming nothing$/)
    })

    it('is stuck with a claim that its dead courier left behind, until another has taken it over', async () => {
      await stage.ear('vk')
      await stage.batch('vk', minuteMs)
      await stage.claim('vk', 45_000)
      const vk = await stage.channel('vk')
      expect(vk).to.include({ waiting: 0, inProgress: 0, abandoned: 1 })
      expect(vk.stuck).to.match(/^vk: 1 abandoned, the first 4\d s ago; no courier of it is running$/)
      await stage.claim('vk', 0)
      expect(await stage.channel('vk'))
        .to.include({ inProgress: 1, abandoned: 0 })
        .and.not.have.property('stuck')
    })

    it('has a claim abandoned by the lease its couriers announce', async () => {
      await stage.ear('vk')
      await stage.batch('vk', minuteMs)
      await stage.claim('vk', 45_000)
      await stage.courier('vk', { leaseMs: 40_000 })
      expect(await stage.channel('vk'))
        .to.include({ abandoned: 1 })
        .and.not.have.property('stuck')
      await stage.courier('vk', { leaseMs: 60_000 })
      expect(await stage.channel('vk')).to.include({ abandoned: 0, inProgress: 1 })
    })

    it('is given no less patience for a short lease', async () => {
      await stage.ear('vk')
      await stage.courier('vk', { leaseMs: 500 })
      await stage.batch('vk', 20_000)
      await stage.claim('vk', 20_000)
      expect(await stage.channel('vk'))
        .to.include({ abandoned: 1 })
        .and.not.have.property('stuck')
    })

    it('whose claims are kept alive is not stuck, however long its queue', async () => {
      await stage.ear('vk')
      await stage.batch('vk', 10 * minuteMs)
      await stage.claim('vk', 4_000)
      for (let i = 0; i < 200; i += 1) await stage.batch('vk', 5 * minuteMs)
      const vk = await stage.channel('vk')
      expect(vk).to.include({ waiting: 200, inProgress: 1 }).and.not.have.property('stuck')
      expect(vk.oldestWaitingMs).to.be.at.least(5 * minuteMs)
    })

    it('is not stuck in the moment between two claims', async () => {
      await stage.ear('vk')
      await stage.courier('vk')
      const first = await stage.batch('vk', 10 * minuteMs)
      await stage.claim('vk', 0)
      await stage.redis.xack(keys.batches('07', 'vk', 'bulk'), 'vk', first)
      await stage.batch('vk', 5 * minuteMs)
      expect(await stage.channel('vk'))
        .to.include({ waiting: 1, inProgress: 0 })
        .and.not.have.property('stuck')
    })

    it('whose provider has told it to slow down is paused and not stuck', async () => {
      await stage.ear('vk')
      await stage.courier('vk', { account: 'club1' })
      await stage.redis.set(keys.pause('vk', 'club1'), '', 'PX', 10 * minuteMs)
      await stage.due(10 * minuteMs)
      const vk = await stage.channel('vk')
      expect(vk.pausedForMs).to.be.within(9 * minuteMs, 10 * minuteMs)
      expect(vk).to.include({ waiting: 0 }).and.not.have.property('stuck')
      expect((await stage.read()).overdue).to.not.have.property('stuck')
    })

    it('is not blamed for what is meant for others', async () => {
      await stage.ear('vk')
      await stage.ear('sms')
      for (let i = 0; i < 5; i += 1) await stage.order('vk', minuteMs)
      expect(await stage.channel('sms'))
        .to.include({ waiting: 0, oldestWaitingMs: 0 })
        .and.not.have.property('stuck')
      expect((await stage.channel('vk')).waiting).to.equal(5)
      await stage.order('sms', soonMs)
      expect((await stage.channel('sms')).waiting).to.equal(1)
    })

    it('is found behind any number of orders that others are at work on', async () => {
      await stage.ear('vk')
      await stage.ear('sms')
      for (let i = 0; i < 60; i += 1) await stage.order('vk', 5 * minuteMs)
      await stage.claim('sms', 0) // sms has read them, as not its own, and died after that
      const read = (await stage.redis.xrange(keys.orders('07', 'normal'), '-', '+')).map(([id]) => id)
      await stage.redis.xack(keys.orders('07', 'normal'), 'sms', ...read)
      await stage.order('sms', minuteMs)
      expect((await stage.channel('sms')).stuck).to.match(/^sms: 1 waiting/)
    })

    it('is counted although orders were removed that it never read', async () => {
      await stage.ear('sms')
      const removed = await stage.order('vk', 3 * minuteMs)
      await stage.order('sms', 2 * minuteMs)
      const alsoRemoved = await stage.order('vk', minuteMs)
      await stage.order('sms', soonMs)
      await stage.redis.xdel(keys.orders('07', 'normal'), removed, alsoRemoved)
      const sms = await stage.channel('sms')
      expect(sms.waiting).to.equal(2)
      expect(sms.oldestWaitingMs).to.be.within(2 * minuteMs, 2 * minuteMs + 5_000)
    })

    it('that a sender named and that never had a courier is known, and stuck', async () => {
      await stage.ear('vk')
      await stage.order('vk,max', minuteMs)
      await stage.claim('vk', 0)
      const max = await stage.channel('max')
      expect(max).to.include({ waiting: 1, known: false })
      expect(max.stuck).to.match(/^max: 1 waiting, the first for 6\d s; no courier of it was ever started$/)
    })

    it('adds up over all shards', async () => {
      await stage.ear('vk')
      for (const shard of ['00', '08', '15']) await stage.order('vk', soonMs, shard)
      await stage.claim('vk', 0, '08')
      expect(await stage.channel('vk')).to.include({ waiting: 2, inProgress: 1 })
    })
  })
})
