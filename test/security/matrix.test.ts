/**
 * Every operation of the OpenAPI document × every method × every role × every way in × one's own things and another's, beside
 * what rights.ts says. Nothing is written down here twice: an operation that is new is in the matrix.
 */
import { type Role, roles } from '@courier-fleet/api-types'
import { expect } from 'chai'
import { type Right, rights } from '../../packages/queue/src/access/rights.ts'
import { createSessions, csrfTokenOf, sessionIdOf } from '../../packages/queue/src/access/sessions.ts'
import { far } from '../../packages/queue/test/service.ts'
import { startUniversity, type University } from '../../packages/queue/test/university.ts'
import { bodyOf, type Document, type Operation, operationsOf, pathOf, type Values } from './operations.ts'

const ways = ['an API key', 'a session', 'an inbound process'] as const
const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const
const telegram: Record<Role, string> = {
  trainer: '7001',
  staff: '7002',
  operator: '7003',
  admin: '7004',
  student: '7005',
}
const rank = (role: string) => roles.indexOf(role as Role)

interface Answer {
  readonly status: number
  readonly code: string | undefined
}

describe('the rights', () => {
  let fleet: University
  let document: Document
  let operations: Operation[]
  /** of each role a history that is over, so that its events end */
  const histories: Partial<Record<Role, string>> = {}
  const subscriptions: Partial<Record<Role, string>> = {}
  let calls = 0

  before(async () => {
    fleet = await startUniversity()
    document = fleet.app.swagger() as unknown as Document
    operations = operationsOf(document).filter(({ path }) => path.startsWith('/v1/'))
    for (const role of ['trainer', 'staff', 'operator', 'admin'] as const) {
      const body = { to: ['group:own'], text: 'x', at: far }
      const { json } = await fleet.ask<{ key: string }>('POST /v1/messages', { as: role }, body)
      await fleet.ask(`DELETE /v1/histories/${json.key}`, { as: role })
      histories[role] = json.key
      const hook = { url: `https://127.0.0.1:65000/${role}`, resource: 'history' }
      const made = await fleet.ask<{ id: string }>('POST /v1/subscriptions', { as: role }, hook)
      subscriptions[role] = made.json.id
    }
  })
  after(() => {
    console.log(`      ${operations.length} operations, ${calls} calls`)
    return fleet.stop()
  })

  const sessions = () => createSessions({ redis: fleet.redis, clock: fleet.clock })

  /** What is meant by the names of fields and parameters: the caller's own things, or another's. */
  async function valuesFor({ name }: Operation, role: Role, whose: 'own' | 'foreign'): Promise<Values> {
    const isOwn = whose === 'own'
    // of a trainer's foreign things the owner is staff, of anybody else's the admin
    const other = role === 'admin' ? 'operator' : 'admin'
    const person = name === 'DELETE /v1/people/{id}' ? 'nobody' : `${isOwn ? role : other}-1`
    const session = isOwn || name === 'DELETE /v1/sessions/{id}' ? await sessions().open(person) : undefined
    const ids: Readonly<Record<string, string | undefined>> = {
      people: name === 'PUT /v1/people/{id}' ? 'spare' : person,
      groups: name.startsWith('GET') || /\/(codes|application-link)$/.test(name) ? (isOwn ? 'own' : 'other') : 'spare',
      cohorts: name.startsWith('GET') ? 'all' : 'spare',
      sessions: session ? sessionIdOf(session.token) : '0'.repeat(64),
      'api-keys': '0'.repeat(16),
      // removed by another test than this one
      subscriptions: isOwn && name.startsWith('DELETE') ? 'none' : subscriptions[isOwn ? role : other],
    }
    return {
      key: histories[isOwn ? role : other] ?? `00.${person}.aaaaaaaaaaaa`,
      id: ids[/\/v1\/([a-z-]+)/.exec(name)?.[1] ?? ''],
      person: name.includes('members') ? 'nobody' : person,
      channel: name.startsWith('DELETE /v1/channels') ? 'none' : 'vk',
      to: [isOwn ? 'group:own' : 'group:other'],
      text: 'x',
      // an endpoint is somebody's, or a URL
      url: name.includes('/endpoints') ? undefined : 'https://127.0.0.1:65000/hook',
      resource_id: histories[isOwn ? role : other],
      since: new Date().toISOString(),
      at: far,
      role: 'student',
      owner: 'anna',
      address: '5999',
      code: '12345678',
      timeout: 0,
      '?person': name === 'GET /v1/sessions' || name === 'GET /v1/endpoints' ? person : undefined,
      '?group': isOwn ? 'own' : 'other',
      '?channel': 'sms',
      '?came': 'failed',
      '?address': '+79001234567',
    }
  }

  async function call(operation: Operation, values: Values, headers: Record<string, string>): Promise<Answer> {
    calls += 1
    const body = bodyOf(operation, document, values)
    const { status, json, text } = await fleet.call<{ code?: string }>(pathOf(operation, values), {
      method: operation.method,
      headers: { ...headers, ...(operation.type ? { 'content-type': operation.type } : {}) },
      ...(body === undefined ? {} : { body }),
    })
    expect(status, `${operation.name}: ${text}`).to.be.below(500)
    return { status, code: json?.code }
  }

  async function headersOf(role: Role, way: (typeof ways)[number]): Promise<Record<string, string>> {
    if (way === 'an API key') return { authorization: `Bearer ${fleet.keyOf[role]}` }
    if (way === 'an inbound process') {
      return { authorization: `Bearer ${fleet.keyOf.inbound}`, 'on-behalf-of': `telegram:${telegram[role]}` }
    }
    const session = await sessions().open(`${role}-1`)
    return { cookie: `fleet_session=${session.token}`, 'x-csrf-token': csrfTokenOf(session) }
  }

  const refusal = /^(not-allowed|wrong-channel)$/

  /** Whether somebody of this role, this way in, may do it with what is their own. */
  function isAllowed({ least, lent }: Right, role: Role, way: (typeof ways)[number]): boolean {
    if (least === 'anyone') return true
    if (least === 'inbound' || rank(role) < rank(least === 'presence' ? 'operator' : least)) return false
    return way !== 'an inbound process' || lent === true
  }

  it('have a row for every operation, and no other', () => {
    expect(Object.keys(rights)).to.have.members(operations.map(({ name }) => name))
  })

  for (const way of ways) {
    it(`are what the table says, by ${way}`, async () => {
      for (const operation of operations) {
        const right = rights[operation.name] as Right
        for (const role of roles) {
          const what = `${operation.name} by ${role}, ${way}`
          const { status, code } = await call(
            operation,
            await valuesFor(operation, role, 'own'),
            await headersOf(role, way),
          )
          expect(status, what).not.to.equal(401)
          const isLetIn = !(status === 403 && refusal.test(code ?? ''))
          expect([what, isLetIn]).to.deep.equal([what, isAllowed(right, role, way)])
        }
      }
    })

    it(`end at another’s things, by ${way}`, async () => {
      for (const operation of operations) {
        const right = rights[operation.name] as Right
        const role = right.least as Role
        if (right.foreign === undefined || !isAllowed(right, role, way)) continue
        const { code } = await call(operation, await valuesFor(operation, role, 'foreign'), await headersOf(role, way))
        // whoever reads all cohorts there are reads this one
        if (operation.name === 'GET /v1/cohorts/{id}') continue
        expect([operation.name, code]).to.deep.equal([operation.name, right.foreign])
      }
    })
  }

  it('of an inbound process by itself are few, and of nobody none', async () => {
    for (const operation of operations) {
      const { least } = rights[operation.name] as Right
      const values = await valuesFor(operation, 'trainer', 'own')
      const inbound = await call(operation, values, { authorization: `Bearer ${fleet.keyOf.inbound}` })
      expect([operation.name, inbound.code === 'not-allowed']).to.deep.equal([
        operation.name,
        least !== 'inbound' && least !== 'presence' && least !== 'anyone',
      ])
      for (const headers of [
        {},
        { authorization: `Bearer cf_${'0'.repeat(16)}_${'x'.repeat(32)}` },
        { cookie: `fleet_session=${'x'.repeat(32)}` },
      ]) {
        const { status } = await call(operation, values, headers as Record<string, string>)
        expect([operation.name, status === 401]).to.deep.equal([operation.name, least !== 'anyone'])
      }
    }
  })

  it('of a session need its CSRF token wherever something changes', async () => {
    for (const operation of operations) {
      if (operation.method === 'GET' || rights[operation.name]?.least === 'anyone') continue
      const { cookie = '' } = await headersOf('admin', 'a session')
      const { code } = await call(operation, await valuesFor(operation, 'admin', 'own'), { cookie })
      expect([operation.name, code]).to.deep.equal([operation.name, 'bad-csrf-token'])
    }
  })

  it('are for the methods that are described, and for no other', async () => {
    for (const path of new Set(operations.map((operation) => operation.path))) {
      const described = operations.filter((operation) => operation.path === path).map(({ method }) => method)
      for (const method of methods.filter((each) => !described.includes(each))) {
        const operation: Operation = {
          name: `${method} ${path}`,
          method,
          path,
          query: [],
          type: undefined,
          body: undefined,
        }
        const values = await valuesFor(operation, 'admin', 'own')
        const { status } = await call(operation, values, await headersOf('admin', 'an API key'))
        expect([`${method} ${path}`, status]).to.deep.equal([`${method} ${path}`, 405])
      }
    }
  })
})
