import { classes } from '@courier-fleet/api-types'
import { keys } from '@courier-fleet/store'
import { until } from '@courier-fleet/testkit'
import { expect } from 'chai'
import { rehearsedCourier } from './rehearsed-courier.ts'
import { type Stage, setStage } from './stage.ts'

describe('engine: what is left behind', () => {
  let stage: Stage
  beforeEach(async () => {
    stage = await setStage()
  })
  afterEach(() => stage.stop())

  const streams = ['00', '01'].flatMap((shard) =>
    classes.flatMap((cls) => [keys.orders(shard, cls), keys.batches(shard, 'vk', cls)]),
  )
  const consumers = async () => {
    const found = await Promise.all(streams.map((stream) => stage.redis.xinfo('CONSUMERS', stream, 'vk')))
    return [...new Set((found.flat() as string[][]).map((info) => info[1]))]
  }
  const eventually = async (condition: () => Promise<boolean>, what: string) => {
    let holds = false
    const looked = setInterval(() => void condition().then((found) => (holds = found)), 20)
    await until(() => holds, what).finally(() => clearInterval(looked))
  }

  it('a process that stops takes its consumers with it', async () => {
    const runner = await stage.run(rehearsedCourier())
    await stage.settled(await stage.put(await stage.people(25)))
    expect(await consumers()).to.deep.equal(['vk-0'])
    await runner.stop(1000)
    expect(await consumers()).to.deep.equal([])
  })

  it('consumers of processes that were killed are removed by those that live, which go on working', async () => {
    await stage.run(rehearsedCourier(), { leaseMs: 30 })
    for (const stream of streams) await stage.redis.xgroup('CREATECONSUMER', stream, 'vk', 'killed')
    await eventually(async () => !(await consumers()).includes('killed'), 'the killed one is gone')
    await stage.settled(await stage.put(await stage.people(25)))
  })

  it('the order of a message that is gone leaves the stream', async () => {
    const ref = await stage.put(await stage.people(1), { channels: ['vk', 'pigeon'] })
    const order = async () => stage.redis.xlen(keys.orders(ref.shard, 'normal'))
    const first = await stage.run(rehearsedCourier())
    await eventually(async () => (await stage.get(ref)).channels.vk?.state === 'settled', 'VK has settled')
    await first.stop(1000)
    expect(await order()).to.equal(1)
    await stage.redis.del(keys.history(ref))
    await stage.run(rehearsedCourier({ channel: 'pigeon' }))
    await eventually(async () => (await order()) === 0, 'the order is gone')
    expect(await stage.redis.exists(keys.history(ref))).to.equal(0)
  })
})
