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
    expect(missing[3]).to.contain('no value is given for room')
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

  it('is not for URLs, and is not corrected: both are said', async () => {
    const url = await refusal({ to: ['url:https://example.org/x'], text: texts })
    expect(url.slice(0, 3)).to.deep.equal([422, 'urls-and-people', 'text'])
    const { json } = await send({ text: texts })
    const path = `POST /v1/histories/${json.key}/corrections`
    const corrected = await fleet.ask<ProblemDocument>(path, { as: 'staff' }, { text: 'Another' })
    expect([corrected.status, corrected.json.code]).to.deep.equal([422, 'cannot-correct'])
    expect(corrected.json.detail).to.contain('not the same for everybody')
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
    expect(view.text?.preview).to.deep.equal({ person: 'boris', text: 'BORIS: moved' })
    const { cost } = view.plan.forecast ?? {}
    expect([cost?.parts, cost?.millionths, cost?.partsEach]).to.deep.equal([5, 10_000_000, undefined])
    expect((await rehearse({ text, fields: {}, preview: 'dmitri' })).text).not.to.have.property('preview')
    expect((await rehearse({ text: 'x', preview: 'boris' })).text).not.to.have.property('most')
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
