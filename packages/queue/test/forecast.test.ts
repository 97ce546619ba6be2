import type { ForecastView, ProblemDocument, RehearsalView } from '@courier-fleet/api-types'
import { useChannel } from '@courier-fleet/store'
import { expect } from 'chai'
import { startUniversity, type University } from './university.ts'

const tariffs = {
  currency: 'RUB',
  prices: [
    { prefix: '+7', perPart: 4_000_000 },
    { prefix: '+79', perPart: 2_150_000 },
    { prefix: '+44', perPart: 9_000_000 },
  ],
}

describe('the forecast of a rehearsal', () => {
  let fleet: University
  beforeEach(async () => {
    fleet = await startUniversity()
    for (const channel of ['telegram', 'sms']) await useChannel(fleet.redis, 16, channel)
    const numbers = { anna: '+79002220001', boris: '+78122220002', clara: '+447911123456', dmitri: '+33612345678' }
    for (const [id, number] of Object.entries(numbers)) await fleet.directory.linkContact('sms', id, number)
    await fleet.directory.linkContact('telegram', 'anna', '101')
    await fleet.set({ tariffs })
  })
  afterEach(() => fleet.stop())

  const everyone = ['group:own', 'group:other']
  const rehearse = async (more: object = {}) => {
    const body = { to: everyone, text: 'x', ...more }
    const { json } = await fleet.ask<RehearsalView>('POST /v1/audiences:resolve', { as: 'staff' }, body)
    return json.plan.forecast as ForecastView
  }

  it('prices the parts of the text as it goes out, by the longest prefix of each number, and names who has no price', async () => {
    const { channels, cost } = await rehearse({ text: 'ж'.repeat(80) })
    expect(channels).to.deep.equal({ sms: { people: 4 }, telegram: { people: 1 } })
    expect({ ...cost, prices: cost?.prices.map(({ prefix, people }) => `${prefix} ${people}`).sort() }).to.deep.equal({
      people: 4,
      prices: ['+44 1', '+7 1', '+79 1'],
      unpriced: 1,
      currency: 'RUB',
      partsEach: 2,
      parts: 8,
      millionths: 2 * (4_000_000 + 2_150_000 + 9_000_000),
    })
  })

  it('counts whom the rules let have it there, and prices nobody else', async () => {
    await fleet.directory.setConsent('sms', 'anna', false)
    await fleet.set({ tariffs, caps: [{ n: 1, per: 'PT1H', over: 'drop' }] })
    const { cost, channels } = await rehearse()
    expect([channels.sms?.people, cost?.parts, cost?.millionths]).to.deep.equal([3, 3, 13_000_000])
  })

  it('says how many parts without tariffs, and nothing of money; without a text nothing of parts', async () => {
    await fleet.set({})
    const { cost } = await rehearse()
    expect(cost).to.deep.equal({ people: 4, prices: [], unpriced: 4, partsEach: 1, parts: 4 })
    expect((await rehearse({ text: undefined })).cost).to.deep.equal({ people: 4, prices: [], unpriced: 4 })
  })

  it('has no cost where none of its channels is paid for by the part, or none can take the text', async () => {
    expect(await rehearse({ channels: ['telegram'] })).to.deep.equal({ channels: { telegram: { people: 1 } } })
    expect(Object.keys((await rehearse({ text: 'ж'.repeat(18_000) })).channels)).to.deep.equal(['telegram'])
  })

  it('takes no tariffs that say a prefix twice, or one that is none', async () => {
    const patch = (value: object) =>
      fleet.ask<ProblemDocument>(
        'PATCH /v1/settings',
        { as: 'operator', headers: { 'if-match': '"1"' } },
        { tariffs: { ...tariffs, ...value } },
      )
    const refused = await Promise.all([
      patch({ prices: [...tariffs.prices, { prefix: '+7', perPart: 1 }] }),
      patch({ prices: [{ prefix: '79', perPart: 1 }] }),
      patch({ prices: [{ prefix: '+79', perPart: 0.5 }] }),
      patch({ currency: 'roubles' }),
    ])
    expect(refused.map(({ status }) => status)).to.deep.equal([422, 422, 422, 422])
    expect(refused[0]?.json.detail).to.include('each prefix once')
  })
})
