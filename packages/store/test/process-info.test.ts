import { fleetVersion } from '@courier-fleet/process'
import { type FreshRedis, freshRedis } from '@courier-fleet/testkit'
import { expect } from 'chai'
import { keys } from '../src/keys.ts'
import { announceProcess, readProcesses } from '../src/process-info.ts'

describe('process info', () => {
  let fresh: FreshRedis
  beforeEach(async () => {
    fresh = await freshRedis()
  })
  afterEach(() => fresh.stop())

  it('says what a process is and does, for a while, and nothing after it has stopped', async () => {
    const begun = performance.now()
    let inFlight = 0
    let notReady: { since: number; why: string } | undefined = { since: 5, why: 'the line is cut' }
    const identity = { name: 'courier-vk-1', role: 'courier', channel: 'vk', target: 'sandbox' }
    const announced = announceProcess(fresh.redis, identity, () => ({
      ready: inFlight > 0,
      ...(notReady ? { notReady } : {}),
      inFlight,
    }))
    try {
      await announced.refresh()
      const [first] = await readProcesses(fresh.redis)
      expect(first).to.deep.include({
        ...identity,
        version: fleetVersion(),
        pid: process.pid,
        ready: false,
        notReady,
        inFlight: 0,
      })
      expect(await fresh.redis.pttl(keys.process(identity.name))).to.be.within(
        10_000 - (performance.now() - begun),
        15_000,
      )
      const early = announced.refresh()
      inFlight = 3
      notReady = undefined
      await Promise.all([early, announced.refresh()])
      const [second] = await readProcesses(fresh.redis)
      expect(second).not.to.have.property('notReady')
      expect(second).to.include({ ready: true, inFlight: 3, startedAt: first?.startedAt })
    } finally {
      await announced.stop()
    }
    expect(await fresh.redis.dbsize()).to.equal(0)
  })

  it('says nothing any more after it has stopped, whatever was still to be written', async () => {
    const announced = announceProcess(fresh.redis, { name: 'a', role: 'queue' }, () => ({ ready: true }))
    const writing = [announced.refresh(), announced.refresh()]
    await announced.stop()
    await Promise.all([...writing, announced.refresh()])
    expect(await fresh.redis.dbsize()).to.equal(0)
  })

  it('drops the names of processes that are gone, and shows the others in order', async () => {
    const announced = ['b', 'a'].map((name) =>
      announceProcess(fresh.redis, { name, role: 'queue' }, () => ({ ready: true })),
    )
    await Promise.all(announced.map((each) => each.refresh()))
    // of one that was killed the name is left, once its time is over
    await fresh.redis.sadd(keys.processes, 'gone')
    expect((await readProcesses(fresh.redis)).map(({ name }) => name)).to.deep.equal(['a', 'b'])
    expect((await fresh.redis.smembers(keys.processes)).sort()).to.deep.equal(['a', 'b'])
    await Promise.all(announced.map((each) => each.stop()))
  })
})
