/** Texts in several languages and with fields, as they are accepted, rehearsed and shown. */
import type { Acceptance, HistoriesPage, HistoryView, ProblemDocument, RehearsalView } from '@courier-fleet/api-types'
import { useChannel } from '@courier-fleet/store'
import { expect } from 'chai'
import { far } from './service.ts'
import { startUniversity, type University } from './university.ts'

const texts = { ru: 'Занятие переносится', en: 'The class is moved' }
const tariffs = { currency: 'RUB', prices: [{ prefix: '+', perPart: 2_000_000 }] }

describe('a text that is not the same for everybody', () => {
  let fleet: University
  beforeEach(async () => {
    fleet = await startUniversity()
    await useChannel(fleet.redis, 16, 'sms')
    const { directory } = fleet
    for (const [index, id] of ['anna', 'boris', 'clara'].entries()) {
      const language = ['ru-RU', 'en-GB', 'de'][index] as string
      await directory.putPerson({ id, name: id.toUpperCase(), role: 'student', timeZone: 'UTC', language })
      await directory.linkContact('sms', id, `+7900222000${index}`)
    }
  })
  afterEach(() => fleet.stop())

  const send = (body: object) =>
    fleet.ask<Acceptance & ProblemDocument>(
      'POST /v1/messages',
      { as: 'staff' },
      { to: ['group:own'], at: far, ...body },
    )
  const rehearse = async (body: object) =>
    (await fleet.ask<RehearsalView>('POST /v1/audiences:resolve', { as: 'staff' }, { to: ['group:own'], ...body })).json
  const refusal = async (body: object) => {
    const { status, json } = await send(body)
    return [status, json.code, json.field, json.detail] as const
  }

  it('is kept in all of its languages, that for everybody else as its text; a search finds each', async () => {
    const { json } = await send({ text: texts, language: 'ru' })
    const view = (await fleet.ask<HistoryView>(`GET /v1/histories/${json.key}`, { as: 'staff' })).json
    expect(view).to.deep.include({ text: texts.ru, language: 'ru', texts: { en: texts.en } })
    for (const word of ['занятие', 'moved']) {
      const path = `GET /v1/histories?search=${encodeURIComponent(word)}`
      const { histories } = (await fleet.ask<HistoriesPage>(path, { as: 'staff' })).json
      expect(
        histories.map(({ key }) => key),
        word,
      ).to.deep.equal([json.key])
    }
  })

  it('is for people of other languages in that of the fleet, where it does not say so; where that is none of its own, it has to', async () => {
    const { json } = await send({ text: texts })
    expect((await fleet.ask<HistoryView>(`GET /v1/histories/${json.key}`, { as: 'staff' })).json.text).to.equal(
      texts.en,
    )
    await fleet.set({ language: 'de' })
    const [status, code, field, detail] = await refusal({ text: texts })
    expect([status, code, field]).to.deep.equal([422, 'which-language', 'language'])
    expect(detail).to.contain('de').and.to.contain('ru, en')
    expect((await send({ text: texts, language: 'en' })).status).to.equal(201)
    expect((await refusal({ text: texts, language: 'fr' })).slice(0, 3)).to.deep.equal([422, 'invalid', 'language'])
    expect((await refusal({ text: 'x', language: 'ru' })).slice(0, 3)).to.deep.equal([422, 'invalid', 'language'])
    expect((await refusal({ text: {} })).slice(0, 3)).to.deep.equal([422, 'invalid', 'text'])
    expect((await refusal({ text: '' })).slice(0, 4)).to.deep.equal([422, 'invalid', 'text', 'text: must not be empty'])
  })

  it('without fields keeps its braces; with them a slip, a missing value and a difference are refused, with what would be right', async () => {
    expect((await send({ text: 'Hello {{name}}, {{' })).status).to.equal(201)
    const slip = await refusal({ text: 'Hello {{na me}}', fields: {} })
    expect(slip.slice(0, 3)).to.deep.equal([422, 'invalid', 'text'])
    expect(slip[3]).to.contain('"{{na me}}" is no field').and.to.contain('{{field|otherwise}}')
    const missing = await refusal({ text: '{{name}}: {{room}}', fields: {} })
    expect(missing.slice(0, 3)).to.deep.equal([422, 'missing-field', 'fields'])
    expect(missing[3]).to.contain('3 of 3 people have no value for room: anna, boris, clara;')
    const differ = await refusal({ text: { ru: '{{name}}', en: 'x' }, fields: {} })
    expect(differ.slice(0, 3)).to.deep.equal([422, 'fields-differ', 'text'])
    expect(differ[3]).to.contain('name').and.to.contain('none')
    expect((await refusal({ text: 'x', fields: { name: 'x' } })).slice(0, 2)).to.deep.equal([422, 'invalid'])
    expect((await refusal({ text: 'x', fields: { room: ' ' } })).slice(0, 2)).to.deep.equal([422, 'invalid'])
    expect((await refusal({ text: 'x', fields: { room: 'x'.repeat(201) } })).slice(0, 2)).to.deep.equal([
      422,
      'invalid',
    ])
    const { json } = await send({ text: '{{name}}: {{room}} {{floor|1}}', fields: { room: '204' } })
    const view = (await fleet.ask<HistoryView>(`GET /v1/histories/${json.key}`, { as: 'staff' })).json
    expect(view).to.deep.include({ text: '{{name}}: {{room}} {{floor|1}}', fields: { room: '204' } })
  })

  it('says what people have values of their own for; the message gives another, and whoever has none is named', async () => {
    const own = (id: string, fields: object) => {
      const body = { name: id.toUpperCase(), role: 'student', language: 'ru', fields }
      return fleet.ask<ProblemDocument>(`PUT /v1/people/${id}`, { as: 'admin' }, body)
    }
    expect((await own('anna', { room: '204' })).status).to.equal(200)
    expect((await own('boris', { seat: '7' })).status).to.equal(200)
    const text = '{{name}}: {{room}}'
    const { status, json } = await send({ text, fields: {} })
    expect([status, json.code]).to.deep.equal([422, 'missing-field'])
    const { people, fields, first } = json as ProblemDocument
    expect({ people, fields, first }).to.deep.equal({ people: 2, fields: ['room'], first: ['boris', 'clara'] })
    const rehearsed = await fleet.ask<ProblemDocument>(
      'POST /v1/audiences:resolve',
      { as: 'staff' },
      { to: ['group:own'], text, fields: {} },
    )
    expect([rehearsed.status, rehearsed.json.first]).to.deep.equal([422, ['boris', 'clara']])
    expect((await send({ text, fields: { room: '1' } })).status).to.equal(201)
    expect((await send({ text: '{{name}}: {{room|the hall}}', fields: {} })).status).to.equal(201)
    const preview = async (id: string, given: object) =>
      (await rehearse({ text: '{{room|the hall}}', fields: given, preview: id })).text?.preview?.text
    expect(await preview('anna', {})).to.equal('204')
    expect(await preview('boris', {})).to.equal('the hall')
    expect(await preview('anna', { room: '1' }), 'what the message says holds').to.equal('1')
  })

  it('shows what is known of people to themselves and to operators, and to nobody else', async () => {
    const body = {
      name: 'Имя student-1',
      role: 'student',
      language: 'ru',
      timeZone: 'Europe/Moscow',
      fields: { room: '204' },
    }
    expect((await fleet.ask('PUT /v1/people/student-1', { as: 'admin' }, body)).status).to.equal(200)
    const seenBy = async (as: 'student' | 'staff' | 'operator') =>
      (await fleet.ask<{ fields?: object }>('GET /v1/people/student-1', { as })).json.fields
    expect([await seenBy('student'), await seenBy('operator'), await seenBy('staff')]).to.deep.equal([
      { room: '204' },
      { room: '204' },
      undefined,
    ])
    const { json } = await fleet.ask<{ people: object[] }>('GET /v1/people', { as: 'staff' })
    expect(json.people.length).to.be.above(3)
    for (const person of json.people) expect(person).not.to.have.property('fields')
    const all = await fleet.ask<{ person: { fields?: object } }>('GET /v1/people/student-1/data', { as: 'admin' })
    expect(all.json.person.fields).to.deep.equal({ room: '204' })
    for (const fields of [{ name: 'x' }, { 'a b': 'x' }, { room: ' ' }, { room: 'x'.repeat(201) }]) {
      const { status } = await fleet.ask('PUT /v1/people/student-1', { as: 'admin' }, { ...body, fields })
      expect(status, JSON.stringify(fields)).to.equal(422)
    }
  })

  it('is not for URLs, which is said', async () => {
    const url = await refusal({ to: ['url:https://example.org/x'], text: texts })
    expect(url.slice(0, 3)).to.deep.equal([422, 'urls-and-people', 'text'])
  })

  it('is priced and counted by what each is sent, and shown for who is sent most and for one who is named', async () => {
    await fleet.set({ tariffs })
    const text = { ru: `{{name}}: ${'ж'.repeat(80)}`, en: '{{name}}: moved', de: `{{name}}: ${'z'.repeat(100)}` }
    const view = await rehearse({ text, fields: {}, preview: 'boris', channels: ['sms'] })
    expect(view.text?.most).to.deep.equal({
      length: { person: 'clara', characters: 107 },
      parts: { person: 'anna', parts: 2 },
    })
    expect([view.text?.length, view.text?.sms.parts, view.text?.sms.total]).to.deep.equal([107, 2, 5])
    expect(view.text?.preview).to.deep.equal({ person: 'boris', name: 'BORIS', text: 'BORIS: moved' })
    const { cost } = view.plan?.forecast ?? {}
    expect([cost?.parts, cost?.millionths, cost?.partsEach]).to.deep.equal([5, 10_000_000, undefined])
    expect((await rehearse({ text, fields: {}, preview: 'dmitri' })).text).not.to.have.property('preview')
    expect((await rehearse({ text: 'x', preview: 'boris' })).text).not.to.have.property('most')
  })

  it('says how often VK is called: once for each text of a hundred people, and for each who is to confirm it', async () => {
    await useChannel(fleet.redis, 16, 'vk')
    for (const [index, id] of ['anna', 'boris', 'clara'].entries())
      await fleet.directory.linkContact('vk', id, `59300000${index}`)
    const calls = async (body: object) => (await rehearse({ text: texts, language: 'en', ...body })).text?.calls
    expect(await calls({})).to.deep.equal({ vk: 2 })
    expect(await calls({ confirm: true })).to.deep.equal({ vk: 3 })
    expect(await calls({ channels: ['sms'] })).to.equal(undefined)
    const long = { ru: `${'ж '.repeat(2_500)}{{name}}`, en: '{{name}}' }
    expect(await calls({ text: long, fields: {} }), 'two pieces for anna').to.deep.equal({ vk: 4 })
    const many = Array.from({ length: 150 }, (_, index) => `p${index}`)
    for (const [index, id] of many.entries()) {
      await fleet.directory.putPerson({
        id,
        name: id,
        role: 'student',
        timeZone: 'UTC',
        language: index % 2 ? 'ru' : 'en',
      })
      await fleet.directory.linkContact('vk', id, String(594_000_000 + index))
    }
    await fleet.directory.putGroup({ id: 'many', name: 'Many', owners: [] })
    await fleet.directory.addMembers('many', many)
    expect(await calls({ to: ['group:many'] })).to.deep.equal({ vk: 4 })
    expect((await rehearse({ text: 'x' })).text).not.to.have.property('calls')
  })

  it('is the same again only with the same values and languages', async () => {
    await fleet.set({ types: [{ id: 'news', number: 7, name: { ru: 'Н', en: 'N' }, duplicates: { window: 'PT1H' } }] })
    const again = async (body: object) => (await send({ type: 'news', ...body })).status
    const roomy = (room: string) => ({ text: '{{name}} {{room}}', fields: { room } })
    expect(await again(roomy('1'))).to.equal(201)
    expect(await again(roomy('2'))).to.equal(201)
    expect(await again(roomy('1'))).to.equal(409)
    expect(await again({ text: texts })).to.equal(201)
    expect(await again({ text: texts, language: 'ru' })).to.equal(201)
    expect(await again({ text: texts })).to.equal(409)
  })
})
