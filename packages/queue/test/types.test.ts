/** Types of message are made, changed and removed while the fleet runs. */
import { type MessageType, maxWindowDays, type Role, serviceType, type TypeList } from '@courier-fleet/api-types'
import { expect } from 'chai'
import { startUniversity, type University } from './university.ts'

const news = { name: { ru: 'Новости', en: 'News' } }
const dayMs = 86_400_000

describe('types of message', () => {
  let fleet: University
  beforeEach(async () => {
    fleet = await startUniversity()
  })
  afterEach(() => fleet.stop())

  const put = (id: string, more: object = {}, as: Role = 'operator') =>
    fleet.ask<{ outcome: string; code: string; field: string }>(`PUT /v1/types/${id}`, { as }, { ...news, ...more })
  const remove = (id: string) => fleet.ask<{ code: string }>(`DELETE /v1/types/${id}`, { as: 'operator' })
  const list = async () => (await fleet.ask<TypeList>('GET /v1/types', { as: 'student' })).json.types
  const type = async (id: string) => (await fleet.ask<MessageType>(`GET /v1/types/${id}`, { as: 'student' })).json
  const numberOf = async (id: string) => (await type(id)).number

  it('are general alone at first, which has no rules', async () => {
    expect(await list()).to.deep.equal([
      {
        id: 'general',
        number: 1,
        name: { ru: 'Общее', en: 'General' },
        level: 3,
        optOut: 'allowed',
        caps: [],
        quiet: 'respect',
        senders: [],
      },
    ])
  })

  it('may let messages to one person go out as one, for ten minutes at most, and not with duplicates', async () => {
    expect((await put('news', { merge: 'PT60S' })).status).to.equal(201)
    expect(await type('news')).to.include({ merge: 'PT60S' })
    for (const merge of ['PT11M', 'PT0S', '60', '']) {
      const { status, json } = await put('news', { merge })
      expect([status, json.field], merge).to.deep.equal([422, 'merge'])
    }
    const { status, json } = await put('news', { merge: 'PT60S', duplicates: { window: 'PT24H' } })
    expect([status, json.field]).to.deep.equal([422, 'merge'])
  })

  it('are made, changed, told to be unchanged, and removed; the audit says by whom and what it was', async () => {
    expect((await put('news')).status).to.equal(201)
    expect((await put('news')).json.outcome).to.equal('unchanged')
    const rules = {
      level: 2,
      optOut: 'mandatory',
      caps: [{ n: 3, per: 'day', over: 'wait' }],
      interval: 'PT10M',
      duplicates: { window: 'P2D' },
      quiet: 'ignore',
      senders: ['staff'],
    }
    const changed = await put('news', rules)
    expect([changed.status, changed.json.outcome]).to.deep.equal([200, 'updated'])
    expect(await type('news')).to.deep.equal({ ...news, ...rules, id: 'news', number: 2 })
    const { lines } = (await fleet.ask<{ lines: { before: string }[] }>('GET /v1/audit?limit=1', { as: 'operator' }))
      .json
    expect(lines[0]).to.include({ action: 'settings.changed', by: 'operator-1', detail: 'version 2: types.news' })
    expect(lines[0]?.before).to.match(/^types\.news: \{.*"level":3/)
    expect((await remove('news')).status).to.equal(204)
    expect((await remove('news')).json.code).to.equal('unknown-type')
    expect((await list()).map(({ id }) => id)).to.deep.equal(['general'])
  })

  it('that are made at once by many are all there, each with a number of its own', async () => {
    const ids = Array.from({ length: 12 }, (_, i) => `type-${i}`)
    const answers = await Promise.all(ids.map((id) => put(id)))
    expect(answers.map(({ status }) => status)).to.deep.equal(ids.map(() => 201))
    const made = (await list()).filter(({ id }) => id !== 'general')
    expect(made.map(({ id }) => id)).to.have.members(ids)
    expect(new Set(made.map(({ number }) => number)).size).to.equal(ids.length)
  })

  it('keep their numbers when removed, for as long as a diary may hold them', async () => {
    await put('news')
    await put('exams')
    expect([await numberOf('news'), await numberOf('exams')]).to.deep.equal([2, 3])
    await remove('news')
    await put('library')
    expect(await numberOf('library')).to.equal(4)
    await put('news')
    expect(await numberOf('news')).to.equal(2)

    await remove('news')
    const removed = fleet.clock.now()
    fleet.clock.now = () => removed + maxWindowDays * dayMs
    await put('early')
    expect(await numberOf('early')).to.equal(5)
    fleet.clock.now = () => removed + (maxWindowDays + 1) * dayMs + 1
    await put('late')
    expect(await numberOf('late')).to.equal(2)
  })

  it('general gets rules, and loses them when it is removed', async () => {
    expect((await put('general', { level: 1 })).status).to.equal(200)
    expect(await type('general')).to.include({ level: 1, number: 1 })
    await remove('general')
    expect(await type('general')).to.include({ level: 3, number: 1 })
  })

  it("service is nobody's to change", async () => {
    expect((await put(serviceType)).json).to.include({ status: 409, code: 'service-type' })
    expect((await remove(serviceType)).json).to.include({ status: 409, code: 'service-type' })
  })

  it('name as senders any roles there are, and no others; a role that one names is not removed', async () => {
    const dean = { name: { ru: 'Декан', en: 'Dean' }, rights: 'staff', quota: null }
    const as = 'operator' as const
    const unknown = await put('orders', { senders: ['staff', 'dean'] })
    expect(unknown.json).to.include({ status: 422, code: 'bad-field', field: 'senders.1' })
    expect(unknown.json)
      .to.have.property('detail')
      .which.matches(/no role "dean".*There are student, trainer, staff, operator, admin$/)
    await fleet.ask('PUT /v1/roles/dean', { as }, dean)
    expect((await put('orders', { senders: ['dean', 'admin'] })).status).to.equal(201)
    const meant = await put('orders', { senders: ['deam'] })
    expect(meant.json).to.have.property('detail').which.includes('did you mean dean?')

    const remove = () => fleet.ask<{ code: string; detail: string }>('DELETE /v1/roles/dean', { as })
    expect((await remove()).json).to.include({ status: 409, code: 'role-in-use' })
    expect((await remove()).json.detail).to.include('orders')
    expect((await type('orders')).senders).to.deep.equal(['dean', 'admin'])
    await put('orders', { senders: ['admin'] })
    expect((await remove()).status).to.equal(204)
  })

  it('for a role that was made are for whoever has this very role, and not for all with its rights', async () => {
    const as = 'operator' as const
    await fleet.ask('PUT /v1/roles/dean', { as }, { name: { ru: 'Декан', en: 'Dean' }, rights: 'staff', quota: null })
    await put('orders', { senders: ['dean'] })
    await put('staff-news', { senders: ['staff'] })
    const key = { owner: 'deanery', role: 'dean', label: 'x' }
    const { apiKey } = (await fleet.ask<{ apiKey: string }>('POST /v1/api-keys', { as: 'admin' }, key)).json
    const send = (of: string, who: object) =>
      fleet.ask<{ code?: string; detail?: string }>('POST /v1/messages', who, {
        to: ['user:student-1'],
        text: 'x',
        type: of,
      })
    expect((await send('orders', { apiKey })).status).to.equal(201)
    expect((await send('staff-news', { apiKey })).status, 'it has the rights of staff').to.equal(201)
    const refused = await send('orders', { as: 'staff' })
    expect(refused.json).to.include({ status: 403, code: 'not-your-type' })
    expect(refused.json.detail).to.equal('the type orders is for dean, and you are staff')
  })

  it('are for operators to change', async () => {
    for (const as of ['trainer', 'staff'] as const) expect((await put('news', {}, as)).status).to.equal(403)
  })

  for (const [wrong, field] of [
    [{ name: { ru: 'Новости' } }, 'name.en'],
    [{ level: 6 }, 'level'],
    [{ caps: [{ n: 0, per: 'day' }] }, 'caps.0.n'],
    [{ caps: [{ n: 1, per: 'P32D' }] }, 'caps.0.per'],
    [{ interval: '10m' }, 'interval'],
    [{ senders: ['A teacher'] }, 'senders.0'],
    [{ colour: 'red' }, 'colour'],
    [{ number: 7 }, 'number'],
  ] as const)
    it(`are refused with what is wrong: ${field}`, async () => {
      expect((await put('news', wrong)).json).to.include({ status: 422, code: 'invalid', field })
      expect((await list()).map(({ id }) => id)).to.deep.equal(['general'])
    })
})
