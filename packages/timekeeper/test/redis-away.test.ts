import { shardNames } from '@courier-fleet/api-types'
import { expiredChannel, hints } from '@courier-fleet/store'
import { ownRedis, redisGate, until } from '@courier-fleet/testkit'
import { expect } from 'chai'
import { createFixture, quietRedis, shards } from './fixture.ts'

describe('timekeeper: when Redis goes away', () => {
  it('triggers what is due after a crash of Redis', async () => {
    const server = await ownRedis()
    const fixture = await createFixture(server.url)
    try {
      await fixture.run()
      await fixture.put('before:1:0', (await fixture.now()) + 3_600_000)
      await server.kill()
      await server.restart()
      // the timekeeper hears hints again, and this test what expires
      const expired = expiredChannel(fixture.redis)
      await until(async () => (await fixture.redis.pubsub('NUMSUB', expired))[1] === 1, `${expired} is heard`)
      for (const head of shardNames(shards).map(hints.dueHead))
        await until(async () => (await fixture.redis.pubsub('SHARDNUMSUB', head))[1] === 1, `${head} is heard`)
      await fixture.put('before:1:0', (await fixture.now()) + 50)
      await until(() => fixture.expired.includes('before:1:0'), 'it has expired')
      await fixture.put('new:1:0', (await fixture.now()) + 50)
      await until(() => fixture.expired.includes('new:1:0'), 'a new one has expired')
      expect(fixture.expired).to.deep.equal(['before:1:0', 'new:1:0'])
    } finally {
      await fixture.stop()
      await server.stop()
    }
  })

  it('triggers what became due while Redis could not be reached', async () => {
    const server = await quietRedis()
    const gate = await redisGate(server.url)
    const fixture = await createFixture(server.url)
    try {
      await fixture.run({ through: gate.url })
      await gate.refuse()
      const due = (await fixture.now()) + 50
      await fixture.put('meanwhile:1:0', due)
      await until(async () => (await fixture.now()) > due + 1, 'its time has come')
      expect(fixture.expired).to.deep.equal([])
      await gate.restore()
      await until(() => fixture.expired.includes('meanwhile:1:0'), 'it has expired')
    } finally {
      await fixture.stop()
      await gate.close()
      await server.stop()
    }
  })

  it('triggers again when a silent Redis speaks, and stops while it is silent', async () => {
    const server = await quietRedis()
    const gate = await redisGate(server.url)
    const fixture = await createFixture(server.url)
    try {
      const { timekeeper } = await fixture.run({ through: gate.url })
      gate.silence()
      await until(() => gate.accepted() > 2, 'it has left the silent connection')
      gate.abandon()
      await fixture.put('afterwards:1:0', (await fixture.now()) + 50)
      await until(() => fixture.expired.includes('afterwards:1:0'), 'it has expired')
      gate.silence()
      await timekeeper.stop()
    } finally {
      await fixture.stop()
      await gate.close()
      await server.stop()
    }
  })
})
