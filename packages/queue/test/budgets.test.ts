/** Budgets of SMS: what operators may set, and what is said of them before anything is sent. */
import {
  type Acceptance,
  type HistoryView,
  type LimitsView,
  type Plan,
  parseHistoryKey,
  type RehearsalView,
  type ServiceView,
} from '@courier-fleet/api-types'
import { budgetKey, keys, parseRecord, useChannel } from '@courier-fleet/store'
import { expect } from 'chai'
import { startUniversity, type University } from './university.ts'

const tariffs = { currency: 'RUB', prices: [{ prefix: '+79', perPart: 2_000_000 }] }
const day = { parts: 10 }
const month = { millionths: 9_000_000, currency: 'RUB' }
const far = () => new Date(Date.now() + 3_600_000).toISOString()

describe('budgets of SMS', () => {
  let fleet: University
  before(async () => {
    fleet = await startUniversity({ timeZone: 'Europe/Moscow', quotas: {} })
    for (const channel of ['telegram', 'sms']) await useChannel(fleet.redis, 16, channel)
    await fleet.directory.linkContact('sms', 'anna', '+79002220001')
    await fleet.directory.linkContact('sms', 'boris', '+79002220002')
    await fleet.directory.linkContact('telegram', 'anna', '101')
  })
  after(() => fleet.stop())

  type Answer = Acceptance & { code?: string; field?: string; detail: string }
  const send = (body: object, as: 'trainer' | 'staff' = 'trainer') =>
    fleet.ask<Answer>('POST /v1/messages', { as }, { to: ['group:own'], text: 'ж'.repeat(80), at: far(), ...body })
  const rehearse = async (body: object): Promise<Plan> => {
    const whole = { to: ['group:own'], text: 'ж'.repeat(80), ...body }
    const { json } = await fleet.ask<RehearsalView>('POST /v1/audiences:resolve', { as: 'trainer' }, whole)
    return json.plan as Plan
  }
  const spend = async (of: 'day' | 'month', spent: number) => {
    const limit = of === 'day' ? day : month
    const key = budgetKey({ of, limit }, 'trainer-1', { nowMs: Date.now(), timeZone: 'Europe/Moscow' })
    await fleet.redis.hset(key, 'spent', spent)
  }
  const held = [
    { of: 'day', parts: 10, spent: 7, left: 3 },
    { of: 'month', ...month, spent: 8_500_000, left: 500_000 },
  ]

  it('are said with the worst case, to whoever rehearses, sends, or asks what is left; and to operators', async () => {
    await fleet.set({ tariffs, budgets: { day: { trainer: day }, month, exempt: [] } })
    await spend('day', 7)
    await spend('month', 8_500_000)
    const { status, json } = await send({ channels: ['sms'] })
    expect([status, json.plan?.budgets]).to.deep.equal([201, held])
    expect(json.plan?.costAtMost).to.include({ parts: 4, millionths: 8_000_000 })
    const { budgets, costAtMost } = await rehearse({ channels: ['sms'] })
    expect([budgets, costAtMost]).to.deep.equal([held, json.plan?.costAtMost])
    expect((await fleet.ask<LimitsView>('GET /v1/limits', { as: 'trainer' })).json.budgets).to.deep.equal(held)
    expect((await fleet.ask<LimitsView>('GET /v1/limits', { as: 'staff' })).json.budgets).to.deep.equal([held[1]])
    expect((await fleet.ask<ServiceView>('GET /v1/service', { as: 'operator' })).json.budget).to.deep.equal(held[1])
    const record = await fleet.redis.get(keys.record(parseHistoryKey(json.key)))
    expect(parseRecord(record as string).role).to.equal('trainer')
  })

  it('are not said where no SMS goes out, of types that are exempt, and where there are none: then nothing is kept', async () => {
    expect(await rehearse({ channels: ['telegram'] })).not.to.have.any.keys('budgets', 'costAtMost')
    const types = [{ id: 'alarm', number: 7, name: { ru: 'Тревога', en: 'Alarm' } }]
    await fleet.set({ types, tariffs, budgets: { day: { trainer: day }, month, exempt: ['alarm'] } })
    expect(await rehearse({ channels: ['sms'], type: 'alarm' })).not.to.have.any.keys('budgets', 'costAtMost')
    await fleet.set({})
    const { json } = await send({ channels: ['sms'] })
    expect(json).not.to.have.property('plan')
    expect((await fleet.ask<LimitsView>('GET /v1/limits', { as: 'trainer' })).json).not.to.have.property('budgets')
    const record = (await fleet.redis.get(keys.record(parseHistoryKey(json.key)))) as string
    expect(parseRecord(record)).not.to.have.property('role')
    const view = (await fleet.ask<HistoryView>(`GET /v1/histories/${json.key}`, { as: 'trainer' })).json
    expect(view).not.to.have.property('plan')
  })

  it('may be set by operators, in a currency that has prices and with types that there are; else it is said what is wrong', async () => {
    await fleet.set({})
    const change = async (patch: object) => {
      const { headers } = await fleet.ask('GET /v1/settings', { as: 'operator' })
      const ifMatch = { 'if-match': headers.get('etag') ?? '' }
      return fleet.ask<Answer>('PATCH /v1/settings', { as: 'operator', headers: ifMatch }, patch)
    }
    const refusals: [patch: object, field: string, detail: RegExp][] = [
      [{ budgets: { month } }, 'budgets.month.currency', /no SMS has a price in RUB: set the prices first/],
      [
        { budgets: { day: { trainer: { millionths: 1, currency: 'EUR' } } }, tariffs },
        'budgets.day.trainer.currency',
        /say it in RUB or in parts/,
      ],
      [{ budgets: { exempt: ['alarm'] } }, 'budgets.exempt.0', /no type "alarm"/],
      [{ budgets: { day: { dean: day } } }, 'budgets.day', /./],
      [{ budgets: { month: { parts: 0 } } }, 'budgets.month', /./],
    ]
    for (const [patch, field, detail] of refusals) {
      const { status, json } = await change(patch)
      expect([status, json.code], JSON.stringify(json)).to.deep.equal([422, 'invalid'])
      expect(`${json.field}: ${json.detail}`).to.match(detail).and.contain(field)
    }
    expect((await change({ budgets: { month }, tariffs })).status).to.equal(200)
    const { status, json } = await change({ tariffs: null })
    expect([status, json.code], 'prices stay while a budget is in money').to.deep.equal([422, 'invalid'])
    expect((await change({ budgets: {} })).status).to.equal(200)
    expect((await fleet.ask('PATCH /v1/settings', { as: 'trainer' }, { budgets: {} })).status).to.equal(403)
  })
  it('are those of a role that is called as something every object has, and none where it has none', async () => {
    const name = { ru: 'Конструктор', en: 'Constructor' }
    const roles = [{ id: 'constructor', name, rights: 'trainer' as const, quota: null }]
    await fleet.set({ roles, budgets: { day: { staff: day } } })
    const body = { owner: 'timetable', role: 'constructor', label: 'x' }
    const { apiKey } = (await fleet.ask<{ apiKey: string }>('POST /v1/api-keys', { as: 'admin' }, body)).json
    const limits = async () => (await fleet.ask<LimitsView>('GET /v1/limits', { apiKey })).json
    expect(await limits()).not.to.have.property('budgets')
    await fleet.set({ roles, budgets: { day: { constructor: day } } })
    expect((await limits()).budgets).to.deep.equal([{ of: 'day', ...day, spent: 0, left: 10 }])
  })
})
