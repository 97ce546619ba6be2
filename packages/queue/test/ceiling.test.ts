/** The ceiling of a message: what of it is accepted, and what is said of it before anything is sent. */
import type { Acceptance, HistoryView, Plan, RehearsalView } from '@courier-fleet/api-types'
import { useChannel } from '@courier-fleet/store'
import { expect } from 'chai'
import { startUniversity, type University } from './university.ts'

const tariffs = { currency: 'RUB', prices: [{ prefix: '+79', perPart: 2_000_000 }] }
const steps = [{ channels: ['telegram'] }, { channels: ['sms'], after: 'PT10M', unless: 'sent' }]
const inAnHour = () => new Date(Date.now() + 3_600_000).toISOString()

describe('the ceiling of a message', () => {
  let fleet: University
  before(async () => {
    fleet = await startUniversity()
    for (const channel of ['telegram', 'sms']) await useChannel(fleet.redis, 16, channel)
    await fleet.directory.linkContact('sms', 'anna', '+79002220001')
    await fleet.directory.linkContact('sms', 'boris', '+447911123456')
    await fleet.directory.linkContact('telegram', 'anna', '101')
  })
  after(() => fleet.stop())

  type Answer = Acceptance & { code?: string; field?: string; detail: string }
  const send = (body: object) =>
    fleet.ask<Answer>('POST /v1/messages', { as: 'trainer' }, { to: ['group:own'], text: 'ж'.repeat(80), ...body })
  const rehearse = async (body: object): Promise<Plan> => {
    const whole = { to: ['group:own'], text: 'ж'.repeat(80), ...body }
    const { json } = await fleet.ask<RehearsalView>('POST /v1/audiences:resolve', { as: 'trainer' }, whole)
    return json.plan as Plan
  }
  const most = { people: 2, unpriced: 1, currency: 'RUB', partsEach: 2, parts: 4, millionths: 4_000_000 }

  it('is accepted in parts, and shown with what of it is spent; what it costs at most is said with it, as in a rehearsal', async () => {
    await fleet.set({ tariffs })
    for (const ceiling of [{ parts: 3 }, { millionths: 5_000_000, currency: 'RUB' }]) {
      for (const way of [{ channels: ['sms'] }, { steps }]) {
        const message = { ceiling, at: inAnHour(), ...way }
        const { status, json } = await send(message)
        expect([status, json.code]).to.deep.equal([201, undefined])
        expect(json.plan?.costAtMost).to.deep.include(most)
        const view = (await fleet.ask<HistoryView>(`GET /v1/histories/${json.key}`, { as: 'trainer' })).json
        expect(view.ceiling).to.deep.equal({ ...ceiling, spent: 0 })
        expect((await rehearse(message)).costAtMost).to.deep.equal(json.plan?.costAtMost)
        const moved = { at: new Date(Date.now() + 7_200_000).toISOString() }
        await fleet.ask(`PATCH /v1/histories/${json.key}`, { as: 'trainer' }, moved)
        const after = (await fleet.ask<HistoryView>(`GET /v1/histories/${json.key}`, { as: 'trainer' })).json
        expect(after.plan?.costAtMost).to.deep.equal(json.plan?.costAtMost)
      }
    }
  })

  it('is not needed to be told what steps cost at most; without either nothing is said', async () => {
    await fleet.set({ tariffs })
    expect((await rehearse({ steps })).costAtMost).to.deep.include(most)
    expect(await rehearse({})).not.to.have.property('costAtMost')
    expect(await rehearse({ channels: ['telegram'], ceiling: { parts: 1 } })).not.to.have.property('costAtMost')
    const withoutText = await rehearse({ steps, text: undefined })
    expect(withoutText.costAtMost).to.include({ people: 2 }).and.not.have.any.keys('parts', 'millionths')
  })

  it('is refused in money for which there are no prices, and it is said what would do', async () => {
    const ceiling = { millionths: 5_000_000, currency: 'EUR' }
    await fleet.set({ tariffs })
    const other = await send({ ceiling })
    expect([other.status, other.json.code, other.json.field]).to.deep.equal([422, 'no-prices', 'ceiling.currency'])
    expect(other.json.detail).to.equal('prices of SMS are in RUB: say it in RUB or in parts')
    await fleet.set({})
    const none = await send({ ceiling })
    expect(none.json.detail).to.equal('no prices of SMS are set (`tariffs`): say it in parts')
    const rehearsed = await fleet.ask<Answer>(
      'POST /v1/audiences:resolve',
      { as: 'trainer' },
      { to: ['group:own'], ceiling },
    )
    expect(rehearsed.json.code).to.equal('no-prices')
    expect((await send({ ceiling: { parts: 4 }, at: inAnHour() })).status).to.equal(201)
  })

  it('is one of the two, whole and more than nothing; of a message to URLs there is none', async () => {
    for (const ceiling of [{}, { parts: 0 }, { parts: 1.5 }, { parts: 1, currency: 'RUB' }, { millionths: 5 }, 7]) {
      const { status, json } = await send({ ceiling })
      expect([status, json.code, json.field?.split('.')[0]], JSON.stringify(ceiling)).to.deep.equal([
        422,
        'invalid',
        'ceiling',
      ])
    }
    const urls = await fleet.ask<Answer>(
      'POST /v1/messages',
      { as: 'staff' },
      { to: ['url:https://example.org/in'], text: 'x', ceiling: { parts: 1 } },
    )
    expect([urls.status, urls.json.field]).to.deep.equal([422, 'ceiling'])
  })
})
