import { problemDocument } from '@courier-fleet/api-types'
import { expect } from 'chai'
import { type Call, far, type Service, startService } from './service.ts'

/** status 422 and code `invalid` unless said otherwise */
type Row = [wrong: unknown, field: string, status?: number, code?: string]

const message = { to: ['group:own'], text: 'Hello', at: far }
const ago = (ms: number) => new Date(Date.now() - ms).toISOString()

const messages: Row[] = [
  [undefined, 'body'],
  [null, 'body'],
  [[], 'body'],
  ['"text"', 'body'],
  [{ ...message, to: undefined }, 'to'],
  [{ ...message, to: 'group:own' }, 'to'],
  [{ ...message, to: [] }, 'to'],
  [{ ...message, to: ['group:own', 'everyone'] }, 'to.1'],
  [{ ...message, to: ['role:Teacher'] }, 'to.0'],
  [{ ...message, to: ['role:teacher'] }, 'to.0', 422, 'unknown-audience'],
  [{ ...message, to: ['group:own', 'group:none'] }, 'to.1', 422, 'unknown-audience'],
  [{ ...message, to: ['user:nobody'] }, 'to.0', 422, 'unknown-audience'],
  [{ ...message, to: ['topic:none'] }, 'to.0', 422, 'unknown-audience'],
  [{ ...message, to: ['group:other'] }, 'to.0', 403, 'not-your-audience'],
  [{ ...message, to: ['group:empty'] }, 'to', 422, 'empty-audience'],
  [{ ...message, text: undefined }, 'text'],
  [{ ...message, text: '' }, 'text'],
  [{ ...message, text: ' \n\t ' }, 'text'],
  [{ ...message, text: 7 }, 'text'],
  [{ ...message, text: 'x'.repeat(20_001) }, 'text'],
  [{ ...message, at: 'tomorrow' }, 'at'],
  [{ ...message, at: '2099-01-01T00:00:00' }, 'at'],
  [{ ...message, at: '2099-02-30T00:00:00Z' }, 'at'],
  [{ ...message, at: 1_800_000_000 }, 'at'],
  [{ ...message, at: ago(120_000) }, 'at', 422, 'past-at'],
  [{ ...message, expires: 'never' }, 'expires'],
  [{ ...message, expires: new Date(Date.now() + 1000).toISOString() }, 'expires', 422, 'expires-before-at'],
  [{ ...message, at: 'now', expires: ago(1000) }, 'expires', 422, 'expires-before-at'],
  [{ ...message, channels: [] }, 'channels'],
  [{ ...message, channels: ['SMS!'] }, 'channels.0'],
  [{ ...message, class: 'important' }, 'class'],
  [{ ...message, source: 'fax' }, 'source'],
  [{ ...message, expect: 3 }, 'expect'],
  [{ ...message, expect: { size: -1 } }, 'expect.size'],
  [{ ...message, expect: { size: 4 } }, 'expect.size', 409, 'audience-mismatch'],
  [{ ...message, expect: { sha256: 'abc' } }, 'expect.sha256'],
  [{ ...message, expect: { count: 3 } }, 'expect.count'],
  [{ ...message, txt: 'typo' }, 'txt'],
]

const tables: Record<string, Row[]> = {
  'POST /v1/messages': messages,
  'PUT /v1/histories/{issued}': messages,
  'PATCH /v1/histories/{key}': [
    [{}, 'at'],
    [{ at: 'soon' }, 'at'],
    [{ at: ago(120_000) }, 'at', 422, 'past-at'],
    [{ at: far, text: 'x' }, 'text'],
  ],
  'POST /v1/histories/{key}/tracker': [
    [{}, 'timeout'],
    [{ timeout: -1 }, 'timeout'],
    [{ timeout: 301 }, 'timeout'],
    [{ timeout: '60' }, 'timeout'],
    [{ timeout: 1, wait: 1 }, 'wait'],
  ],
  'PUT /v1/people/new': [
    [{ role: 'student' }, 'name'],
    [{ name: ' ', role: 'student' }, 'name'],
    [{ name: 'x'.repeat(201), role: 'student' }, 'name'],
    [{ name: 'Anna\u202e', role: 'student' }, 'name'],
    [{ name: 'An\nna', role: 'student' }, 'name'],
    [{ name: 'Anna' }, 'role'],
    [{ name: 'Anna', role: 'King' }, 'role'],
    [{ name: 'Anna', role: 'king' }, 'role', 422, 'bad-field'],
    [{ name: 'Anna', role: 'student', timeZone: 'Moscow' }, 'timeZone'],
    [{ name: 'Anna', role: 'student', language: 'по-русски' }, 'language'],
    [{ name: 'Anna', role: 'student', phone: '1' }, 'phone'],
  ],
  'PUT /v1/groups/new': [
    [{}, 'name'],
    [{ name: 'N\u200bew' }, 'name'],
    [{ name: 'New', owners: 'anna' }, 'owners'],
    [{ name: 'New', owners: ['an na'] }, 'owners.0'],
    [{ name: 'New', members: [] }, 'members'],
  ],
  'POST /v1/groups/own/members': [
    [{}, 'people'],
    [{ people: [] }, 'people'],
    [{ people: ['anna', 'a b'] }, 'people.1'],
    [{ people: ['anna', 'nobody'] }, 'people.1', 422, 'unknown-person'],
  ],
  'PUT /v1/cohorts/new': [
    [{ groups: [] }, 'name'],
    [{ name: 'New' }, 'groups'],
    [{ name: 'Ne\u2066w', groups: [] }, 'name'],
    [{ name: 'New', groups: ['a.b'] }, 'groups.0'],
    [{ name: 'New', groups: ['own', 'none'] }, 'groups.1', 422, 'unknown-group'],
  ],
  'PUT /v1/contacts/sms/anna': [
    [{}, 'address'],
    [{ address: '' }, 'address'],
    [{ address: '12' }, 'address', 422, 'bad-address'],
    [{ address: '+79001234567', state: 'active' }, 'state'],
  ],
  'PUT /v1/topics/choir': [
    [{}, 'name'],
    [{ name: 'Choir', senders: [], open: true }, 'name'],
    [{ name: { ru: 'Хор', en: ' ' }, senders: [], open: true }, 'name.en'],
    [{ name: { ru: 'Хо\u202dр', en: 'Choir' }, senders: [], open: true }, 'name.ru'],
    [{ name: { ru: 'Хор', en: 'Choir' }, open: true }, 'senders'],
    [{ name: { ru: 'Хор', en: 'Choir' }, senders: ['role:staff'], open: true }, 'senders.0'],
    [
      { name: { ru: 'Хор', en: 'Choir' }, senders: ['staff', 'nobody'], open: true },
      'senders.1',
      422,
      'unknown-person',
    ],
    [{ name: { ru: 'Хор', en: 'Choir' }, senders: ['student'], open: true }, 'senders.0', 422, 'bad-field'],
    [{ name: { ru: 'Хор', en: 'Choir' }, senders: [], open: 'yes' }, 'open'],
    [{ name: { ru: 'Хор', en: 'Choir' }, senders: [], open: true, owners: [] }, 'owners'],
  ],
  'PUT /v1/templates/new': [
    [{ name: { ru: 'Зал', en: 'R\u2067oom' }, text: 'Hello' }, 'name.en'],
    [{ name: { ru: 'З\nал', en: 'Room' }, text: 'Hello' }, 'name.ru'],
  ],
  'PUT /v1/types/new': [
    [{ name: { ru: 'Нов\u202eости', en: 'News' } }, 'name.ru'],
    [{ name: { ru: 'Новости', en: 'News\u200b' } }, 'name.en'],
  ],
  'PUT /v1/roles/dean': [
    [{ name: { ru: 'Де\u200bкан', en: 'Dean' }, rights: 'staff', quota: 3 }, 'name.ru'],
    [{ name: { ru: 'Декан', en: '\u202eDean' }, rights: 'staff', quota: 3 }, 'name.en'],
  ],
  'PUT /v1/events/new': [
    [{ at: far, name: 'Ex\u200bam' }, 'name'],
    [{ at: far, name: 'x'.repeat(101) }, 'name'],
  ],
  'POST /v1/api-keys': [
    [{ owner: 'anna', role: 'student', label: 'lap\u202etop' }, 'label', 422, 'bad-field'],
    [{ role: 'staff', label: 'x' }, 'owner'],
    [{ owner: 'a b', role: 'staff', label: 'x' }, 'owner'],
    [{ owner: 'anna', role: 'Root', label: 'x' }, 'role'],
    [{ owner: 'anna', role: 'root', label: 'x' }, 'role', 422, 'bad-field'],
    [{ owner: 'anna', role: 'staff', label: '' }, 'label'],
  ],
}

/** what the URL may have wrong; 400 */
const urls: [call: string, field: string, code?: string][] = [
  ['POST /v1/messages?wait=soon', 'wait'],
  ['POST /v1/messages?wait=301s', 'wait'],
  ['POST /v1/messages?wiat=1s', 'wiat'],
  ['GET /v1/histories/nonsense', 'key', 'bad-key'],
  ['PUT /v1/histories/00.trainer-1.%00', 'key', 'bad-key'],
  ['GET /v1/histories?limit=0', 'limit'],
  ['GET /v1/histories?limit=101', 'limit'],
  ['GET /v1/histories?before=yesterday', 'before'],
  ['GET /v1/histories/{key}/receipts?from=-1', 'from'],
  ['GET /v1/histories/{key}/receipts?limit=1001', 'limit'],
  ['GET /v1/histories/{key}/receipts?limit=1.5', 'limit'],
  ['GET /v1/histories/{key}/receipts?channel=SMS', 'channel'],
  ['GET /v1/histories/{key}/receipts?state=lost', 'state'],
  ['GET /v1/histories/{key}/receipts?format=xml', 'format'],
  ['GET /v1/people?limit=many', 'limit'],
  ['GET /v1/people?after=a.b', 'after'],
  ['GET /v1/people/a.b', 'id'],
  ['GET /v1/groups/a.b', 'id'],
  ['DELETE /v1/groups/own/members/a.b', 'person'],
  ['GET /v1/cohorts/a%20b', 'id'],
  ['GET /v1/topics/a.b', 'id'],
  ['PUT /v1/topics/choir/members/a.b', 'person'],
  ['GET /v1/contacts?channel=sms', 'address'],
  ['GET /v1/contacts?address=1', 'channel'],
  ['DELETE /v1/contacts/SMS/anna', 'channel'],
  ['DELETE /v1/api-keys/a.b', 'id'],
]

describe('wrong input', () => {
  let service: Service
  const fill: Record<string, string> = {}
  before(async () => {
    service = await startService()
    const issued = await service.call<{ key: string }>('/v1/history-keys', { method: 'POST', as: 'trainer' })
    fill.issued = issued.json.key
    fill.key = await service.send()
  })
  after(() => service.stop())

  async function attempt(call: string, body?: unknown) {
    const [method, path] = call.split(' ') as [NonNullable<Call['method']>, string]
    const url = path.replace(/\{(\w+)\}/, (_, name: string) => fill[name] as string)
    const as = /messages|histories/.test(path) ? 'trainer' : 'admin'
    const answer = await service.call(url, { method, as, ...(body === undefined ? {} : { body }) })
    expect(answer.headers['content-type']).to.match(/^application\/problem\+json\b/)
    const problem = problemDocument.parse(answer.json)
    expect(problem.status).to.equal(answer.status)
    return problem
  }

  for (const [call, rows] of Object.entries(tables)) {
    for (const [wrong, field, status = 422, code = 'invalid'] of rows) {
      it(`${call} ${JSON.stringify(wrong)?.slice(0, 80)} → ${field}`, async () => {
        const problem = await attempt(call, wrong === null ? 'null' : wrong)
        expect(problem).to.include({ field, status, code })
        if (code === 'invalid') expect(problem.errors?.map((error) => error.field)).to.include(field)
      })
    }
  }

  for (const [call, field, code = 'invalid'] of urls) {
    it(`${call} → ${field}`, async () => {
      const body = call.startsWith('POST') || call.startsWith('PUT') ? message : undefined
      expect(await attempt(call, body)).to.include({ field, status: 400, code })
    })
  }

  it('tells everything that is wrong at once', async () => {
    const problem = await attempt('POST /v1/messages', { to: ['x', 'group:own', 'y'], text: '', at: 'z', more: 1 })
    const fields = problem.errors?.map(({ field }) => field)
    expect(fields).to.have.members(['to.0', 'to.2', 'text', 'at', 'more'])
  })

  it('has written nothing', async () => {
    expect((await service.history(fill.issued as string)).state).to.equal('issued')
    for (const path of ['people/new', 'groups/new', 'cohorts/new']) {
      expect((await service.call(`/v1/${path}`, { as: 'admin' })).status).to.equal(404)
    }
    const { json } = await service.call<{ histories: unknown[] }>('/v1/histories', { as: 'trainer' })
    expect(json.histories).to.have.length(1)
  })
})
