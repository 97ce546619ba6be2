import { systemClock } from '@courier-fleet/process'
import { ownRedis, redisGate, until } from '@courier-fleet/testkit'
import { expect } from 'chai'
import { createFixture } from './fixture.ts'

describe('timekeeper: when Redis goes away', () => {
  it('triggers what became due meanwhile or is due afterwards', async () => {
    const server = await ownRedis()
    const fixture = await createFixture(server.url)
    try {
      await fixture.run()
      const now = await fixture.now()
      await fixture.put('afterwards:1:0', now + 1200)
      await server.kill()
      await server.restart()
      await until(() => fixture.expired.includes('afterwards:1:0'), 'it has expired')
      await fixture.put('new:1:0', (await fixture.now()) + 50)
      await until(() => fixture.expired.includes('new:1:0'), 'a new one has expired')
      expect(fixture.expired).to.deep.equal(['afterwards:1:0', 'new:1:0'])
    } finally {
      await fixture.stop()
      await server.stop()
    }
  })

  it('triggers again when a silent Redis speaks, and stops at once while it is silent', async () => {
    const server = await ownRedis()
    const gate = await redisGate(server.url)
    const fixture = await createFixture(server.url)
    try {
      const { timekeeper } = await fixture.run(systemClock, gate.url)
      gate.silence()
      await until(() => gate.accepted() > 2, 'it has left the silent connection')
      gate.abandon()
      await fixture.put('afterwards:1:0', (await fixture.now()) + 50)
      await until(() => fixture.expired.includes('afterwards:1:0'), 'it has expired')
      gate.silence()
      const asked = performance.now()
      await timekeeper.stop()
      expect(performance.now() - asked).to.be.below(3_000)
    } finally {
      await fixture.stop()
      await gate.close()
      await server.stop()
    }
  })
})
