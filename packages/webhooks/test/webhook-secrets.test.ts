import { keys } from '@courier-fleet/store'
import { type FreshRedis, freshRedis } from '@courier-fleet/testkit'
import { expect } from 'chai'
import { Redis } from 'ioredis'
import { createWebhookSecrets, NoSecret, sealingKey } from '../src/index.ts'

const hourMs = 3_600_000
const key = sealingKey({ FLEET_SECRET: 'x'.repeat(32) })

describe('webhook secrets', () => {
  let fresh: FreshRedis
  let redis: Redis
  let nowMs = 1_700_000_000_000
  const under = (sealing: typeof key) =>
    createWebhookSecrets({ redis, sealingKey: sealing, clock: { now: () => nowMs } })
  const of = () => under(key)
  const failureOf = (call: Promise<unknown>) => call.then(() => undefined).catch((error: unknown) => error)
  beforeEach(async () => {
    fresh = await freshRedis()
    redis = new Redis(fresh.url)
  })
  afterEach(async () => {
    redis.disconnect()
    await fresh.stop()
  })

  it('are made once, and lie sealed', async () => {
    await of().ensure('dean')
    await of().ensure('dean')
    const [secret, ...more] = await of().valid('dean')
    expect(secret).to.match(/^whsec_/)
    expect(more).to.deep.equal([])
    expect(await of().describe('dean')).to.deep.equal({ madeMs: nowMs, valid: 1 })
    expect(await of().describe('anna')).to.deep.equal({ valid: 0 })
    expect((await redis.lrange(keys.webhookSecrets('dean'), 0, -1)).join()).not.to.contain(secret?.slice(6))
  })

  it('rotated, sign for a day more, three at a time', async () => {
    await of().ensure('dean')
    const [first] = await of().valid('dean')
    nowMs += hourMs
    const second = await of().rotate('dean')
    expect(await of().valid('dean')).to.deep.equal([second, first])
    nowMs += 23.5 * hourMs
    expect(await of().valid('dean')).to.deep.equal([second, first])
    nowMs += hourMs
    expect(await of().valid('dean')).to.deep.equal([second])
    const [third, fourth, fifth] = [await of().rotate('dean'), await of().rotate('dean'), await of().rotate('dean')]
    expect(await of().valid('dean')).to.deep.equal([fifth, fourth, third])
  })

  it('cannot be made, nor read, without the FLEET_SECRET they were sealed under', async () => {
    expect(await failureOf(under(undefined).ensure('dean'))).to.be.instanceOf(NoSecret)
    await of().ensure('dean')
    expect(await failureOf(under(sealingKey({ FLEET_SECRET: 'y'.repeat(32) })).valid('dean'))).to.be.instanceOf(
      NoSecret,
    )
    expect(await failureOf(of().valid('anna'))).to.be.instanceOf(NoSecret)
  })
})
