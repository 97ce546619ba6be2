/** Who has read: what an inbound process may tell, whether it counts, and what the fleet promises by it. */
import type { ReadView } from '@courier-fleet/api-types'
import { createUnread } from '@courier-fleet/store'
import { expect } from 'chai'
import { startUniversity, type University } from './university.ts'

describe('who has read', () => {
  let fleet: University
  before(async () => {
    fleet = await startUniversity()
  })
  after(() => fleet.stop())

  const set = async (tellRead: readonly string[]) => {
    const { json } = await fleet.ask<{ version: number }>('GET /v1/settings', { as: 'operator' })
    const headers = { 'if-match': `"${json.version}"` }
    return fleet.ask<{ code?: string; field?: string }>('PATCH /v1/settings', { as: 'operator', headers }, { tellRead })
  }
  const tell = (body: object, who: object = { as: 'inbound' }) =>
    fleet.ask<ReadView & { code?: string; field?: string }>('POST /v1/contacts:read', who, body)
  const of = (...reads: [address: string, upTo: string][]) => ({
    channel: 'vk',
    reads: reads.map(([address, upTo]) => ({ address, upTo })),
  })
  const steps = [{ channels: ['vk'] }, { channels: ['sms'], after: 'PT10M', unless: 'read' }]
  const send = () =>
    fleet.ask<{ key: string; code?: string; field?: string; detail: string }>(
      'POST /v1/messages',
      { as: 'trainer' },
      { to: ['group:own'], text: 'T', steps },
    )

  it('is waited for only where the provider is set up to tell it, and it is said what to do', async () => {
    const { status, json } = await send()
    expect([status, json.code, json.field]).to.deep.equal([422, 'cannot-tell', 'steps.1.unless'])
    expect(json.detail).to.equal(
      'vk does not tell who is "read", only sent; it can be set up to: then an operator adds vk to the setting `tellRead`',
    )
    expect((await set(['vk'])).status).to.equal(200)
    expect((await send()).status).to.equal(201)
  })

  it('can be told by no channel that cannot', async () => {
    for (const [channel, code] of [
      ['sms', 'cannot-tell'],
      ['telegram', 'cannot-tell'],
      ['pager', 'unknown-channel'],
    ] as const) {
      const { status, json } = await set(['vk', channel])
      expect([status, json.code, json.field], channel).to.deep.equal([422, code, 'tellRead.1'])
    }
    expect((await set(['vk', 'vk'])).status).to.equal(422)
  })

  it('counts by whoever reads for that channel, and by nobody else', async () => {
    await set(['vk'])
    const { json } = await send()
    const [shard = '', sender = '', id = ''] = json.key.split('.')
    const ref = { shard, sender, id }
    const unread = createUnread({ redis: fleet.redis, channel: 'vk' })
    await unread.note([{ address: '5001', providerId: '42', ref, leg: 'vk', ordinal: 0 }])
    for (const as of ['trainer', 'admin'] as const)
      expect((await tell(of(['5001', '42']), { as })).status).to.equal(403)
    const ofSms = { owner: 'sms-in', role: 'inbound', label: 'sms', channels: ['sms'] }
    const { apiKey } = (await fleet.ask<{ apiKey: string }>('POST /v1/api-keys', { as: 'admin' }, ofSms)).json
    const wrong = await tell(of(['5001', '42']), { apiKey })
    expect([wrong.status, wrong.json.code]).to.deep.equal([403, 'wrong-channel'])
    for (const upTo of ['0', '-1', '1.5', 'all', '9'.repeat(16)]) {
      const { status, json: problem } = await tell(of(['5001', upTo]))
      expect([status, problem.field], upTo).to.deep.equal([422, 'reads.0.upTo'])
    }
    await set([])
    expect((await tell(of(['5001', '42']))).json, 'nobody has said that it is to count').to.deep.equal({ read: 0 })
    await set(['vk'])
    expect((await tell(of(['5002', '42'], ['5001', '41']))).json).to.deep.equal({ read: 0 })
  })
})
