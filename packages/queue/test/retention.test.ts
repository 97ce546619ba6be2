import { memberOf, parseHistoryKey } from '@courier-fleet/api-types'
import { keys } from '@courier-fleet/store'
import { purge } from '@courier-fleet/timekeeper'
import { expect } from 'chai'
import { far, type Service, startService } from './service.ts'

describe('a message that has been kept for long enough', () => {
  let service: Service
  beforeEach(async () => {
    service = await startService()
  })
  afterEach(() => service.stop())

  async function purgeIt(key: string): Promise<void> {
    const ref = parseHistoryKey(key)
    await service.redis.zadd(keys.retention(ref.shard), 'XX', 1, memberOf(ref))
    expect((await purge(service.redis, ref.shard, 1000, 10)).messages).to.equal(1)
  }

  it('is unknown, is not listed, and a late repetition of its put finds the key unknown again', async () => {
    const young = await service.send()
    const { key } = (await service.call<{ key: string }>('/v1/history-keys', { method: 'POST', as: 'trainer' })).json
    const body = { to: ['group:own'], text: 'Hello', at: far }
    const put = () => service.call(`/v1/histories/${key}`, { method: 'PUT', as: 'trainer', body })
    expect((await put()).status).to.equal(201)
    expect((await service.call(`/v1/histories/${key}`, { method: 'DELETE', as: 'trainer' })).status).to.be.below(300)
    await purgeIt(key)

    for (const path of [`/v1/histories/${key}`, `/v1/histories/${key}/receipts`, `/v1/histories/${key}/recount`]) {
      const { status, json } = await service.call(path, { as: 'trainer' })
      expect([status, json.code], path).to.deep.equal([404, 'unknown-key'])
    }
    const listed = await service.call<{ histories: { key: string }[] }>('/v1/histories', { as: 'trainer' })
    expect(listed.json.histories.map((history) => history.key)).to.deep.equal([young])
    const again = await put()
    expect([again.status, again.json.code]).to.deep.equal([404, 'unknown-key'])
    expect(await service.redis.exists(keys.history(parseHistoryKey(key)))).to.equal(0)
  })
})
