import { type ChannelList, channelList, classes, refOfMember, shardNames } from '@courier-fleet/api-types'
import { silentLog } from '@courier-fleet/process'
import { announceProcess, endAlarm, keys, useChannel, writeAlarm } from '@courier-fleet/store'
import { ownRedis, until } from '@courier-fleet/testkit'
import { expect } from 'chai'
import { connectQueueRedis } from '../src/index.ts'
import { type Service, startService } from './service.ts'

const minuteMs = 60_000
const workOf = (channel: string) => keys.work('07', channel, 'normal')

describe('what is stuck', () => {
  let service: Service
  let url: string
  beforeEach(async () => {
    service = await startService()
    url = await service.listen()
  })
  afterEach(() => service.stop())

  const ready = async () => {
    const answer = await fetch(`${url}/readyz`)
    const { status } = answer
    const type = answer.headers.get('content-type')
    return { status, type, body: (await answer.json()) as { code?: string; detail?: string } }
  }
  /** A scrape that Redis has answered in time: another has no figures. */
  const answered = (scrape: () => Promise<string>) =>
    until(async () => {
      const text = await scrape()
      return /^fleet_redis_up 1$/m.test(text) && text
    }, 'Redis has answered a scrape')
  const metrics = () => answered(async () => (await fetch(`${url}/metrics`)).text())
  const channels = async (): Promise<ChannelList> => {
    const answer = await fetch(`${url}/v1/channels`, { headers: { authorization: `Bearer ${service.keyOf.trainer}` } })
    return channelList.parse(await answer.json())
  }
  async function expectGreen() {
    expect((await ready()).body).to.deep.equal({ status: 'ok', durability: 'master' })
    expect(await metrics()).not.to.match(/^fleet_(overdue|channel)_stuck.* 1$/m)
    const { overdue, channels: all } = await channels()
    for (const { stuck } of [overdue, ...all.map(({ backlog }) => backlog)]) expect(stuck).to.equal(false)
  }
  async function expectRed(reason: RegExp) {
    const { status, type, body } = await ready()
    expect([status, body.code]).to.deep.equal([503, 'stuck'])
    expect(type).to.match(/^application\/problem\+json/)
    expect(body.detail).to.match(reason)
    expect((await fetch(`${url}/healthz`)).status).to.equal(200)
  }

  async function use(channel: string) {
    const streams = shardNames(16).flatMap((shard) => classes.map((cls) => keys.work(shard, channel, cls)))
    await Promise.all(streams.map((stream) => service.redis.xgroup('CREATE', stream, channel, '0', 'MKSTREAM')))
    await useChannel(service.redis, 16, channel)
  }
  /** An entry for each of these channels, as wake adds them. */
  async function addWork(channels: readonly string[], agoMs: number) {
    const history = keys.history(refOfMember('07', 'dean:lecture'))
    await service.redis.hset(history, { state: 'running', expected: channels.join(',') })
    const id = `${Date.now() - agoMs}-0`
    for (const channel of channels) {
      await service.redis.xadd(workOf(channel), id, 'message', 'dean:lecture', 'from', 0, 'to', 1)
      await service.redis.hsetnx(keys.channels('07'), channel, 'named')
    }
    return id
  }

  it('nobody wakes what is due: red, and green again once somebody has', async () => {
    await service.redis.zadd(keys.due('03'), Date.now() - minuteMs, 'dean:lecture:0')
    await expectRed(/^due: 1 overdue, the first by [6-9]\d s; no courier is running$/)
    expect(await metrics()).to.match(/^fleet_overdue_deliveries 1$/m)
    expect(await metrics()).to.match(/^fleet_oldest_overdue_seconds [6-9]\d(\.\d+)?$/m)
    expect(await metrics()).to.match(/^fleet_overdue_stuck 1$/m)
    expect((await channels()).overdue).to.deep.include({ deliveries: 1, stuck: true })
    await service.redis.zrem(keys.due('03'), 'dean:lecture:0')
    await expectGreen()
    expect(await metrics()).to.match(/^fleet_overdue_deliveries 0$/m)
  })

  it('a courier is dead and its work unread: red with the channel named, green again once a courier has it', async () => {
    await use('sms')
    await use('vk')
    const entry = await addWork(['sms', 'vk'], minuteMs)
    await service.redis.xreadgroup('GROUP', 'vk', 'vk-1', 'STREAMS', workOf('vk'), '>')
    await service.redis.xack(workOf('vk'), 'vk', entry)
    await service.redis.xdel(workOf('vk'), entry)
    await expectRed(/^sms: 1 unclaimed, the first for [6-9]\d s; no courier of it is running$/)
    const scraped = await metrics()
    expect(scraped).to.contain('fleet_unclaimed_entries{channel="sms"} 1')
    expect(scraped).to.match(/^fleet_oldest_unclaimed_seconds\{channel="sms"\} [6-9]\d(\.\d+)?$/m)
    expect(scraped).to.contain('fleet_couriers_ready{channel="sms"} 0')
    expect(scraped).to.contain('fleet_channel_stuck{channel="sms"} 1')
    expect(scraped).to.contain('fleet_channel_stuck{channel="vk"} 0')
    const found = (await channels()).channels
    expect(found.map(({ channel, ready, couriers }) => [channel, ready, couriers.length])).to.deep.equal([
      ['sms', false, 0],
      ['vk', false, 0],
    ])
    expect(found.map(({ backlog }) => backlog.stuck)).to.deep.equal([true, false])
    expect(found[0]?.backlog.reason).to.match(/^sms: 1 unclaimed/)

    await service.redis.xreadgroup('GROUP', 'sms', 'sms-2', 'STREAMS', workOf('sms'), '>')
    await expectGreen()
    expect((await channels()).channels[0]?.backlog).to.include({ unclaimed: 0, inProgress: 1 })
  })

  it('a courier has died holding a claim: red, and green again once another has taken it over', async () => {
    await use('vk')
    const entry = await addWork(['vk'], minuteMs)
    await service.redis.xreadgroup('GROUP', 'vk', 'vk-1', 'STREAMS', workOf('vk'), '>')
    await expectGreen()
    await service.redis.xclaim(workOf('vk'), 'vk', 'vk-1', 0, entry, 'IDLE', 45_000, 'JUSTID')
    await expectRed(/^vk: 1 abandoned, the first [4-9]\d s ago; no courier of it is running$/)
    expect(await metrics()).to.match(/^fleet_longest_abandoned_seconds\{channel="vk"\} [4-9]\d(\.\d+)?$/m)
    await service.redis.xautoclaim(workOf('vk'), 'vk', 'vk-2', 15_000, '0-0')
    await expectGreen()
  })

  it('names everything that is stuck', async () => {
    await use('sms')
    await addWork(['sms', 'max'], minuteMs)
    await service.redis.zadd(keys.due('03'), Date.now() - minuteMs, 'dean:lecture:0')
    await expectRed(/^due: .+\. sms: .+ no courier of it is running$/)
  })

  it('a provider makes its channel wait: green, and told', async () => {
    await use('vk')
    const identity = { name: 'vk-1', role: 'courier', channel: 'vk', account: 'club1', leaseMs: 15_000 }
    const announced = announceProcess(service.redis, identity, () => ({ ready: true }))
    await announced.refresh()
    await service.redis.set(keys.pause('vk', 'club1'), '', 'PX', 10 * minuteMs)
    await service.redis.zadd(keys.due('03'), Date.now() + 10 * minuteMs, 'dean:lecture:1')
    await expectGreen()
    expect((await channels()).channels[0]?.backlog.pausedForMs).to.be.within(9 * minuteMs, 10 * minuteMs)
    expect(await metrics()).to.match(/^fleet_pause_seconds\{channel="vk"\} (5\d\d(\.\d+)?|600)$/m)
    expect(await metrics()).to.contain('fleet_couriers_ready{channel="vk"} 1')
    await announced.stop()
  })

  it('Redis is away: a scrape is answered without old figures, and with new ones when it is back', async () => {
    const own = await ownRedis({ appendonly: false })
    const troubled = await startService({ redis: own.redis(), url: own.url }, undefined, silentLog, connectQueueRedis)
    const scrape = async () => (await troubled.call('/metrics')).text
    try {
      expect(await answered(scrape)).to.match(/^fleet_overdue_deliveries 0$/m)
      await own.kill()
      const started = performance.now()
      const away = await scrape()
      expect(performance.now() - started, 'before the scraper gives up').to.be.lessThan(10_000)
      expect(away)
        .to.match(/^fleet_redis_up 0$/m)
        .and.not.match(/^fleet_(overdue|oldest|waiting)\w+[ {]/m)
      await own.restart()
      expect(await answered(scrape)).to.match(/^fleet_overdue_deliveries 0$/m)
    } finally {
      await troubled.stop()
      await own.stop()
    }
  })

  it('shows an alarm while it holds', async () => {
    await writeAlarm(service.redis, { name: 'dead:vk', since: Date.now(), detail: 'no courier', isTold: true })
    expect(await metrics()).to.match(/^fleet_alarm\{alarm="dead:vk"\} 1$/m)
    await endAlarm(service.redis, 'dead:vk')
    expect(await metrics()).not.to.contain('dead:vk')
  })

  it('a channel that is gone leaves no figures behind', async () => {
    await use('vk')
    expect(await metrics()).to.contain('{channel="vk"}')
    await service.redis.flushdb()
    expect(await metrics()).not.to.contain('{channel="vk"}')
  })
})
