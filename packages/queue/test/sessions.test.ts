import { type AuditPage, type SessionView, shardName, systemSender } from '@courier-fleet/api-types'
import { keys } from '@courier-fleet/store'
import { expect } from 'chai'
import { far } from './service.ts'
import { type Browser, startUniversity, type University } from './university.ts'

describe('signing in to the web', () => {
  let fleet: University
  beforeEach(async () => {
    fleet = await startUniversity({ timeZone: 'Europe/Moscow', quotas: { trainer: 4 }, trustProxy: '127.0.0.1' })
  })
  afterEach(() => fleet.stop())

  const current = (browser: Browser) =>
    fleet.ask<SessionView & { code: string }>('GET /v1/sessions/current', { browser })
  const open = (person: string, code: string, from?: string) =>
    fleet.ask<SessionView & { code: string }>(
      'POST /v1/sessions',
      from === undefined ? {} : { headers: { 'x-forwarded-for': from } },
      { person, code },
    )
  const ask = (body: object, from?: string) =>
    fleet.ask('POST /v1/sign-ins', from === undefined ? {} : { headers: { 'x-forwarded-for': from } }, body)

  it('takes a code that comes as a message to the person alone, in their language', async () => {
    const code = await fleet.codeFor('trainer-1')
    expect((await fleet.systemTexts())[0]).to.equal(
      `Код для входа: ${code}. Действует 10 минут, никому его не сообщайте.`,
    )
    const { status, headers, json } = await open('trainer-1', `${code.slice(0, 4)} ${code.slice(4)}`)
    expect(status).to.equal(201)
    expect(headers.get('cache-control')).to.equal('no-store')
    expect(headers.get('set-cookie')).to.match(
      /^fleet_session=[A-Za-z0-9_-]{32}; Path=\/; HttpOnly; SameSite=Strict; Max-Age=604800$/,
    )
    expect(json).to.deep.include({ owner: 'trainer-1', role: 'trainer', source: 'web' })
    expect(json.limits).to.include({ limit: 4, left: 4 })
    const again = await open('trainer-1', code)
    expect([again.status, again.json.code], 'a code is good once').to.deep.equal([403, 'wrong-code'])
  })

  it('marks the cookie Secure behind https', async () => {
    const code = await fleet.codeFor('trainer-1')
    const headers = { 'x-forwarded-proto': 'https' }
    const opened = await fleet.ask('POST /v1/sessions', { headers }, { person: 'trainer-1', code })
    expect(opened.headers.get('set-cookie')).to.match(/; Secure$/)
  })

  it('can be done by a contact, too', async () => {
    const contact = { channel: 'sms', address: '8 900 111-00-01' }
    const code = await fleet.codeFor({ contact })
    const { json } = await fleet.ask<SessionView>('POST /v1/sessions', {}, { contact, code })
    expect(json.owner).to.equal('trainer-1')
  })

  it('gives nobody the answer that somebody else was given', async () => {
    const headers = { 'idempotency-key': 'same' }
    const code = await fleet.codeFor('trainer-1')
    const call = () => fleet.ask('POST /v1/sessions', { headers }, { person: 'trainer-1', code })
    expect((await call()).status).to.equal(201)
    expect((await call()).status).to.equal(403)
  })

  it('tells nobody who there is', async () => {
    const answers = [await ask({ person: 'trainer-1' }), await ask({ person: 'nobody' })]
    answers.push(await ask({ contact: { channel: 'telegram', address: '7002' } }))
    answers.push(await ask({ contact: { channel: 'telegram', address: 'no address' } }))
    for (const { status, json } of answers) {
      expect(status).to.equal(202)
      expect(Object.keys(json)).to.deep.equal(['expiresAt'])
    }
    const wrong = [await open('trainer-1', '00000000'), await open('nobody', '00000000')]
    expect(wrong[0]?.json).to.deep.equal(wrong[1]?.json)
    for (const person of ['trainer-1', 'nobody']) {
      const statuses = []
      for (let i = 0; i < 4; i += 1) statuses.push((await ask({ person })).status)
      expect(statuses, person).to.deep.equal([202, 202, 429, 429])
    }
  })

  it('stands no guessing: five tries a code, three codes a person', async () => {
    const code = await fleet.codeFor('trainer-1')
    const wrong = String((Number(code) + 1) % 100_000_000).padStart(8, '0')
    for (let i = 0; i < 5; i += 1) expect((await open('trainer-1', wrong)).status).to.equal(403)
    expect((await open('trainer-1', code)).status, 'the right one, too late').to.equal(403)
    await fleet.codeFor('trainer-1')
    await fleet.codeFor('trainer-1')
    const fourth = await ask({ person: 'trainer-1' })
    expect([fourth.status, fourth.json.code]).to.deep.equal([429, 'too-many-codes'])
    // asking by a contact is no way around it: answered, and nothing is sent
    expect((await ask({ contact: { channel: 'telegram', address: '7001' } })).status).to.equal(202)
    await fleet.codeFor('staff-1')
    expect(await fleet.systemTexts()).to.have.length(4)
    const lines = (await fleet.ask<AuditPage>('GET /v1/audit', { as: 'admin' })).json.lines
    expect(lines.filter(({ action, person }) => action === 'session.refused' && person === 'trainer-1')).to.have.length(
      6,
    )
  })

  it('stands no trying of everybody from one address', async () => {
    const statuses = await Promise.all([...Array(61).keys()].map((i) => open(`p-${i}`, '12345678', '10.1.2.3')))
    expect(statuses.filter(({ status }) => status === 429)).to.have.length(1)
    expect((await open('p-1', '12345678', '10.1.2.4')).status, 'another address').to.equal(403)
  })

  it('gives a code to one of those who type it at once', async () => {
    const code = await fleet.codeFor('trainer-1')
    const answers = await Promise.all(Array.from({ length: 5 }, () => open('trainer-1', code)))
    expect(answers.map(({ status }) => status).sort()).to.deep.equal([201, 403, 403, 403, 403])
  })

  it('makes every route work as for an API key, with the role of the moment', async () => {
    const browser = await fleet.signIn('trainer-1')
    const sent = await fleet.ask('POST /v1/messages', { browser }, { to: ['group:own'], text: 'Hello', at: far })
    expect(sent.status).to.equal(201)
    expect((await fleet.ask('GET /v1/people', { browser })).status).to.equal(403)
    await fleet.directory.putPerson({ id: 'trainer-1', name: 'T', role: 'staff', timeZone: 'UTC', language: 'en' })
    expect((await fleet.ask('GET /v1/people', { browser })).status).to.equal(200)
    await fleet.directory.deletePerson('trainer-1')
    expect((await current(browser)).status).to.equal(401)
  })

  it('needs the CSRF token for whatever changes something', async () => {
    const browser = await fleet.signIn('trainer-1')
    const other = await fleet.signIn('staff-1')
    for (const csrfToken of ['', 'x', other.csrfToken]) {
      const forged = { browser: { ...browser, csrfToken } }
      const { status, json } = await fleet.ask('POST /v1/messages', forged, { to: ['group:own'], text: 'x', at: far })
      expect([status, json.code]).to.deep.equal([403, 'bad-csrf-token'])
      expect((await fleet.ask('DELETE /v1/sessions/current', forged)).status).to.equal(403)
      expect((await fleet.ask('GET /v1/limits', forged)).status, 'reading needs none').to.equal(200)
    }
    expect((await current(browser)).json.csrfToken).to.equal(browser.csrfToken)
  })

  it('lets nobody act for others with a session', async () => {
    const browser = await fleet.signIn('admin-1')
    const { status } = await fleet.ask('GET /v1/limits', { browser, headers: { 'on-behalf-of': 'telegram:7001' } })
    expect(status).to.equal(403)
  })

  it('ends when signed out, and leaves other browsers alone', async () => {
    const [one, other] = [await fleet.signIn('trainer-1'), await fleet.signIn('trainer-1')]
    const out = await fleet.ask('DELETE /v1/sessions/current', { browser: one })
    expect([out.status, out.headers.get('set-cookie')]).to.deep.equal([
      204,
      'fleet_session=; Path=/; HttpOnly; SameSite=Strict; Max-Age=0',
    ])
    const ended = await current(one)
    expect([ended.status, ended.json.code]).to.deep.equal([401, 'no-session'])
    expect((await current(other)).status).to.equal(200)
    expect((await fleet.ask('DELETE /v1/sessions/current', { as: 'trainer' })).json.code).to.equal('no-session')
  })

  it('lasts twelve hours from its last use, and seven days at most', async () => {
    const browser = await fleet.signIn('trainer-1')
    const [session] = await fleet.redis.keys('session:*')
    await fleet.redis.pexpire(session as string, 60_000)
    const opened = Date.now()
    const { expiresAt } = (await current(browser)).json
    expect(Date.parse(expiresAt as string) - opened).to.be.within(43_199_000, 43_205_000)
    expect(await fleet.redis.pttl(session as string)).to.be.above(43_190_000)
    fleet.clock.now = () => opened + 7 * 86_400_000 - 3_600_000
    expect(Date.parse((await current(browser)).json.expiresAt as string) - opened).to.be.below(7 * 86_400_000 + 1)
    fleet.clock.now = () => opened + 7 * 86_400_000
    expect((await current(browser)).status).to.equal(401)
    expect(await fleet.redis.exists(session as string)).to.equal(0)
  })

  it('keeps neither code nor cookie in the clear', async () => {
    const code = await fleet.codeFor('trainer-1')
    const opened = await open('trainer-1', code)
    const token = /=([^;]+)/.exec(opened.headers.get('set-cookie') ?? '')?.[1] as string
    for (const key of await fleet.redis.keys('*')) {
      if (key.startsWith('record:')) continue
      const type = await fleet.redis.type(key)
      const value =
        type === 'string'
          ? await fleet.redis.get(key)
          : type === 'cohort'
            ? await fleet.redis.xrange(key, '-', '+')
            : type === 'hash'
              ? await fleet.redis.hgetall(key)
              : ''
      const text = key + JSON.stringify(value)
      expect(text).not.to.contain(code)
      expect(text).not.to.contain(token)
    }
  })

  it('shows its messages to nobody', async () => {
    await fleet.codeFor('trainer-1')
    for (let shard = 0; shard < 16; shard += 1) {
      for (const [, fields] of await fleet.redis.xrange(keys.sent(shardName(shard), systemSender), '-', '+')) {
        const history = `/v1/histories/${shardName(shard)}.${systemSender}.${fields[1]}`
        for (const as of ['admin', 'operator', 'student'] as const) {
          for (const path of ['', '/receipts', '/recount', '/events']) {
            expect((await fleet.ask(`GET ${history}${path}`, { as })).json.code).to.equal('not-your-history')
          }
        }
      }
    }
    // a key that was made before the name was reserved
    const { id, apiKey } = await fleet.apiKeys.create({ owner: 'trainer-1', role: 'admin', label: 'old' })
    await fleet.redis.hset(keys.apiKey(id), 'owner', systemSender)
    expect((await fleet.ask('GET /v1/histories', { apiKey })).status).to.equal(403)
  })

  it('allows a page its own scripts and nothing inline', async () => {
    const { headers } = await fleet.ask('GET /docs')
    const policy = headers.get('content-security-policy') ?? ''
    expect(policy)
      .to.contain("script-src 'self';")
      .and.contain("default-src 'none'")
      .and.contain("frame-ancestors 'none'")
    expect(policy).not.to.contain('unsafe')
  })
})
