import { type HistoryRef, parseHistoryKey } from '@courier-fleet/api-types'
import { keys } from '@courier-fleet/store'
import { until } from '@courier-fleet/testkit'
import { expect } from 'chai'
import { type FakeCourier, fakeCourier } from './fake-courier.ts'
import { createFixture, type Fixture } from './fixture.ts'

describe('engine: a message on its way', () => {
  let fixture: Fixture
  beforeEach(async () => {
    fixture = await createFixture()
  })
  afterEach(() => fixture.stop())

  it('reaches everyone with a contact once, and says who has none', async () => {
    const courier = fakeCourier()
    await fixture.run(courier)
    const people = await fixture.people(3)
    const history = await fixture.settled(await fixture.put([...people, 'q-without']))

    expect(courier.handed.map(({ address }) => address)).to.have.members(['1001', '1002', '1003'])
    expect(history.channels.vk).to.include({ state: 'settled', accepted: 4, sent: 3, 'no-contact': 1, pending: 0 })
    expect(history.people).to.include({ sentToChat: 3, notDelivered: 0, withoutContact: 1 })
    const rows = await fixture.receipts(parseHistoryKey(history.key))
    expect(rows.map(({ person, channels }) => [person, channels.vk?.state, channels.vk?.providerId])).to.deep.equal([
      ['p00000', 'sent', 'id-1001'],
      ['p00001', 'sent', 'id-1002'],
      ['p00002', 'sent', 'id-1003'],
      ['q-without', 'no-contact', undefined],
    ])
  })

  it('waits for its time', async () => {
    const courier = fakeCourier()
    await fixture.run(courier)
    const dueMs = Date.now() + 400
    const history = await fixture.settled(await fixture.put(await fixture.people(1), { dueMs }))
    expect(Date.parse(history.startedAt as string)).to.be.at.least(dueMs)
    expect(courier.handed).to.have.length(1)
  })

  it('is cut into batches that two processes share, each recipient handed over once', async () => {
    // neither goes on before the other has a batch, too
    const answer = () => until(() => couriers.every(({ handed }) => handed.length > 0) && sent, 'both are at work')
    const couriers: FakeCourier[] = [1, 2].map(() => fakeCourier({ concurrency: 1, answer }))
    for (const courier of couriers) await fixture.run(courier)
    const people = await fixture.people(205)
    const history = await fixture.settled(await fixture.put(people))

    expect(history.channels.vk).to.include({ sent: 205, pending: 0 })
    const [first, second] = couriers.map((courier) => courier.handed.length) as [number, number]
    expect(first + second).to.equal(205)
    expect(first).to.be.above(0)
    expect(second).to.be.above(0)
    expect(await recount(fixture, history.key)).to.equal(true)
  })

  it('runs no more send jobs than the courier allows, whatever the classes', async () => {
    let sending = 0
    let most = 0
    const answer = async () => {
      sending += 1
      most = Math.max(most, sending)
      await new Promise((resolve) => setTimeout(resolve, 2))
      sending -= 1
      return { kind: 'sent', providerId: 'x' } as const
    }
    const people = await fixture.people(30)
    const refs = await Promise.all(
      (['urgent', 'normal', 'bulk'] as const).map((cls) =>
        fixture.put(people, { class: cls, dueMs: Date.now() + 100 }),
      ),
    )
    await fixture.run(fakeCourier({ batchSize: 5, concurrency: 1, answer }))
    for (const ref of refs) expect((await fixture.settled(ref)).channels.vk?.sent).to.equal(30)
    expect(most).to.equal(5)
  })

  it('finds a slot when it is urgent, though every other is taken', async () => {
    let letGo = () => {}
    const held = new Promise<void>((resolve) => {
      letGo = resolve
    })
    const courier = fakeCourier({
      batchSize: 2,
      concurrency: 2,
      async answer({ text }) {
        if (text !== 'срочно') await held
        return { kind: 'sent', providerId: 'x' }
      },
    })
    await fixture.run(courier)
    const people = await fixture.people(20)
    const bulk = await fixture.put(people, { class: 'bulk' })
    await until(() => courier.handed.length > 0, 'the first of many are in the air')
    const urgent = await fixture.settled(await fixture.put(people.slice(0, 1), { class: 'urgent', text: 'срочно' }))
    expect(urgent.channels.vk?.sent).to.equal(1)
    expect((await fixture.get(bulk)).channels.vk?.sent).to.equal(0)
    letGo()
    expect((await fixture.settled(bulk)).channels.vk?.sent).to.equal(20)
  })

  it('is heard by every channel on its own, and settles when the last has', async () => {
    await fixture.people(2, 'vk')
    const people = await fixture.people(2, 'sms')
    const vk = fakeCourier()
    await fixture.run(vk)
    await fixture.run(fakeCourier({ channel: 'sms', foldsResends: false }))
    const history = await fixture.settled(await fixture.put(people))
    expect(history.expected).to.have.members(['vk', 'sms'])
    expect(history.channels.sms?.sent).to.equal(2)
    expect(history.channels.vk?.sent).to.equal(2)
  })

  it('goes to the named channels only', async () => {
    const [vk, sms] = [fakeCourier(), fakeCourier({ channel: 'sms' })]
    await fixture.run(vk)
    await fixture.run(sms)
    await fixture.people(1, 'sms')
    const history = await fixture.settled(await fixture.put(await fixture.people(1), { channels: ['sms'] }))
    expect(history.expected).to.deep.equal(['sms'])
    expect(vk.handed).to.have.length(0)
    expect(sms.handed).to.have.length(1)
  })

  it('waits for a channel that is down, and goes out when it is back', async () => {
    const first = await fixture.run(fakeCourier(), { consumer: 'vk-before' })
    await first.stop(500)
    const ref = await fixture.put(await fixture.people(3))
    const sms = fakeCourier({ channel: 'sms' })
    await fixture.run(sms)
    await untilChannelSettled(fixture, ref, 'sms')
    expect((await fixture.get(ref)).channels.vk?.state).to.equal('waiting')

    const back = fakeCourier()
    await fixture.run(back, { consumer: 'vk-after' })
    await fixture.settled(ref)
    expect(back.handed).to.have.length(3)
  })

  it('goes out with expiry events turned off', async () => {
    await fixture.run(fakeCourier())
    const server = await fixture.redis.config('GET', 'notify-keyspace-events')
    await fixture.redis.config('SET', 'notify-keyspace-events', '')
    try {
      const history = await fixture.settled(await fixture.put(await fixture.people(1)))
      const lateMs = Date.parse(history.startedAt as string) - Date.parse(history.at as string)
      expect(lateMs, 'by the poll, each second').to.be.below(30_000)
    } finally {
      await fixture.redis.config('SET', 'notify-keyspace-events', (server as string[])[1] as string)
    }
  })

  it('leaves no delivery key and no work behind', async () => {
    await fixture.run(fakeCourier())
    const ref = await fixture.put(await fixture.people(25))
    await fixture.settled(ref)
    expect(await fixture.redis.exists(keys.delivery(ref, 0))).to.equal(0)
    expect(await fixture.redis.zcard(keys.due(ref.shard))).to.equal(0)
    expect(await fixture.redis.xlen(keys.work(ref.shard, 'vk', 'normal'))).to.equal(0)
  })
})

const sent = { kind: 'sent', providerId: 'x' } as const

async function recount(fixture: Fixture, key: string): Promise<boolean> {
  return (await fixture.histories.recount(parseHistoryKey(key))).every(({ balanced }) => balanced)
}

async function untilChannelSettled(fixture: Fixture, ref: HistoryRef, channel: string): Promise<void> {
  await until(async () => (await fixture.get(ref)).channels[channel]?.state === 'settled', `${channel} has settled`)
}
