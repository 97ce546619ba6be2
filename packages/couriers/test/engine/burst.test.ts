import { type HistoryRef, memberOf, shardNames } from '@courier-fleet/api-types'
import { expiredChannel, keys } from '@courier-fleet/store'
import { until } from '@courier-fleet/testkit'
import { expect } from 'chai'
import type { Redis } from 'ioredis'
import { fakeCourier } from './fake-courier.ts'
import { createFixture, type Fixture } from './fixture.ts'

const size = 600

describe('engine: a burst that falls due in one millisecond', () => {
  let fixture: Fixture
  beforeEach(async () => {
    fixture = await createFixture()
  })
  afterEach(() => fixture.stop())

  it('reaches everyone once; due triggers are not subscribed to meanwhile, and again when it is over', async () => {
    const courier = fakeCourier({ batchSize: 100 })
    await fixture.run(courier)
    const people = await fixture.people(size)
    const unsubscribed = await callsOf(fixture.redis, 'unsubscribe')
    const refs = await Promise.all(people.map((person) => fixture.put([person], { dueMs: Date.now() + 3_600_000 })))
    await fallDueAtOnce(fixture.redis, refs)

    // in turn: six hundred that ask at once would take the time of whoever sends
    for (const ref of refs) await fixture.settled(ref)
    expect(new Set(courier.handed.map(({ address }) => address)).size).to.equal(size)
    expect(courier.handed).to.have.length(size)
    expect(await callsOf(fixture.redis, 'unsubscribe')).to.be.above(unsubscribed)
    await until(async () => (await subscribers(fixture.redis)) === 1, 'due triggers are subscribed to again')
  })

  it('does not keep another channel waiting that has nothing in it', async () => {
    const never = new Promise<never>(() => {})
    await fixture.run(fakeCourier({ batchSize: 10, answer: () => never }))
    const sms = fakeCourier({ channel: 'sms' })
    await fixture.run(sms)
    const people = await fixture.people(size)
    await fixture.people(1, 'sms')
    const dueMs = Date.now() + 3_600_000
    const refs = await Promise.all(people.map((person) => fixture.put([person], { dueMs, channels: ['vk'] })))
    const ref = await fixture.put([people[0] as string], { dueMs, channels: ['sms'] })
    await fallDueAtOnce(fixture.redis, [...refs, ref])

    await fixture.settled(ref)
    expect(sms.handed).to.have.length(1)
    await until(async () => {
      const due = await Promise.all(shardNames(2).map((shard) => fixture.redis.zcard(keys.due(shard))))
      return due.every((left) => left === 0)
    }, 'nothing is left that is due')
  })
})

/** In one step, as when the clock shows when they are due. */
async function fallDueAtOnce(redis: Redis, refs: readonly HistoryRef[]): Promise<void> {
  const dueMs = Date.now() + 100
  const step = redis.multi()
  for (const ref of refs) {
    step.zadd(keys.due(ref.shard), 'XX', dueMs, `${memberOf(ref)}:0`)
    step.pexpireat(keys.delivery(ref, 0), dueMs)
  }
  await step.exec()
}

async function callsOf(redis: Redis, command: string): Promise<number> {
  const calls = new RegExp(`^cmdstat_${command}:calls=(\\d+)`, 'm').exec(await redis.info('commandstats'))?.[1]
  return Number(calls ?? 0)
}

/** how many are told what expires in this database */
async function subscribers(redis: Redis): Promise<number> {
  const [, count] = (await redis.pubsub('NUMSUB', expiredChannel(redis))) as [string, number]
  return count
}
