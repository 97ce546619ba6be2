import { expect } from 'chai'
import { type Fleet, startFleet } from './fleet.ts'

describe('a text with half a character, as it is left when a text is cut by its length', () => {
  let fleet: Fleet
  before(async () => {
    fleet = await startFleet({ couriers: { mail: 1 } })
    await fleet.api.call('PUT', '/v1/people/everywhere', { name: 'Везде Есть', role: 'student' })
    const addresses = { telegram: '4242001', vk: '4242001', sms: '+79004242001', mail: 'everywhere@mail.example' }
    for (const [channel, address] of Object.entries(addresses))
      expect((await fleet.api.call('PUT', `/v1/contacts/${channel}/everywhere`, { address })).status).to.be.below(300)
  })
  after(() => fleet.stop())

  it('is repaired once, and is the same on every channel and in the history', async () => {
    const { history } = await fleet.api.deliver({ to: ['user:everywhere'], text: 'Пожар \ud83d! \udd25 🔥' })
    const repaired = 'Пожар \ufffd! \ufffd 🔥'
    expect(history.text).to.equal(repaired)
    const rows = (await fleet.sandbox.accepted()).filter(({ text }) => text.includes('Пожар'))
    expect(rows.map(({ channel }) => channel)).to.have.members(['telegram', 'vk', 'sms', 'mail'])
    for (const { channel, text } of rows) expect(text, channel).to.contain(repaired)
  })
})
