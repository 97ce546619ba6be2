import { type HistoryRef, parseHistoryKey } from '@courier-fleet/api-types'
import { keys } from '@courier-fleet/store'
import { until } from '@courier-fleet/testkit'
import { expect } from 'chai'
import { rehearsedCourier } from './rehearsed-courier.ts'
import { type Stage, setStage } from './stage.ts'

describe('engine: a message on its way', () => {
  let stage: Stage
  beforeEach(async () => {
    stage = await setStage()
  })
  afterEach(() => stage.stop())

  it('reaches everyone with a contact once, and says who has none', async () => {
    const courier = rehearsedCourier()
    await stage.run(courier)
    const people = await stage.people(3)
    const history = await stage.settled(await stage.put([...people, 'q-without']))

    expect(courier.handed.map(({ address }) => address)).to.have.members(['1001', '1002', '1003'])
    expect(history.channels.vk).to.include({ state: 'settled', accepted: 4, sent: 3, 'no-contact': 1, pending: 0 })
    expect(history.people).to.deep.equal({ reached: 3, unreached: 0, withoutContact: 1 })
    const rows = await stage.receipts(parseHistoryKey(history.key))
    expect(rows.map(({ person, channels }) => [person, channels.vk?.state, channels.vk?.providerId])).to.deep.equal([
      ['p00000', 'sent', 'id-1001'],
      ['p00001', 'sent', 'id-1002'],
      ['p00002', 'sent', 'id-1003'],
      ['q-without', 'no-contact', undefined],
    ])
  })

  it('waits for its time', async () => {
    const courier = rehearsedCourier()
    await stage.run(courier)
    const dueMs = Date.now() + 400
    const history = await stage.settled(await stage.put(await stage.people(1), { dueMs }))
    expect(Date.parse(history.startedAt as string)).to.be.at.least(dueMs)
    expect(courier.handed).to.have.length(1)
  })

  it('is cut into batches that two processes share, each recipient handed over once', async () => {
    const couriers = [
      rehearsedCourier({ concurrency: 1, answer: slowly }),
      rehearsedCourier({ concurrency: 1, answer: slowly }),
    ]
    for (const courier of couriers) await stage.run(courier)
    const people = await stage.people(205)
    const history = await stage.settled(await stage.put(people))

    expect(history.channels.vk).to.include({ sent: 205, pending: 0 })
    const [first, second] = couriers.map((courier) => courier.handed.length) as [number, number]
    expect(first + second).to.equal(205)
    expect(first).to.be.above(0)
    expect(second).to.be.above(0)
    expect(await recount(stage, history.key)).to.equal(true)
  })

  it('is never in the air more often than the courier allows, whatever the classes', async () => {
    let sending = 0
    let most = 0
    const answer = async () => {
      sending += 1
      most = Math.max(most, sending)
      await new Promise((resolve) => setTimeout(resolve, 2))
      sending -= 1
      return { kind: 'sent', providerId: 'x' } as const
    }
    const people = await stage.people(30)
    const refs = await Promise.all(
      (['urgent', 'normal', 'bulk'] as const).map((cls) => stage.put(people, { class: cls, dueMs: Date.now() + 100 })),
    )
    await stage.run(rehearsedCourier({ batchSize: 5, concurrency: 1, answer }))
    for (const ref of refs) expect((await stage.settled(ref)).channels.vk?.sent).to.equal(30)
    expect(most).to.equal(5)
  })

  it('finds a seat when it is urgent, though every other is taken', async () => {
    let letGo = () => {}
    const held = new Promise<void>((resolve) => {
      letGo = resolve
    })
    const courier = rehearsedCourier({
      batchSize: 2,
      concurrency: 2,
      async answer({ text }) {
        if (text !== 'срочно') await held
        return { kind: 'sent', providerId: 'x' }
      },
    })
    await stage.run(courier)
    const people = await stage.people(20)
    const bulk = await stage.put(people, { class: 'bulk' })
    await until(() => courier.handed.length > 0, 'the first of many are in the air')
    const urgent = await stage.settled(await stage.put(people.slice(0, 1), { class: 'urgent', text: 'срочно' }))
    expect(urgent.channels.vk?.sent).to.equal(1)
    expect((await stage.get(bulk)).channels.vk?.sent).to.equal(0)
    letGo()
    expect((await stage.settled(bulk)).channels.vk?.sent).to.equal(20)
  })

  it('is heard by every channel on its own, and settles when the last has', async () => {
    await stage.people(2, 'vk')
    const people = await stage.people(2, 'sms')
    const vk = rehearsedCourier()
    await stage.run(vk)
    await stage.run(rehearsedCourier({ channel: 'sms', foldsResends: false }))
    const history = await stage.settled(await stage.put(people))
    expect(history.expected).to.have.members(['vk', 'sms'])
    expect(history.channels.sms?.sent).to.equal(2)
    expect(history.channels.vk?.sent).to.equal(2)
  })

  it('goes to the named channels only', async () => {
    const [vk, sms] = [rehearsedCourier(), rehearsedCourier({ channel: 'sms' })]
    await stage.run(vk)
    await stage.run(sms)
    await stage.people(1, 'sms')
    const history = await stage.settled(await stage.put(await stage.people(1), { channels: ['sms'] }))
    expect(history.expected).to.deep.equal(['sms'])
    expect(vk.handed).to.have.length(0)
    expect(sms.handed).to.have.length(1)
  })

  it('waits for a channel that is down, and goes out when it is back', async () => {
    const first = await stage.run(rehearsedCourier(), { consumer: 'vk-before' })
    await first.stop(500)
    const ref = await stage.put(await stage.people(3))
    const sms = rehearsedCourier({ channel: 'sms' })
    await stage.run(sms)
    await untilChannelSettled(stage, ref, 'sms')
    expect((await stage.get(ref)).channels.vk?.state).to.equal('waiting')

    const back = rehearsedCourier()
    await stage.run(back, { consumer: 'vk-after' })
    await stage.settled(ref)
    expect(back.handed).to.have.length(3)
  })

  it('goes out with expiry events turned off', async () => {
    await stage.run(rehearsedCourier())
    const server = await stage.redis.config('GET', 'notify-keyspace-events')
    await stage.redis.config('SET', 'notify-keyspace-events', '')
    try {
      const history = await stage.settled(await stage.put(await stage.people(1)))
      const lateMs = Date.parse(history.startedAt as string) - Date.parse(history.at as string)
      expect(lateMs).to.be.below(1500)
    } finally {
      await stage.redis.config('SET', 'notify-keyspace-events', (server as string[])[1] as string)
    }
  })

  it('leaves no doorbell, order or batch behind', async () => {
    await stage.run(rehearsedCourier())
    const ref = await stage.put(await stage.people(25))
    await stage.settled(ref)
    expect(await stage.redis.exists(keys.delivery(ref, 0))).to.equal(0)
    expect(await stage.redis.zcard(keys.due(ref.shard))).to.equal(0)
    expect(await stage.redis.xlen(keys.orders(ref.shard, 'normal'))).to.equal(0)
    expect(await stage.redis.xlen(keys.batches(ref.shard, 'vk', 'normal'))).to.equal(0)
  })
})

const slowly = async () => {
  await new Promise((resolve) => setImmediate(resolve))
  return { kind: 'sent', providerId: 'x' } as const
}

async function recount(stage: Stage, key: string): Promise<boolean> {
  return (await stage.histories.recount(parseHistoryKey(key))).every(({ balanced }) => balanced)
}

async function untilChannelSettled(stage: Stage, ref: HistoryRef, channel: string): Promise<void> {
  while ((await stage.get(ref)).channels[channel]?.state !== 'settled')
    await new Promise((resolve) => setTimeout(resolve, 10))
}
