import { classes } from '@courier-fleet/api-types'
import { keys } from '@courier-fleet/store'
import { until } from '@courier-fleet/testkit'
import { expect } from 'chai'
import { fakeCourier } from './fake-courier.ts'
import { createFixture, type Fixture } from './fixture.ts'

describe('engine: what is left behind', () => {
  let fixture: Fixture
  beforeEach(async () => {
    fixture = await createFixture()
  })
  afterEach(() => fixture.stop())

  const streams = ['00', '01'].flatMap((shard) => classes.map((cls) => keys.work(shard, 'vk', cls)))
  const consumers = async () => {
    const found = await Promise.all(streams.map((stream) => fixture.redis.xinfo('CONSUMERS', stream, 'vk')))
    return [...new Set((found.flat() as string[][]).map((info) => info[1]))]
  }

  it('a process that stops takes its consumers with it', async () => {
    const runner = await fixture.run(fakeCourier())
    await fixture.settled(await fixture.put(await fixture.people(25)))
    expect(await consumers()).to.deep.equal(['vk-0'])
    await runner.stop(1000)
    // it does not wait for Redis for long, and has told it so
    await until(async () => (await consumers()).length === 0, 'they are gone')
  })

  it('consumers of processes that were killed are removed by those that live, which go on working', async () => {
    await fixture.run(fakeCourier(), { leaseMs: 30 })
    for (const stream of streams) await fixture.redis.xgroup('CREATECONSUMER', stream, 'vk', 'killed')
    await until(async () => !(await consumers()).includes('killed'), 'the killed one is gone')
    await fixture.settled(await fixture.put(await fixture.people(25)))
  })

  it('the entry of a message that is gone leaves the stream', async () => {
    const ref = await fixture.put(await fixture.people(1), { channels: ['vk', 'pigeon'] })
    const entries = () => fixture.redis.xlen(keys.work(ref.shard, 'pigeon', 'normal'))
    const first = await fixture.run(fakeCourier())
    await until(async () => (await fixture.get(ref)).channels.vk?.state === 'settled', 'VK has settled')
    await first.stop(1000)
    expect(await entries()).to.equal(1)
    await fixture.redis.del(keys.history(ref))
    await fixture.run(fakeCourier({ channel: 'pigeon' }))
    await until(async () => (await entries()) === 0, 'the entry is gone')
    expect(await fixture.redis.exists(keys.history(ref))).to.equal(0)
  })
})
