import type { ProblemDocument, RetiredChannel } from '@courier-fleet/api-types'
import { announceProcess, keys, useChannel } from '@courier-fleet/store'
import { expect } from 'chai'
import { type Service, startService } from './service.ts'

describe('DELETE /v1/channels/{channel}', () => {
  let service: Service
  const shards = 16
  beforeEach(async () => {
    service = await startService()
    await useChannel(service.redis, shards, 'vk')
    await useChannel(service.redis, shards, 'sms')
  })
  afterEach(() => service.stop())

  const retire = (channel: string, as: 'staff' | 'operator' = 'operator') =>
    service.call<RetiredChannel & ProblemDocument>(`/v1/channels/${channel}`, { method: 'DELETE', as })
  const inUse = async () => {
    const known = await service.redis.hgetall(keys.channels('00'))
    return Object.keys(known).filter((channel) => known[channel] === 'in-use')
  }

  it('takes it out of use, tells what waits for it, and stands in the audit', async () => {
    const add = (shard: string, id: string, from: number, to: number) =>
      service.redis.xadd(keys.work(shard, 'sms', 'bulk'), id, 'message', 'dean:abcdefgh', 'from', from, 'to', to)
    await add('03', '1700000005000-0', 0, 400)
    await add('07', '1700000000000-0', 0, 10)
    await add('07', '1700000009000-0', 10, 12)
    const { status, json } = await retire('sms')
    expect([status, json]).to.deep.equal([
      200,
      { channel: 'sms', remaining: { entries: 3, people: 412, oldestAt: '2023-11-14T22:13:20.000Z' } },
    ])
    expect(await inUse()).to.deep.equal(['vk'])
    const audit = await service.call<{ lines: object[] }>('/v1/audit?limit=1', { as: 'operator' })
    expect(audit.json.lines[0]).to.include({ action: 'channel.retired', by: 'operator-1', channel: 'sms' })
    expect((await retire('vk')).json).to.deep.equal({ channel: 'vk', remaining: { entries: 0, people: 0 } })
  })

  it('is refused while a courier of it is alive, by name', async () => {
    const announced = announceProcess(service.redis, { name: 'sms-1', role: 'courier', channel: 'sms' }, () => ({
      ready: false,
    }))
    await announced.refresh()
    const { status, json } = await retire('sms')
    expect([status, json.code]).to.deep.equal([409, 'channel-in-use'])
    expect(json.detail).to.contain('sms-1')
    expect(await inUse()).to.have.members(['sms', 'vk'])
    await announced.stop()
    expect((await retire('sms')).status).to.equal(200)
  })

  it('is refused for a channel there is none of, and to whoever is no operator', async () => {
    const none = await retire('pigeon')
    expect([none.status, none.json.code]).to.deep.equal([404, 'unknown-channel'])
    expect((await retire('sms', 'staff')).status).to.equal(403)
  })
})
