/** Stored texts and values of each recipient over HTTP: who changes what, what a message keeps of it, and what is refused. */
import type {
  Acceptance,
  AuditPage,
  HistoryView,
  ProblemDocument,
  RehearsalView,
  TemplateList,
  TemplateOutcome,
  TemplateVersions,
  TemplateView,
} from '@courier-fleet/api-types'
import { parseHistoryKey } from '@courier-fleet/api-types'
import { eraseEverywhere, keys, parseRecord } from '@courier-fleet/store'
import { expect } from 'chai'
import { far } from './service.ts'
import { startUniversity, type University, type Who } from './university.ts'

const exam = {
  name: { ru: 'Экзамен', en: 'Exam' },
  text: { ru: '{{name}}, экзамен в ауд. {{room}}', en: '{{name}}, exam in {{room}}' },
  fields: [{ name: 'room', label: { ru: 'Аудитория', en: 'Room' }, example: '204' }],
}

describe('templates', () => {
  let fleet: University
  beforeEach(async () => {
    fleet = await startUniversity()
    for (const [index, id] of ['anna', 'boris', 'clara'].entries()) {
      const language = ['ru-RU', 'en-GB', 'de'][index] as string
      await fleet.directory.putPerson({ id, name: id.toUpperCase(), role: 'student', timeZone: 'UTC', language })
    }
  })
  afterEach(() => fleet.stop())

  const put = (body: object = exam, version?: number, who: Who = { as: 'staff' }) =>
    fleet.ask<TemplateOutcome & ProblemDocument>(
      'PUT /v1/templates/exam',
      { ...who, ...(version === undefined ? {} : { headers: { 'if-match': `"${version}"` } }) },
      body,
    )
  const archive = (version: number) =>
    fleet.ask('DELETE /v1/templates/exam', { as: 'staff', headers: { 'if-match': `"${version}"` } })
  const send = (body: object, who: Who = { as: 'trainer' }) =>
    fleet.ask<Acceptance & ProblemDocument>('POST /v1/messages', who, { to: ['group:own'], at: far, ...body })
  const history = async (key: string) =>
    (await fleet.ask<HistoryView>(`GET /v1/histories/${key}`, { as: 'trainer' })).json
  const codeOf = async (asked: Promise<{ status: number; json: ProblemDocument }>) => {
    const { status, json } = await asked
    return [status, json.code, json.field]
  }

  it('are made by staff in versions, each for the one that was read; a new one needs none, and what is so already changes nothing', async () => {
    expect(await codeOf(put(exam, undefined, { as: 'trainer' }))).to.deep.include.members([403, 'not-allowed'])
    const made = await put()
    expect([made.status, made.json, made.headers.get('etag')]).to.deep.equal([
      201,
      { id: 'exam', outcome: 'created', version: 1 },
      '"1"',
    ])
    expect((await put()).json).to.deep.equal({ id: 'exam', outcome: 'unchanged', version: 1 })
    const other = { ...exam, text: '{{name}}: {{room}}' }
    expect((await codeOf(put(other))).slice(0, 2)).to.deep.equal([428, 'version-needed'])
    expect((await put(other, 1)).json).to.deep.equal({ id: 'exam', outcome: 'updated', version: 2 })
    expect((await codeOf(put(exam, 1))).slice(0, 2)).to.deep.equal([412, 'stale-version'])
    const many = await Promise.all(
      Array.from({ length: 5 }, (_, index) => put({ ...other, text: `{{room}} ${index}` }, 2)),
    )
    expect(many.filter(({ status }) => status === 200)).to.have.length(1)
    expect(many.filter(({ json }) => json.code === 'stale-version')).to.have.length(4)
    const read = await fleet.ask<TemplateView>('GET /v1/templates/exam', { as: 'trainer' })
    expect([read.json.version, read.headers.get('etag')]).to.deep.equal([3, '"3"'])
    const { json } = await fleet.ask<TemplateVersions>('GET /v1/templates/exam/versions', { for: 'telegram:7002' })
    expect(json).to.include({ code: 'not-allowed' })
    const { versions } = (await fleet.ask<TemplateVersions>('GET /v1/templates/exam/versions', { as: 'trainer' })).json
    expect(versions.map(({ version, by }) => [version, by])).to.deep.equal([3, 2, 1].map((at) => [at, 'staff-1']))
    expect(versions[2]).to.deep.include({ text: exam.text, language: 'en', fields: exam.fields, name: exam.name })
    const { lines } = (await fleet.ask<AuditPage>('GET /v1/audit?limit=9', { as: 'operator' })).json
    const told = lines.flatMap(({ action, by, detail }) => (action === 'template.changed' ? [[by, detail]] : []))
    expect(told).to.deep.equal([3, 2, 1].map((at) => ['staff-1', `template:exam version ${at}`]))
  })

  it('say what is wrong with them: no such field, texts that differ, a slip, a type or a language there is not', async () => {
    const refusals: [object, unknown[]][] = [
      [{ fields: [{ name: 'seat' }] }, [422, 'invalid', 'fields.0.name']],
      [{ fields: [{ name: 'room' }, { name: 'room' }] }, [422, 'invalid', 'fields.1.name']],
      [{ fields: [{ name: 'name' }] }, [422, 'invalid', 'fields.0.name']],
      [{ text: 'In {{ro om}}', fields: [] }, [422, 'invalid', 'text']],
      [{ text: { ru: '{{room}}', en: 'x' } }, [422, 'fields-differ', 'text']],
      [{ text: { ru: '{{room}}' } }, [422, 'which-language', 'language']],
      [{ type: 'none' }, [422, 'unknown-type', 'type']],
      [{ name: { ru: 'x' } }, [422, 'invalid', 'name.en']],
    ]
    for (const [wrong, expected] of refusals)
      expect(await codeOf(put({ ...exam, ...wrong })), JSON.stringify(wrong)).to.deep.equal(expected)
    expect((await fleet.ask('GET /v1/templates/exam', { as: 'trainer' })).json).to.include({ code: 'unknown-template' })
  })

  it('give a message its text, in the version it was accepted with: what is changed, archived or erased later changes nothing', async () => {
    await put()
    const missing = await send({ template: { id: 'exam' } })
    expect([missing.status, missing.json.code, missing.json.fields]).to.deep.equal([422, 'missing-field', ['room']])
    const body = { template: { id: 'exam' }, fields: { room: '204' } }
    const retried: Who = { as: 'trainer', headers: { 'idempotency-key': 'again' } }
    const first = await send(body, retried)
    expect(first.status, JSON.stringify(first.json)).to.equal(201)
    await put({ ...exam, text: 'Another: {{room}}' }, 1)
    expect((await send(body, retried)).json.key, 'the same call again').to.equal(first.json.key)
    expect(await history(first.json.key)).to.deep.include({
      text: exam.text.en,
      language: 'en',
      texts: { ru: exam.text.ru },
      fields: { room: '204' },
      template: { id: 'exam', version: 1 },
    })
    const newest = await send(body)
    expect(await history(newest.json.key)).to.deep.include({
      text: 'Another: {{room}}',
      template: { id: 'exam', version: 2 },
    })
    const older = await send({ ...body, template: { id: 'exam', version: 1 } })
    expect((await history(older.json.key)).text).to.equal(exam.text.en)
    expect(await codeOf(send({ ...body, template: { id: 'exam', version: 7 } }))).to.deep.equal([
      422,
      'unknown-template',
      'template',
    ])
    expect(await codeOf(send({ ...body, template: { id: 'none' } }))).to.deep.equal([
      422,
      'unknown-template',
      'template',
    ])
    expect(await codeOf(send({ ...body, text: 'x' }))).to.deep.equal([422, 'invalid', 'template'])
    expect(await codeOf(send({}))).to.deep.equal([422, 'invalid', 'text'])
    expect((await codeOf(archive(1))).slice(0, 2)).to.deep.equal([412, 'stale-version'])
    expect((await archive(2)).status).to.equal(204)
    expect((await archive(2)).status, 'once more').to.equal(204)
    expect((await send(body)).json.detail).to.equal('the template "exam" was archived: choose another')
    const list = async (query = '') =>
      (await fleet.ask<TemplateList>(`GET /v1/templates${query}`, { for: 'telegram:7001' })).json.templates
    expect(await list()).to.deep.equal([])
    expect((await list('?archived=true')).map(({ version, archived }) => [version, archived])).to.deep.equal([
      [3, true],
    ])
    expect((await put(exam, 3)).json).to.include({ version: 4, outcome: 'updated' })
    expect((await list()).map(({ id }) => id)).to.deep.equal(['exam'])
    expect((await history(first.json.key)).text).to.equal(exam.text.en)
  })

  it('give it their type, with who may send that; what the message says itself holds', async () => {
    await fleet.set({ types: [{ id: 'news', number: 7, name: { ru: 'Н', en: 'N' }, senders: ['staff'] }] })
    await put({ name: exam.name, text: 'Plain {x}', type: 'news' })
    expect(await codeOf(send({ template: { id: 'exam' } }))).to.deep.equal([403, 'not-your-type', 'type'])
    const { json } = await send({ template: { id: 'exam' } }, { as: 'staff' })
    const { type, fields, text } = (await fleet.ask<HistoryView>(`GET /v1/histories/${json.key}`, { as: 'staff' })).json
    expect([type?.id, fields, text]).to.deep.equal(['news', undefined, 'Plain {x}'])
  })

  it('have values of each recipient, before those of all: kept with the message, refused for strangers and where one is missing', async () => {
    await put()
    const row = (person: string, room: string) => ({ person, fields: { room } })
    const recipients = [row('anna', '101'), row('boris', '102')]
    const missing = await send({ template: { id: 'exam' }, recipients })
    expect(missing.json).to.deep.include({ code: 'missing-field', people: 1, first: ['clara'], fields: ['room'] })
    const stranger = await send({ text: 'x', recipients: [row('student-1', '1')] })
    expect([stranger.status, stranger.json.code, stranger.json.field]).to.deep.equal([
      422,
      'not-in-audience',
      'recipients',
    ])
    expect(stranger.json.detail).to.contain('student-1')
    expect(await codeOf(send({ text: 'x', recipients: [row('anna', '1'), row('anna', '2')] }))).to.deep.equal([
      422,
      'invalid',
      'recipients',
    ])
    expect((await codeOf(send({ text: 'x', recipients: [row('anna', ' ')] }))).slice(0, 2)).to.deep.equal([
      422,
      'invalid',
    ])
    const big = Array.from({ length: 1000 }, (_, index) => row(`p${index}`, 'x'.repeat(100)))
    expect(await codeOf(send({ text: 'x', recipients: big }))).to.deep.equal([422, 'invalid', 'recipients'])
    const body = { text: '{{name}}: {{room}}', recipients, fields: { room: 'hall' } }
    const preview = async (person: string) =>
      (
        await fleet.ask<RehearsalView>(
          'POST /v1/audiences:resolve',
          { as: 'trainer' },
          { to: ['group:own'], ...body, preview: person },
        )
      ).json.text?.preview?.text
    expect([await preview('anna'), await preview('clara')]).to.deep.equal(['ANNA: 101', 'CLARA: hall'])
    const { json } = await send(body)
    const view = await history(json.key)
    expect([view.ownValues, view.text]).to.deep.equal([2, body.text])
    expect(JSON.stringify(view)).not.to.contain('101')
    const each = async () => {
      const record = await fleet.redis.get(keys.record(parseHistoryKey(json.key)))
      return parseRecord(record as string).personal?.each
    }
    expect(await each()).to.deep.equal({ anna: { room: '101' }, boris: { room: '102' } })
    const whose = { person: 'anna', name: 'ANNA', addresses: [], by: 'admin-1' }
    await eraseEverywhere(fleet.redis, whose, async () => {}, true)
    expect(await each()).to.deep.equal({ boris: { room: '102' } })
    const ofStaff = { person: 'staff-1', name: 'Имя staff-1', addresses: [], by: 'admin-1' }
    await eraseEverywhere(fleet.redis, ofStaff, async () => {}, true)
    const kept = await fleet.ask<TemplateVersions>('GET /v1/templates/exam/versions', { as: 'trainer' })
    expect(kept.json.versions.map(({ version, by }) => [version, by])).to.deep.equal([[2, 'admin-1']])
  })
})
