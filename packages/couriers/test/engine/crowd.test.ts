import { shardName } from '@courier-fleet/api-types'
import { expiredChannel, keys } from '@courier-fleet/store'
import { until } from '@courier-fleet/testkit'
import { expect } from 'chai'
import type { Redis } from 'ioredis'
import { rehearsedCourier } from './rehearsed-courier.ts'
import { type Stage, setStage } from './stage.ts'

const crowd = 600

describe('engine: a crowd that falls due in one millisecond', () => {
  let stage: Stage
  beforeEach(async () => {
    stage = await setStage()
  })
  afterEach(() => stage.stop())

  it('reaches everyone once; bells are not heard meanwhile, and again when it is over', async () => {
    const courier = rehearsedCourier({ batchSize: 100 })
    await stage.run(courier)
    const people = await stage.people(crowd)
    const unsubscribed = await callsOf(stage.redis, 'unsubscribe')
    const dueMs = Date.now() + 1500
    const refs = await Promise.all(people.map((person) => stage.put([person], { dueMs })))
    expect(Date.now(), 'all are put before they are due').to.be.below(dueMs)

    await Promise.all(refs.map(stage.settled))
    expect(new Set(courier.handed.map(({ address }) => address)).size).to.equal(crowd)
    expect(courier.handed).to.have.length(crowd)
    expect(await callsOf(stage.redis, 'unsubscribe')).to.be.above(unsubscribed)
    await until(async () => (await ears(stage.redis)) === 1, 'bells are heard again')
  })

  it('does not keep another channel waiting that has nothing in it', async () => {
    const never = new Promise<never>(() => {})
    await stage.run(rehearsedCourier({ batchSize: 10, answer: () => never }))
    const sms = rehearsedCourier({ channel: 'sms' })
    await stage.run(sms)
    const people = await stage.people(crowd)
    await stage.people(1, 'sms')
    const dueMs = Date.now() + 1500
    await Promise.all(people.map((person) => stage.put([person], { dueMs, channels: ['vk'] })))
    const ref = await stage.put([people[0] as string], { dueMs: dueMs + 1, channels: ['sms'] })

    await stage.settled(ref)
    expect(sms.handed).to.have.length(1)
    const due = await Promise.all([0, 1].map((index) => stage.redis.zcard(keys.due(shardName(index)))))
    expect(due, 'nothing is left that is due').to.deep.equal([0, 0])
  })
})

async function callsOf(redis: Redis, command: string): Promise<number> {
  const calls = new RegExp(`^cmdstat_${command}:calls=(\\d+)`, 'm').exec(await redis.info('commandstats'))?.[1]
  return Number(calls ?? 0)
}

/** how many hear the bells of this database */
async function ears(redis: Redis): Promise<number> {
  const [, count] = (await redis.pubsub('NUMSUB', expiredChannel(redis))) as [string, number]
  return count
}
