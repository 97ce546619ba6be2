import { channelList } from '@courier-fleet/api-types'
import { announceProcess } from '@courier-fleet/store'
import { ownRedis } from '@courier-fleet/testkit'
import { expect } from 'chai'
import { far, type Service, startService } from './service.ts'

describe('running the service', () => {
  let service: Service
  before(async () => {
    service = await startService()
  })
  after(() => service.stop())

  it('is alive and ready without an API key', async () => {
    expect((await service.call('/healthz')).json).to.deep.equal({ status: 'ok' })
    expect((await service.call('/readyz')).json).to.deep.equal({ status: 'ok', durability: 'master' })
    expect((await service.app.inject({ method: 'HEAD', url: '/readyz' })).statusCode).to.equal(200)
  })

  it('is not ready when Redis takes no writes', async () => {
    const own = await ownRedis({ appendonly: false })
    const redis = own.redis()
    const readOnly = await startService({ redis, url: own.url })
    try {
      await redis.config('SET', 'min-replicas-to-write', '1')
      expect((await readOnly.call('/readyz')).status).to.equal(503)
      const answer = await readOnly.call('/v1/history-keys', { method: 'POST', as: 'trainer' })
      expect([answer.status, answer.json.code]).to.deep.equal([503, 'redis-read-only'])
      expect((await readOnly.call('/v1/groups', { as: 'trainer' })).status).to.equal(200)
    } finally {
      await readOnly.stop()
      await own.stop()
    }
  })

  it('counts requests by route and status, and accepted messages', async () => {
    await service.send({ class: 'urgent' })
    await service.call('/v1/histories/00.trainer-1.aaaaaaaaaaaa', { as: 'trainer' })
    const body = {}
    await service.call('/v1/histories/00.trainer-1.aaaaaaaaaaaa:retry', { method: 'POST', as: 'trainer', body })
    const { text } = await service.call('/metrics')
    expect(text).to.contain('fleet_messages_accepted_total{source="api",class="urgent"} 1')
    expect(text).to.contain('fleet_http_requests_total{method="POST",route="/v1/messages",status="201"} 1')
    expect(text).to.contain('fleet_http_requests_total{method="GET",route="/v1/histories/:key",status="404"} 1')
    expect(text).to.match(
      /fleet_http_request_duration_seconds_bucket\{le="0.002",method="POST",route="\/v1\/messages"\}/,
    )
    expect(text).to.contain('{method="POST",route="/v1/histories/:key:retry",status="404"} 1')
    const [, leastLag] = /^nodejs_eventloop_lag_min_seconds (\S+)$/m.exec(text) ?? []
    expect(Number(leastLag), 'measured, though it was not before').to.be.within(0, 10)
    expect(text).not.to.contain('aaaaaaaaaaaa')
  })

  it('shows the couriers that have announced themselves', async () => {
    const announce = (name: string, channel: string, ready: boolean) =>
      announceProcess(service.redis, { name, role: 'courier', channel, target: 'sandbox' }, () => ({
        ready,
        inFlight: 3,
      }))
    const processes = [announce('vk-1', 'vk', true), announce('sms-1', 'sms', false), announce('vk-2', 'vk', false)]
    await Promise.all(processes.map((process) => process.refresh()))
    const { channels } = channelList.parse((await service.call('/v1/channels', { as: 'trainer' })).json)
    expect(channels.map(({ channel, ready }) => [channel, ready])).to.deep.equal([
      ['sms', false],
      ['vk', true],
    ])
    expect(channels[1]?.couriers[0]).to.include({ name: 'vk-1', pid: process.pid, target: 'sandbox', inFlight: 3 })
    await Promise.all(processes.map((process) => process.stop()))
    expect((await service.call('/v1/channels', { as: 'trainer' })).json).to.deep.equal({
      overdue: { deliveries: 0, oldestMs: 0, stuck: false },
      moving: [],
      settings: { version: 0, using: 0, of: 0, behind: [] },
      channels: [],
    })
  })

  it('accepts a message to 100 000 people in one call', async () => {
    const pipeline = service.redis.pipeline()
    const ids = Array.from({ length: 100_000 }, (_, index) => `person-${index}`)
    for (let from = 0; from < ids.length; from += 1000) pipeline.sadd('members:own', ...ids.slice(from, from + 1000))
    await pipeline.exec()
    const started = performance.now()
    const answer = await service.call<{ audience: { size: number } }>('/v1/messages', {
      method: 'POST',
      as: 'trainer',
      body: { to: ['group:own'], text: 'Hello', at: far },
    })
    const tookMs = performance.now() - started
    expect([answer.status, answer.json.audience.size]).to.deep.equal([201, 100_003])
    // one by one they would take minutes; how fast it is on a quiet machine, the bench says
    expect(tookMs).to.be.lessThan(30_000)
    console.log(`      accepted in ${Math.round(tookMs)} ms`)
  })
})
