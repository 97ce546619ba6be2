/** How the fleet is now, as its operators are told. */
import { type ChannelList, channelList, type ServiceView, serviceView } from '@courier-fleet/api-types'
import { fleetVersion } from '@courier-fleet/process'
import { announceProcess, joinFleet, keys, noteHappened, useChannel, writeAlarm } from '@courier-fleet/store'
import { expect } from 'chai'
import { type Service, startService } from './service.ts'

describe('how the fleet is now', () => {
  let service: Service
  beforeEach(async () => {
    service = await startService()
  })
  afterEach(() => service.stop())

  const read = async () => serviceView.parse((await service.call<ServiceView>('/v1/service', { as: 'operator' })).json)
  const since = 1_788_242_400_000

  it('is for operators', async () => {
    expect((await service.call('/v1/service', { as: 'staff' })).status).to.equal(403)
  })

  it('is what is wrong, what waits, and who is alive', async () => {
    const { redis } = service
    const shards = await joinFleet(redis)
    await writeAlarm(redis, { name: 'stuck:sms', since, detail: 'sms: 3 unclaimed', isTold: true })
    await redis.set(keys.watcher, 'timekeeper-1', 'PX', 30_000)
    await useChannel(redis, shards, 'sms')
    const entry = ['message', 'dean:a', 'from', 0, 'to', 41]
    await redis.xadd(keys.work('00', 'sms', 'urgent'), `${since}-0`, ...entry)
    const timekeeper = announceProcess(redis, { name: 'timekeeper-1', role: 'timekeeper' }, () => ({ ready: true }))
    await timekeeper.refresh()
    const { asOf, processes, redis: memory, ...told } = await read()
    expect(told).to.deep.equal({
      alarms: [{ alarm: 'stuck:sms', since: new Date(since).toISOString(), detail: 'sms: 3 unclaimed' }],
      isWatched: true,
      takenOver: [],
      endpoints: [],
      happened: [],
      work: [
        {
          channel: 'sms',
          class: 'urgent',
          entries: 1,
          people: 41,
          oldestAt: new Date(since).toISOString(),
          atLeast: false,
        },
      ],
      held: { people: {}, atLeast: false },
    })
    expect(memory.usedBytes).to.be.greaterThan(0)
    expect(memory.isConfirmed, 'where no replica is asked for').to.equal(true)
    const [process] = processes
    expect(process).to.include({ name: 'timekeeper-1', version: fleetVersion(), role: 'timekeeper', ready: true })
    expect(Date.parse(asOf) - Date.parse(process?.seenAt ?? '')).to.be.within(0, 15_000)
    await timekeeper.stop()
  })

  it('says what is over of the last day, the latest of it, oldest first', async () => {
    const { redis } = service
    await redis.xadd(keys.happened, '1000-0', 'what', 'alarm-over', 'of', 'late', 'since', 500)
    for (let each = 0; each < 40; each += 1)
      await noteHappened(redis, { what: 'process-ended', of: `sms-${each}`, since })
    await noteHappened(redis, { what: 'redis-away', of: '', since })
    const { happened = [] } = await read()
    expect(happened.map(({ what, of }) => `${what} ${of}`)).to.deep.equal([
      ...Array.from({ length: 29 }, (_, index) => `process-ended sms-${index + 11}`),
      'redis-away ',
    ])
    expect(happened.at(-1)?.since).to.equal(new Date(since).toISOString())
  })

  it('says of a process that was killed when it was last heard of, sooner than it is taken off the list', async () => {
    const { redis } = service
    const key = keys.process('sms-1')
    const said = { name: 'sms-1', role: 'courier', channel: 'sms', pid: 1, startedAt: 1000, ready: 1 }
    const beat = (leftMs: number) =>
      redis.multi().hset(key, said).pexpire(key, leftMs).sadd(keys.processes, 'sms-1').exec()
    await beat(15_000)
    const [heard] = (await read()).processes
    expect(heard).to.include({ name: 'sms-1', ready: true, silent: false })
    // as it is eight seconds after its last heartbeat
    const begun = Date.now()
    await beat(7_000)
    const { json } = await service.call<ChannelList>('/v1/channels', { as: 'trainer' })
    const channel = channelList.parse(json).channels.find((each) => each.channel === 'sms')
    const courier = channel?.couriers[0]
    expect(courier).to.include({ name: 'sms-1', ready: true, silent: true })
    expect(channel?.ready, 'nobody who is heard of can send').to.equal(false)
    expect(Date.now() - Date.parse(courier?.seenAt ?? '')).to.be.within(8_000, 9_000 + Date.now() - begun)
    let told: ServiceView
    do {
      // what was read is answered for a second
      await beat(7_000)
      told = await read()
    } while (!told.processes[0]?.silent)
    expect(told.processes[0]).to.include({ name: 'sms-1', silent: true })
    await redis.multi().del(key).srem(keys.processes, 'sms-1').exec()
  })

  it('says that nobody watches, where nobody does', async () => {
    expect((await read()).isWatched).to.equal(false)
  })

  it('says of each class who waits, how long the allowed rate takes for them, and what part of it they had', async () => {
    const { redis } = service
    const shards = await joinFleet(redis)
    const announced = (['sms-1', 'sms-2'] as const).map((name, at) => {
      const identity = { name, role: 'courier', channel: 'sms', account: 'one' }
      const lately = { sentPerSecond: 5, lastMinute: { urgent: 100, normal: 0, bulk: at * 50 } }
      return announceProcess(redis, identity, () => ({ ready: true, pace: { perSecond: 10 }, lately }))
    })
    for (const each of announced) await each.refresh()
    await useChannel(redis, shards, 'sms')
    await redis.xadd(keys.work('00', 'sms', 'urgent'), '*', 'message', 'dean:a', 'from', 0, 'to', 40)
    await redis.xadd(keys.work('01', 'sms', 'bulk'), '*', 'message', 'dean:b', 'from', 10, 'to', 30)
    const of = async (channel: string) => {
      const { json } = await service.call<ChannelList>('/v1/channels', { as: 'trainer' })
      return channelList.parse(json).channels.find((each) => each.channel === channel)?.classes
    }
    expect(await of('sms')).to.deep.equal([
      { class: 'urgent', waiting: 40, atLeast: false, takesMs: 5_000, lastMinute: 200, share: 0.8, weight: 4 },
      { class: 'normal', waiting: 0, atLeast: false, takesMs: 0, lastMinute: 0, share: 0, weight: 2 },
      { class: 'bulk', waiting: 20, atLeast: false, takesMs: 6_000, lastMinute: 50, share: 0.2, weight: 1 },
    ])
    for (const each of announced) await each.stop()
    const silent = { waiting: 0, atLeast: false, lastMinute: 0, weight: 2 }
    expect((await of('sms'))?.[1], 'without a courier nobody knows').to.deep.equal({ class: 'normal', ...silent })
  })

  it('tells with the channels what their providers have answered of late', async () => {
    const slowDown = { since, until: since + 5_000, why: 'VK says 9: Flood control' }
    const lately = { sentPerSecond: 0.4, answerMs: { median: 90, p99: 400 }, slowDown }
    const identity = { name: 'vk-1', role: 'courier', channel: 'vk' }
    const courier = announceProcess(service.redis, identity, () => ({ ready: true, lately }))
    await courier.refresh()
    const { json } = await service.call<ChannelList>('/v1/channels', { as: 'trainer' })
    expect(channelList.parse(json).channels[0]?.couriers[0]?.lately).to.deep.equal({
      ...lately,
      slowDown: { ...slowDown, since: new Date(since).toISOString(), until: new Date(since + 5_000).toISOString() },
    })
    await courier.stop()
  })
})
