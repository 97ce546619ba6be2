import { expect } from 'chai'
import { startUniversity, type University } from './university.ts'

describe('what an inbound process has set aside', () => {
  let fleet: University
  before(async () => {
    fleet = await startUniversity()
  })
  after(() => fleet.stop())

  it('is counted by channel and reason, and only of its channels', async () => {
    const { json } = await fleet.ask<{ apiKey: string }>(
      'POST /v1/api-keys',
      { as: 'admin' },
      { owner: 'vk-inbound', role: 'inbound', label: 'test', channels: ['vk'] },
    )
    const tell = (channel: string, reason: string) =>
      fleet.ask('POST /v1/contacts:set-aside', { apiKey: json.apiKey }, { channel, reason })
    for (const reason of ['invalid', 'internal', 'invalid']) expect((await tell('vk', reason)).status).to.equal(204)
    expect((await tell('sms', 'invalid')).json.code).to.equal('wrong-channel')
    expect((await tell('vk', 'What he wrote')).json.code).to.equal('invalid')
    const { text } = await fleet.call('/metrics')
    expect(text.match(/^fleet_inbound_set_aside_total.*$/gm)).to.have.members([
      'fleet_inbound_set_aside_total{channel="vk",reason="invalid"} 2',
      'fleet_inbound_set_aside_total{channel="vk",reason="internal"} 1',
    ])
  })
})
