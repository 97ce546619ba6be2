/** Every route × every role × every way in, as rights.ts has it. A route without a row here fails the test. */
import { type Role, roles } from '@courier-fleet/api-types'
import { madeUpKeys } from '@courier-fleet/channels'
import { expect } from 'chai'
import { type Right, rights } from '../src/access/rights.ts'
import { createSessions, csrfTokenOf } from '../src/access/sessions.ts'
import { type Answered, type Call, far, type Service, startService } from './service.ts'

const message = { to: ['group:own'], text: 'Hello', at: far }
const line = JSON.stringify(message)
const unknown = { channel: 'vk', people: 'all' }
const browser = { endpoint: 'https://push.example/1', keys: madeUpKeys }
const csv = 'id,name,role\nanna,Anna,student\n'

/**
 * What each call needs. `{mine}` is a history of whoever calls, `{me}` the caller. `foreign`: a teacher's own things are meant,
 * and another teacher must be refused.
 */
const matrix: [call: string, row?: Row][] = [
  ['POST /v1/history-keys'],
  ['POST /v1/messages', { body: message, foreign: true }],
  ['POST /v1/messages:bulk', { body: line, type: 'application/x-ndjson' }],
  ['POST /v1/files?name=a.pdf', { body: '%PDF-1.7', type: 'application/octet-stream', own: 'no-files' }],
  ['GET /v1/histories'],
  ['GET /v1/history-counts'],
  ['PUT /v1/histories/{mine}', { body: message, foreign: true }],
  ['GET /v1/histories/{mine}', { foreign: true }],
  ['GET /v1/histories/{mine}/receipts', { foreign: true }],
  ['GET /v1/histories/{mine}/flow', { foreign: true }],
  ['GET /v1/histories/{mine}/funnel', { foreign: true }],
  ['GET /v1/histories/{mine}/forecast', { foreign: true }],
  ['GET /v1/histories/{mine}/replay', { foreign: true }],
  ['POST /v1/histories/{mine}/waiting:send-now', { foreign: true, own: 'ignores-quiet' }],
  ['POST /v1/histories/{mine}/waiting:cancel', { foreign: true }],
  ['POST /v1/histories/{mine}/receipts:resolve', { body: { ...unknown, outcome: 'failed' }, foreign: true }],
  ['POST /v1/histories/{mine}/receipts:resend', { body: unknown, foreign: true }],
  ['PUT /v1/histories/{mine}/told-by-voice/anna', { foreign: true }],
  ['DELETE /v1/histories/{mine}/told-by-voice/anna', { foreign: true }],
  ['POST /v1/histories/{mine}/corrections', { body: { text: 'Hi again' }, foreign: true }],
  ['POST /v1/histories/{mine}:retry', { body: {}, foreign: true }],
  ['GET /v1/histories/{mine}/recount', { foreign: true }],
  ['POST /v1/histories/{mine}/tracker', { body: { timeout: 0 }, foreign: true }],
  ['PATCH /v1/histories/{mine}', { body: { at: far }, foreign: true }],
  ['POST /v1/histories/{mine}/release'],
  ['DELETE /v1/histories/{mine}', { foreign: true }],
  ['GET /v1/histories/{mine}/events', { foreign: true }],
  ['GET /v1/events'],
  ['PUT /v1/events/exam-5', { body: { at: far } }],
  ['GET /v1/events/exam-5'],
  ['DELETE /v1/events/exam-5'],
  ['POST /v1/audiences:resolve', { body: { to: ['group:own'] }, foreign: true }],
  ['GET /v1/limits'],
  ['GET /v1/people'],
  ['GET /v1/people:search'],
  ['GET /v1/people:search?group=own', { foreign: true }],
  ['POST /v1/people:online', { body: { people: ['anna'] } }],
  ['GET /v1/people/anna', { least: 'staff' }],
  ['GET /v1/people/{me}'],
  ['PUT /v1/people/anna', { body: { name: 'Anna', role: 'student' } }],
  ['DELETE /v1/people/nobody'],
  ['GET /v1/people/anna/data'],
  ['POST /v1/people/nobody:erase', { body: { reason: 'left' } }],
  ['GET /v1/erasures'],
  ['PUT /v1/people/{me}/consents/sms', { body: { allowed: true } }],
  ['PUT /v1/people/anna/consents/sms', { least: 'operator', body: { allowed: true } }],
  ['GET /v1/people/{me}/diary'],
  ['GET /v1/people/{me}/confirmations'],
  ['PUT /v1/people/{me}/confirmations/00.admin-1.aaaaaaaaaaaa', { body: { version: 1 } }],
  ['GET /v1/people/{me}/receipts'],
  ['GET /v1/people/anna/receipts', { least: 'operator' }],
  ['GET /v1/people/{me}/wishes'],
  ['PUT /v1/people/{me}/wishes', { body: {} }],
  ['POST /v1/confirmations', { body: { channel: 'vk', address: '1', token: 'none' } }],
  ['POST /v1/consents', { body: { channel: 'vk', address: '1', allowed: true } }],
  ['POST /v1/contacts:hear', { body: { channel: 'vk', address: '1', heard: 'message' } }],
  ['POST /v1/contacts:read', { body: { channel: 'vk', reads: [{ address: '1', upTo: '1' }] } }],
  ['POST /v1/contacts:set-aside', { body: { channel: 'vk', reason: 'invalid' } }],
  ['PUT /v1/channels/vk/inbound-address', { body: { address: 'club1' } }],
  ['POST /v1/answers', { body: { channel: 'vk', address: '1', text: 'x' } }],
  ['GET /v1/push-key'],
  ['PUT /v1/push-subscription', { body: browser }],
  ['POST /v1/enrolments', { body: { channel: 'vk' } }],
  ['POST /v1/enrolments', { least: 'operator', body: { channel: 'vk', person: 'anna' } }],
  ['POST /v1/enrolments:redeem', { body: { channel: 'vk', address: '1', code: '12345678' }, own: 'wrong-code' }],
  ['GET /v1/groups'],
  ['GET /v1/groups/own', { foreign: true }],
  ['GET /v1/groups/other', { least: 'staff' }],
  ['GET /v1/groups/own/members', { foreign: true }],
  ['GET /v1/groups/other/members', { least: 'staff' }],
  ['PUT /v1/groups/own', { body: { name: 'Own group', owners: ['trainer-1'] } }],
  ['POST /v1/groups/own/codes', { body: { channel: 'vk' }, foreign: true }],
  ['POST /v1/groups/own/application-link', { body: {}, foreign: true }],
  ['GET /v1/applications'],
  ['POST /v1/applications/0123456789ab:accept', { body: {} }],
  ['POST /v1/applications/0123456789ab:refuse', { body: { answer: 'No' } }],
  ['POST /v1/groups/own/members', { body: { people: ['anna'] } }],
  ['DELETE /v1/groups/own/members/nobody'],
  ['DELETE /v1/groups/none'],
  ['GET /v1/cohorts'],
  ['GET /v1/cohorts/all', { least: 'staff' }],
  ['PUT /v1/cohorts/all', { body: { name: 'All', groups: ['own', 'other'], owners: ['staff-1'] } }],
  ['DELETE /v1/cohorts/none'],
  ['GET /v1/topics'],
  ['GET /v1/topics/none'],
  ['PUT /v1/topics/choir', { body: { name: { ru: 'Хор', en: 'Choir' }, senders: ['staff'], open: true } }],
  ['DELETE /v1/topics/none'],
  ['GET /v1/topics/choir/members'],
  ['PUT /v1/topics/choir/members/me'],
  ['DELETE /v1/topics/choir/members/me'],
  ['PUT /v1/topics/choir/members/student-1'],
  ['DELETE /v1/topics/choir/members/student-1'],
  ['GET /v1/contacts?channel=sms&address=%2B79001234567'],
  ['PUT /v1/contacts/sms/anna', { body: { address: '+79001234567' } }],
  ['DELETE /v1/contacts/sms/anna', { least: 'operator' }],
  ['DELETE /v1/contacts/vk/{me}'],
  ['POST /v1/imports', { body: csv, type: 'text/csv' }],
  ['GET /v1/imports'],
  ['POST /v1/imports/0000000000000000/take-back'],
  ['GET /v1/subscriptions'],
  ['GET /v1/subscriptions?owner=*', { least: 'operator' }],
  ['POST /v1/subscriptions', { body: { url: 'https://example.org/hook', resource: 'history' } }],
  ['GET /v1/subscriptions/none'],
  ['DELETE /v1/subscriptions/none'],
  ['GET /v1/subscriptions/none/deliveries'],
  ['POST /v1/subscriptions/none:test'],
  ['POST /v1/subscriptions/none:rotate'],
  ['POST /v1/subscriptions/none:replay', { body: { since: '2026-01-01T00:00:00Z' } }],
  ['GET /v1/endpoints?url=https%3A%2F%2Fexample.org%2Fhook'],
  ['POST /v1/endpoints:enable', { body: { url: 'https://example.org/hook' } }],
  ['POST /v1/endpoints:disable', { body: { url: 'https://example.org/hook' } }],
  ['GET /v1/webhook-secret'],
  ['POST /v1/webhook-secret:rotate'],
  ['POST /v1/contacts/http/anna:rotate'],
  ['GET /v1/channels'],
  ['GET /v1/api-keys'],
  ['POST /v1/api-keys', { body: { owner: 'anna', role: 'student', label: 'test' } }],
  ['DELETE /v1/api-keys/0000000000000000'],
  ['PUT /v1/channels/vk/pause'],
  ['DELETE /v1/channels/vk/pause'],
  ['DELETE /v1/channels/none'],
  ['GET /v1/templates'],
  ['GET /v1/templates/none'],
  ['GET /v1/templates/none/versions'],
  ['PUT /v1/templates/exam-room', { body: { name: { ru: 'Экзамен', en: 'Exam' }, text: 'Room {{room}}' } }],
  ['DELETE /v1/templates/none'],
  ['GET /v1/types'],
  ['GET /v1/types/general'],
  ['PUT /v1/types/news', { body: { name: { ru: 'Новости', en: 'News' } } }],
  ['DELETE /v1/types/none'],
  ['GET /v1/roles'],
  ['PUT /v1/roles/dean', { body: { name: { ru: 'Декан', en: 'Dean' }, rights: 'staff', quota: 3 } }],
  ['DELETE /v1/roles/none'],
  ['GET /v1/settings'],
  ['PATCH /v1/settings', { body: { quietJitterSeconds: 60 } }],
  ['GET /v1/settings/versions'],
  ['POST /v1/settings:restore', { body: { version: 0 } }],
  ['GET /v1/stats'],
  ['GET /v1/stats/people?channel=vk&came=failed'],
  ['GET /v1/service'],
  ['GET /v1/streams'],
  ['GET /v1/shards'],
  ['PUT /v1/shards', { body: { shards: 16 } }],
  ['POST /v1/fleet:rebuild', { body: {} }],
  ['GET /v1/audit'],
  ['POST /v1/sign-ins', { body: { person: 'nobody' } }],
  ['POST /v1/sessions', { body: { person: 'nobody', code: '12345678' }, own: 'wrong-code' }],
  ['GET /v1/sessions'],
  ['GET /v1/sessions?person={me}'],
  ['DELETE /v1/sessions/'.padEnd(84, '0')],
  ['GET /v1/sessions/current'],
  ['DELETE /v1/sessions/current'],
]

interface Row {
  /** where it is not that of the table: another's things are meant */
  readonly least?: Role
  readonly body?: unknown
  readonly type?: string
  readonly foreign?: true
  /** the 403 that the route itself gives to those who may call it */
  readonly own?: string
}

/** What rights.ts says of a call. */
function rightOf(call: string): Right {
  const path = call.split('?', 1)[0] as string
  // an operation that names everything is meant before one that names it by a parameter
  const found = Object.keys(rights)
    .sort((a, b) => a.split('{').length - b.split('{').length)
    .find((operation) => new RegExp(`^${operation.replace(/\{\w+\}/g, '[^/]+')}$`).test(path))
  return rights[found ?? ''] as Right
}

/** The least of the people who may. */
const rankOf = (least: Right['least']) => (least === 'presence' ? 'operator' : (least as Role))

const ways = ['an API key', 'an inbound process', 'a session'] as const
type Way = (typeof ways)[number]

describe('who may do what', () => {
  let service: Service
  const mine: Partial<Record<Role, string>> = {}
  before(async () => {
    service = await startService()
    for (const [index, role] of roles.entries()) {
      await service.directory.putPerson(personOf(role))
      await service.directory.linkContact('telegram', `${role}-1`, String(7001 + index))
    }
    for (const role of ['trainer', 'staff', 'operator', 'admin'] as const) {
      const { json } = await service.call<{ key: string }>('/v1/messages', { method: 'POST', as: role, body: message })
      mine[role] = json.key
    }
  })
  after(() => service.stop())

  const personOf = (role: Role) => ({ id: `${role}-1`, name: role, role, timeZone: 'UTC', language: 'en' })

  interface Who {
    readonly as?: Role | 'inbound'
    readonly headers?: Record<string, string>
    /** whose history and whose name are meant, where it is not the caller */
    readonly of?: Role
  }

  function attempt(call: string, who: Who, { body, type }: Row = {}): Promise<Answered<Record<string, unknown>>> {
    const [method, path] = call.split(' ') as [NonNullable<Call['method']>, string]
    const of = who.of ?? (who.as === 'inbound' ? undefined : who.as)
    const url = path
      .replace('{mine}', (of && mine[of]) ?? '00.student-1.aaaaaaaaaaaa')
      .replace('{me}', `${of ?? 'inbound'}-1`)
    const headers = { ...who.headers, ...(type ? { 'content-type': type } : {}) }
    const as = who.as === undefined ? {} : { as: who.as }
    return service.call(url, { method, ...as, headers, ...(body === undefined ? {} : { body }) })
  }

  async function caller(role: Role, way: Way): Promise<Who> {
    if (way === 'an API key') return { as: role }
    if (way === 'an inbound process') {
      return { as: 'inbound', of: role, headers: { 'on-behalf-of': `telegram:${7001 + roles.indexOf(role)}` } }
    }
    const session = await createSessions({ redis: service.redis, clock: service.clock }).open(`${role}-1`)
    return { of: role, headers: { cookie: `fleet_session=${session.token}`, 'x-csrf-token': csrfTokenOf(session) } }
  }

  function expectLetIn(answer: Answered<Record<string, unknown>>, who: string, { own }: Row = {}) {
    expect(answer.status, `${who}: ${answer.text}`).not.to.be.oneOf([401, 500])
    if (answer.status === 403) expect([who, answer.json.code]).to.deep.equal([who, own])
  }

  for (const [call, row = {}] of matrix) {
    const { lent, least: usual } = rightOf(call)
    const least = row.least ?? usual
    const label = row.body && call.endsWith('enrolments') ? `${call} ${JSON.stringify(row.body)}` : call

    it(`${label}: ${least === 'anyone' ? 'anyone' : 'nobody without a key'}`, async () => {
      for (const headers of [
        {},
        { authorization: 'Basic YTpi' },
        { authorization: `Bearer cf_0123456789abcdef_${'x'.repeat(32)}` },
        { cookie: `fleet_session=${'x'.repeat(32)}` },
        { 'on-behalf-of': 'telegram:7005' },
      ]) {
        const answer = await attempt(call, { headers }, row)
        if (least === 'anyone') expectLetIn(answer, 'nobody', row)
        else {
          expect([answer.status, answer.headers['www-authenticate']]).to.deep.equal([401, 'Bearer'])
          expect(answer.json.code).to.match(/^(no-api-key|bad-api-key|no-session)$/)
        }
      }
    })

    for (const way of least === 'anyone' ? [] : ways) {
      it(`${label}: ${least} and above, by ${way}`, async () => {
        for (const role of [...roles].reverse()) {
          const who = await caller(role, way)
          // the events of a history end only when it is over
          if (call.endsWith('/events') && role !== 'student') await attempt('DELETE /v1/histories/{mine}', who)
          const answer = await attempt(call, who, row)
          const enough = least !== 'inbound' && roles.indexOf(role) >= roles.indexOf(rankOf(least))
          const byAnyWay = way !== 'an inbound process' || lent === true
          if (enough && byAnyWay) expectLetIn(answer, role, row)
          else expect([role, answer.status], answer.text).to.deep.equal([role, 403])
        }
      })
    }

    const isForInbound = least === 'inbound' || least === 'presence'
    it(`${label}: ${isForInbound ? 'an inbound process by itself' : 'no inbound process by itself'}`, async () => {
      const answer = await attempt(call, { as: 'inbound' }, row)
      if (isForInbound || least === 'anyone') expectLetIn(answer, 'inbound', row)
      else expect([answer.status, answer.json.code], answer.text).to.deep.equal([403, 'not-allowed'])
    })

    it(`${label}: ${least === 'presence' ? 'a' : 'no'} key that says who is online`, async () => {
      const { apiKey } = await service.apiKeys.create({ owner: 'campus', role: 'presence', label: 'gates' })
      const answer = await attempt(call, { headers: { authorization: `Bearer ${apiKey}` } }, row)
      if (least === 'presence' || least === 'anyone') expectLetIn(answer, 'presence', row)
      else expect([answer.status, answer.json.code], answer.text).to.deep.equal([403, 'not-allowed'])
    })

    if (row.foreign) {
      it(`${label}: no foreign teacher`, async () => {
        const { apiKey } = await service.apiKeys.create({ owner: 'trainer-2', role: 'trainer', label: 'foreign' })
        const who = { of: 'trainer', headers: { authorization: `Bearer ${apiKey}` } } as const
        const answer = await attempt(call, who, row)
        expect(answer.status, answer.text).to.equal(403)
        expect(answer.json.code).to.match(/^not-your-(history|audience|group)$/)
      })
    }
  }

  it('covers every route', () => {
    const paths = (service.app.swagger() as { paths: Record<string, Record<string, unknown>> }).paths
    const documented = Object.entries(paths).flatMap(([path, methods]) =>
      path.startsWith('/v1/') ? Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`) : [],
    )
    const patterns = documented.map((route) => ({
      route,
      pattern: new RegExp(`^${route.replace(/\{\w+\}/g, '[^/]+')}$`),
    }))
    const calls = matrix.map(([call]) => call.split('?', 1)[0] as string)
    const missing = patterns.filter(({ pattern }) => !calls.some((call) => pattern.test(call)))
    expect(missing.map(({ route }) => route)).to.deep.equal([])
  })

  it('keeps a history to its sender and to operators, who put nothing under its key', async () => {
    const key = mine.trainer
    const codeFor = async (as: Role, method: NonNullable<Call['method']>, body?: object) =>
      (await service.call(`/v1/histories/${key}`, { method, as, ...(body ? { body } : {}) })).json.code
    expect(await codeFor('staff', 'GET')).to.equal('not-your-history')
    expect(await codeFor('operator', 'GET')).to.equal(undefined)
    expect(await codeFor('staff', 'DELETE')).to.equal('not-your-history')
    expect(await codeFor('admin', 'GET')).to.equal(undefined)
    expect(await codeFor('admin', 'PUT', message)).to.equal('not-your-history')
    expect(await codeFor('operator', 'PUT', message)).to.equal('not-your-history')
  })

  it('shows a trainer the groups and cohorts of his own only', async () => {
    const ids = async (as: Role) => {
      const { json } = await service.call<{ groups: { id: string }[] }>('/v1/groups', { as })
      return json.groups.map(({ id }) => id)
    }
    expect(await ids('trainer')).to.deep.equal(['empty', 'own'])
    expect(await ids('staff')).to.deep.equal(['empty', 'other', 'own'])
  })

  it('shows addresses to the person and to operators, to nobody else', async () => {
    const seen = async (as: Role) => {
      const { json } = await service.call<{ contacts: { telegram: object } }>('/v1/people/student-1', { as })
      return json.contacts.telegram
    }
    expect(await seen('student')).to.deep.equal({ address: '7001', state: 'active' })
    expect(await seen('operator')).to.deep.equal({ address: '7001', state: 'active' })
    expect(await seen('staff')).to.deep.equal({ state: 'active' })
  })

  it('lets an operator act for nobody of a higher role', async () => {
    const body = { channel: 'vk', person: 'admin-1' }
    expect((await service.call('/v1/enrolments', { method: 'POST', as: 'operator', body })).status).to.equal(403)
    expect((await service.call('/v1/enrolments', { method: 'POST', as: 'admin', body })).status).to.equal(201)
  })

  it('has nobody called system', async () => {
    const body = { owner: 'system', role: 'admin', label: 'x' }
    const key = await service.call('/v1/api-keys', { method: 'POST', as: 'admin', body })
    expect([key.status, key.json.field]).to.deep.equal([422, 'owner'])
    const person = await service.call('/v1/people/system', {
      method: 'PUT',
      as: 'admin',
      body: { name: 'S', role: 'admin' },
    })
    expect(person.status).to.equal(422)
  })

  it('gives a key no more than its owner has now', async () => {
    const put = (role: Role) => service.directory.putPerson({ ...personOf('operator'), id: 'olga', role })
    await put('operator')
    const { apiKey } = await service.apiKeys.create({ owner: 'olga', role: 'operator', label: 'laptop' })
    const headers = { authorization: `Bearer ${apiKey}` }
    const role = async () => (await service.call('/v1/sessions/current', { headers })).json.role
    expect(await role()).to.equal('operator')
    await put('trainer')
    expect(await role()).to.equal('trainer')
    expect((await service.call('/v1/audit', { headers })).status).to.equal(403)
    await put('admin')
    expect(await role(), 'the key was made for an operator').to.equal('operator')
    const body = { owner: 'student-1', role: 'admin', label: 'x' }
    const above = await service.call('/v1/api-keys', { method: 'POST', as: 'admin', body })
    expect([above.status, above.json.code]).to.deep.equal([422, 'role-above-owner'])
  })

  it('no longer knows a revoked key', async () => {
    const made = await service.apiKeys.create({ owner: 'office', role: 'admin', label: 'short' })
    const headers = { authorization: `Bearer ${made.apiKey}` }
    expect((await service.call('/v1/people', { headers })).status).to.equal(200)
    expect((await service.call(`/v1/api-keys/${made.id}`, { method: 'DELETE', as: 'admin' })).status).to.equal(204)
    expect((await service.call('/v1/people', { headers })).status).to.equal(401)
  })
})
