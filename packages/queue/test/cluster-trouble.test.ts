import { silentLog } from '@courier-fleet/process'
import { type OwnRedis, ownRedis, until } from '@courier-fleet/testkit'
import { expect } from 'chai'
import type { Redis } from 'ioredis'
import { connectQueueRedis } from '../src/index.ts'
import { far, type Service, startService } from './service.ts'

describe('a cluster of which a part is not served', () => {
  let server: OwnRedis
  let admin: Redis
  let service: Service

  before(async () => {
    server = await ownRedis({ cluster: true, config: { 'cluster-announce-ip': '127.0.0.1' } })
    admin = server.redis()
    service = await startService(
      { redis: admin, url: server.url.replace('redis', 'redis+cluster') },
      undefined,
      silentLog,
      connectQueueRedis,
    )
  })
  after(async () => {
    await service?.stop()
    await server?.stop()
  })

  const send = () =>
    service.call('/v1/messages', {
      method: 'POST',
      as: 'trainer',
      body: { text: 'lecture', to: ['group:own'], at: far },
      headers: { 'idempotency-key': 'once' },
    })

  it('is named by the API as the reason; the same call goes through once it is served', async () => {
    await admin.cluster('DELSLOTSRANGE', 1, 16_383)
    const { json, headers } = await until(async () => {
      const answer = await send()
      expect(answer.status).to.be.oneOf([409, 503])
      // whoever was late themselves only knows that it does not answer
      return answer.json.detail === 'a part of the Redis cluster is down; try again soon' && answer
    }, 'it is named')
    expect(json.code).to.equal('redis-away')
    expect(headers['content-type']).to.contain('application/problem+json')
    expect(headers['retry-after']).to.equal('2')
    await admin.cluster('ADDSLOTSRANGE', 1, 16_383)
    expect(
      (
        await until(async () => {
          const answer = await send()
          return answer.status < 300 && answer
        }, 'it is served')
      ).status,
    ).to.be.within(200, 201)
  })
})
