import { type Role, roles } from '@courier-fleet/core'
import { expect } from 'chai'
import { type Call, far, type Service, startService } from './service.ts'

const message = { to: ['group:own'], text: 'Hello', at: far }
const line = JSON.stringify(message)
const csv = 'id,name,role\nanna,Anna,student\n'

/** what each call needs; `{mine}` is a history of whoever calls, `{me}` the caller */
const matrix: [call: string, least: Role, body?: unknown, type?: string][] = [
  ['POST /v1/history-keys', 'trainer'],
  ['POST /v1/messages', 'trainer', message],
  ['POST /v1/messages:bulk', 'trainer', line, 'application/x-ndjson'],
  ['GET /v1/histories', 'student'],
  ['PUT /v1/histories/{mine}', 'trainer', message],
  ['GET /v1/histories/{mine}', 'student'],
  ['GET /v1/histories/{mine}/receipts', 'student'],
  ['GET /v1/histories/{mine}/recount', 'student'],
  ['POST /v1/histories/{mine}/tracker', 'student', { timeout: 0 }],
  ['PATCH /v1/histories/{mine}', 'trainer', { at: far }],
  ['DELETE /v1/histories/{mine}', 'trainer'],
  ['GET /v1/histories/{mine}/events', 'student'],
  ['GET /v1/people', 'staff'],
  ['GET /v1/people/anna', 'staff'],
  ['GET /v1/people/{me}', 'student'],
  ['PUT /v1/people/anna', 'admin', { name: 'Anna', role: 'student' }],
  ['DELETE /v1/people/nobody', 'admin'],
  ['GET /v1/groups', 'trainer'],
  ['GET /v1/groups/own', 'trainer'],
  ['GET /v1/groups/other', 'staff'],
  ['GET /v1/groups/own/members', 'trainer'],
  ['GET /v1/groups/other/members', 'staff'],
  ['PUT /v1/groups/own', 'admin', { name: 'Own group', owners: ['trainer-1'] }],
  ['POST /v1/groups/own/members', 'admin', { people: ['anna'] }],
  ['DELETE /v1/groups/own/members/nobody', 'admin'],
  ['DELETE /v1/groups/none', 'admin'],
  ['GET /v1/streams', 'trainer'],
  ['GET /v1/streams/all', 'staff'],
  ['PUT /v1/streams/all', 'admin', { name: 'All', groups: ['own', 'other'], owners: ['staff-1'] }],
  ['DELETE /v1/streams/none', 'admin'],
  ['GET /v1/contacts?channel=sms&address=%2B79001234567', 'staff'],
  ['PUT /v1/contacts/sms/anna', 'admin', { address: '+79001234567' }],
  ['DELETE /v1/contacts/sms/anna', 'admin'],
  ['POST /v1/imports', 'admin', csv, 'text/csv'],
  ['GET /v1/channels', 'trainer'],
  ['GET /v1/api-keys', 'admin'],
  ['POST /v1/api-keys', 'admin', { owner: 'anna', role: 'student', label: 'test' }],
  ['DELETE /v1/api-keys/0000000000000000', 'admin'],
]

describe('who may do what', () => {
  let service: Service
  const mine: Partial<Record<Role, string>> = {}
  before(async () => {
    service = await startService()
    for (const role of roles) await service.directory.putPerson(personOf(role))
    for (const role of ['trainer', 'staff', 'admin'] as const) {
      const { json } = await service.call<{ key: string }>('/v1/messages', { method: 'POST', as: role, body: message })
      mine[role] = json.key
    }
  })
  after(() => service.stop())

  const personOf = (role: Role) => ({ id: `${role}-1`, name: role, role, timeZone: 'UTC', language: 'en' })

  function attempt(call: string, who: { as?: Role; headers?: Record<string, string> }, body?: unknown, type?: string) {
    const [method, path] = call.split(' ') as [NonNullable<Call['method']>, string]
    const url = path
      .replace('{mine}', (who.as && mine[who.as]) ?? '00.student-1.aaaaaaaaaaaa')
      .replace('{me}', `${who.as}-1`)
    const headers = { ...who.headers, ...(type ? { 'content-type': type } : {}) }
    return service.call(url, { method, ...who, headers, ...(body === undefined ? {} : { body }) })
  }

  for (const [call, least, body, type] of matrix) {
    it(`${call}: nobody without a key`, async () => {
      for (const headers of [
        {},
        { authorization: 'Basic YTpi' },
        { authorization: `Bearer cf_0123456789abcdef_${'x'.repeat(32)}` },
      ]) {
        const answer = await attempt(call, { headers }, body, type)
        expect([answer.status, answer.headers['www-authenticate']]).to.deep.equal([401, 'Bearer'])
        expect(answer.json.code).to.match(/^(no|bad)-api-key$/)
      }
    })

    it(`${call}: ${least} and above`, async () => {
      for (const role of [...roles].reverse()) {
        // the events of a history end only when it is over
        if (call.endsWith('/events') && role !== 'student') {
          await attempt('DELETE /v1/histories/{mine}', { as: role })
        }
        const answer = await attempt(call, { as: role }, body, type)
        const allowed = roles.indexOf(role) >= roles.indexOf(least)
        if (allowed) expect(answer.status, `${role}: ${answer.text}`).not.to.be.oneOf([401, 403, 500])
        else expect([role, answer.status]).to.deep.equal([role, 403])
      }
    })
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

  it('keeps a history to its sender; an admin may read it', async () => {
    const key = mine.trainer
    const codeFor = async (as: Role, method: NonNullable<Call['method']>, body?: object) =>
      (await service.call(`/v1/histories/${key}`, { method, as, ...(body ? { body } : {}) })).json.code
    expect(await codeFor('staff', 'GET')).to.equal('not-your-history')
    expect(await codeFor('staff', 'DELETE')).to.equal('not-your-history')
    expect(await codeFor('admin', 'GET')).to.equal(undefined)
    expect(await codeFor('admin', 'PUT', message)).to.equal('not-your-history')
    expect(await codeFor('admin', 'DELETE')).to.equal('not-your-history')
  })

  it('shows a trainer the groups and streams of his own only', async () => {
    const ids = async (as: Role) => {
      const { json } = await service.call<{ groups: { id: string }[] }>('/v1/groups', { as })
      return json.groups.map(({ id }) => id)
    }
    expect(await ids('trainer')).to.deep.equal(['empty', 'own'])
    expect(await ids('staff')).to.deep.equal(['empty', 'other', 'own'])
  })

  it('no longer knows a revoked key', async () => {
    const made = await service.apiKeys.create({ owner: 'anna', role: 'admin', label: 'short' })
    const headers = { authorization: `Bearer ${made.apiKey}` }
    expect((await service.call('/v1/people', { headers })).status).to.equal(200)
    expect((await service.call(`/v1/api-keys/${made.id}`, { method: 'DELETE', as: 'admin' })).status).to.equal(204)
    expect((await service.call('/v1/people', { headers })).status).to.equal(401)
  })
})
