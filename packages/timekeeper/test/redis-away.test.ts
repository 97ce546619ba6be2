import { systemClock } from '@courier-fleet/process'
import { ownRedis, redisGate, until } from '@courier-fleet/testkit'
import { expect } from 'chai'
import { setStage } from './stage.ts'

describe('timekeeper: when Redis goes away', () => {
  it('rings what became due meanwhile or is due afterwards', async () => {
    const server = await ownRedis()
    const stage = await setStage(server.url)
    try {
      await stage.run()
      const now = await stage.now()
      await stage.put('afterwards:1:0', now + 1200)
      await server.kill()
      await server.restart()
      await until(() => stage.rung.includes('afterwards:1:0'), 'it has rung', 4000)
      await stage.put('new:1:0', (await stage.now()) + 50)
      await until(() => stage.rung.includes('new:1:0'), 'a new one has rung', 1500)
      expect(stage.rung).to.deep.equal(['afterwards:1:0', 'new:1:0'])
    } finally {
      await stage.stop()
      await server.stop()
    }
  })

  it('rings again when a silent Redis speaks, and stops at once while it is silent', async () => {
    const server = await ownRedis()
    const gate = await redisGate(server.url)
    const stage = await setStage(server.url)
    try {
      const { timekeeper } = await stage.run(systemClock, gate.url)
      gate.silence()
      await until(() => gate.accepted() > 2, 'it has left the silent connection', 6000)
      gate.abandon()
      await stage.put('afterwards:1:0', (await stage.now()) + 50)
      await until(() => stage.rung.includes('afterwards:1:0'), 'it has rung', 5000)
      gate.silence()
      const asked = performance.now()
      await timekeeper.stop()
      expect(performance.now() - asked).to.be.below(1000)
    } finally {
      await stage.stop()
      await gate.close()
      await server.stop()
    }
  }).timeout(15_000)
})
