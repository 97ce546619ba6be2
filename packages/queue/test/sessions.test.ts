import {
  type AuditPage,
  type SessionList,
  type SessionView,
  shardName,
  shardNames,
  systemSender,
} from '@courier-fleet/api-types'
import { keys } from '@courier-fleet/store'
import { until } from '@courier-fleet/testkit'
import { expect } from 'chai'
import { far } from './service.ts'
import { type Browser, startUniversity, type University } from './university.ts'

describe('signing in to the web', () => {
  let fleet: University
  beforeEach(async () => {
    fleet = await startUniversity({ timeZone: 'Europe/Moscow', quotas: { trainer: 4 }, trustProxy: ['127.0.0.1'] })
  })
  afterEach(() => fleet.stop())

  const current = (browser: Browser) =>
    fleet.ask<SessionView & { code: string }>('GET /v1/sessions/current', { browser })
  const open = (person: string, { code, cookie }: { code: string; cookie?: string }) =>
    fleet.ask<SessionView & { code: string }>('POST /v1/sessions', cookie ? { headers: { cookie } } : {}, {
      person,
      code,
    })
  const ask = (body: object, from?: string) =>
    fleet.ask('POST /v1/sign-ins', from === undefined ? {} : { headers: { 'x-forwarded-for': from } }, body)

  it('takes a code that comes as a message to the person alone, in their language', async () => {
    const { code, cookie } = await fleet.codeFor('trainer-1')
    expect((await fleet.systemTexts())[0]).to.equal(
      `Код для входа: ${code}. Действует 10 минут, никому его не сообщайте.`,
    )
    expect(cookie).to.match(/^fleet_browser=[A-Za-z0-9_-]{32}$/)
    const spaced = `${code.slice(0, 4)} ${code.slice(4)}`
    const { status, headers, json } = await open('trainer-1', { code: spaced, cookie })
    expect(status).to.equal(201)
    expect(headers.get('cache-control')).to.equal('no-store')
    expect(headers.get('set-cookie')).to.match(
      /^fleet_session=[A-Za-z0-9_-]{32}; Path=\/; HttpOnly; SameSite=Strict; Max-Age=604800$/,
    )
    expect(json).to.deep.include({ owner: 'trainer-1', role: 'trainer', source: 'web' })
    expect(json.limits).to.include({ limit: 4, left: 4 })
    const again = await open('trainer-1', { code, cookie })
    expect([again.status, again.json.code], 'a code is good once').to.deep.equal([403, 'wrong-code'])
  })

  it('marks the cookie Secure behind https', async () => {
    const { code, cookie } = await fleet.codeFor('trainer-1')
    const headers = { 'x-forwarded-proto': 'https', cookie }
    const opened = await fleet.ask('POST /v1/sessions', { headers }, { person: 'trainer-1', code })
    expect(opened.headers.get('set-cookie')).to.match(/; Secure$/)
  })

  it('can be done by a contact, too', async () => {
    const contact = { channel: 'sms', address: '8 900 111-00-01' }
    const { code, cookie } = await fleet.codeFor({ contact })
    const { json } = await fleet.ask<SessionView>('POST /v1/sessions', { headers: { cookie } }, { contact, code })
    expect(json.owner).to.equal('trainer-1')
  })

  it('gives nobody the answer that somebody else was given', async () => {
    const { code, cookie } = await fleet.codeFor('trainer-1')
    const headers = { 'idempotency-key': 'same', cookie }
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
    const wrong = [await open('trainer-1', { code: '00000000' }), await open('nobody', { code: '00000000' })]
    expect(wrong[0]?.json).to.deep.equal(wrong[1]?.json)
    for (const person of ['trainer-1', 'nobody']) {
      const statuses = []
      for (let i = 0; i < 4; i += 1) statuses.push((await ask({ person })).status)
      expect(statuses, person).to.deep.equal([202, 202, 429, 429])
    }
  })

  it('answers before it looks for the person, whose code cannot make the answer late', async () => {
    await fleet.redis.del(keys.targets)
    await fleet.redis.set(keys.targets, 'what a code is sent by cannot be read')
    for (const person of ['trainer-1', 'nobody']) expect((await ask({ person })).status, person).to.equal(202)
  })

  it('does the same work before it answers, whether there is such a person or not', async () => {
    /** how often Redis was read, by command; the audit is written after the answer */
    const reads = async () => {
      const stats = await fleet.redis.info('commandstats')
      return ['evalsha', 'get', 'hget', 'hmget', 'hgetall'].map((name) =>
        Number(new RegExp(`cmdstat_${name}:calls=(\\d+)`).exec(stats)?.[1] ?? 0),
      )
    }
    async function workOf(person: string, cookie: string): Promise<number[]> {
      const before = await reads()
      expect((await open(person, { code: '00000000', cookie })).status).to.equal(403)
      return (await reads()).map((count, index) => count - (before[index] ?? 0))
    }
    const { cookie } = await fleet.codeFor('trainer-1')
    const known = await workOf('trainer-1', cookie)
    const headers = { cookie: `fleet_browser=${'x'.repeat(32)}` }
    expect((await fleet.ask('POST /v1/sign-ins', { headers }, { person: 'nobody' })).status).to.equal(202)
    await until(async () => (await fleet.redis.keys('sign-in:*')).length === 2, 'a code is kept')
    expect(await workOf('nobody', headers.cookie)).to.deep.equal(known)
  })

  const wrongOf = (code: string) => String((Number(code) + 1) % 100_000_000).padStart(8, '0')

  it('stands no guessing: five tries a code, three codes a name and network', async () => {
    const { code, cookie } = await fleet.codeFor('trainer-1')
    for (let i = 0; i < 5; i += 1)
      expect((await open('trainer-1', { code: wrongOf(code), cookie })).status).to.equal(403)
    expect((await open('trainer-1', { code, cookie })).status, 'the right one, too late').to.equal(403)
    await fleet.codeFor('trainer-1')
    await fleet.codeFor('trainer-1')
    const fourth = await ask({ person: 'trainer-1' })
    expect([fourth.status, fourth.json.code]).to.deep.equal([429, 'too-many-codes'])
    const refused = async () =>
      (await fleet.ask<AuditPage>('GET /v1/audit', { as: 'admin' })).json.lines.filter(
        ({ action, person }) => action === 'session.refused' && person === 'trainer-1',
      ).length
    await until(async () => (await refused()) === 5, 'the audit knows')
  })

  it('gives a code to the browser that asked, and strangers neither spend it nor use up its tries', async () => {
    const { code, cookie } = await fleet.codeFor('trainer-1')
    const stranger = await fleet.codeFor('trainer-1')
    for (let i = 0; i < 8; i += 1) {
      expect((await open('trainer-1', { code: wrongOf(code) })).status).to.equal(403)
      expect((await open('trainer-1', { code: wrongOf(stranger.code), cookie: stranger.cookie })).status).to.equal(403)
    }
    const seen = [await open('trainer-1', { code }), await open('trainer-1', { code, cookie: stranger.cookie })]
    expect(seen.map(({ status, json }) => [status, json.code])).to.deep.equal([
      [403, 'wrong-code'],
      [403, 'wrong-code'],
    ])
    expect((await open('trainer-1', { code, cookie })).status).to.equal(201)
  })

  it('keeps nobody out whom strangers ask for, and counts a /64 of IPv6 as one', async () => {
    const { cookie } = await fleet.signIn('trainer-1')
    const refused = async (from: (i: number) => string, tries: number) => {
      const asked = await Promise.all([...Array(tries).keys()].map((i) => ask({ person: 'trainer-1' }, from(i))))
      return asked.filter(({ status }) => status === 429).length
    }
    expect(await refused(() => '10.1.2.3', 10), 'one stranger').to.equal(7)
    expect(await refused((i) => `2001:db8:0:1::${i.toString(16)}`, 10), 'a /64').to.equal(7)
    expect(await refused((i) => `2001:db8:1:${i}::1`, 30), 'many networks').to.equal(0)
    // of a network that is used up, and while strangers ask from everywhere
    expect(await refused(() => '127.0.0.1', 70)).to.be.above(60)
    const codes = async () => (await fleet.systemTexts()).filter((text) => /\d{8}/.test(text))
    await until(async () => (await codes()).length === 13, 'strangers have been sent all that they may have')
    const asked = await fleet.codeFor('trainer-1', cookie)
    expect((await open('trainer-1', asked)).status, 'their own browser').to.equal(201)
    expect((await fleet.ask('POST /v1/sign-ins', { headers: { cookie } }, { person: 'trainer-1' })).status).to.equal(
      202,
    )
  })

  for (const [whose, systemSmsPerDay, bySms] of [
    ['of all', 1, 1],
    ['of the person', undefined, 8],
  ] as const)
    it(`sends strangers’ codes a limited number of times, and by SMS within the budget ${whose}`, async () => {
      await fleet.stop()
      fleet = await startUniversity({
        timeZone: 'Europe/Moscow',
        quotas: {},
        trustProxy: ['127.0.0.1'],
        ...(systemSmsPerDay === undefined ? {} : { systemSmsPerDay }),
      })
      const channelsOf = async () => {
        const named: string[] = []
        for (const shard of shardNames(16)) {
          for (const [, fields] of await fleet.redis.xrange(keys.sent(shard, systemSender), '-', '+')) {
            const history = keys.history({ shard, sender: systemSender, id: fields[1] as string })
            const channels = (await fleet.redis.hget(history, 'channels')) ?? ''
            named.push(channels.split(',').sort().join(' '))
          }
        }
        return named.sort()
      }
      for (let i = 0; i < 20; i += 1) expect((await ask({ person: 'trainer-1' }, `10.9.${i}.1`)).status).to.equal(202)
      await until(async () => (await channelsOf()).length === 12, 'twelve are sent')
      expect(await channelsOf()).to.deep.equal([
        ...Array(bySms).fill('sms telegram vk'),
        ...Array(12 - bySms).fill('telegram vk'),
      ])
    })

  it('tells the person of a sign-in, on their other channels', async () => {
    const text = 'Под вашим именем вошли в веб-приложение. Если это были не вы, сообщите в деканат.'
    await fleet.signIn('trainer-1')
    await until(async () => (await fleet.systemTexts()).includes(text), 'it is told')
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

  it('is listed, and ended by the person and by the office', async () => {
    const [one, other] = [await fleet.signIn('trainer-1'), await fleet.signIn('trainer-1')]
    const admin = await fleet.signIn('admin-1')
    const list = async (who: Parameters<University['ask']>[1], person = '') =>
      (await fleet.ask<SessionList & { code: string }>(`GET /v1/sessions${person}`, who)).json
    const { sessions } = await list({ browser: one })
    expect(sessions.map(({ current }) => current)).to.have.members([true, false])
    const [left, own] = [sessions.find(({ current }) => !current), sessions.find(({ current }) => current)]
    const seen = await list({ as: 'operator' }, '?person=trainer-1')
    expect(seen.sessions.map(({ id, openedAt, current }) => [id, openedAt, current])).to.deep.equal(
      sessions.map(({ id, openedAt }) => [id, openedAt, false]),
    )
    expect((await list({ as: 'staff' }, '?person=trainer-1')).code).to.equal('not-allowed')
    expect((await list({ as: 'operator' }, '?person=admin-1')).code).to.equal('not-allowed')

    const end = async (id: string | undefined, who: Parameters<University['ask']>[1]) => {
      const { status, json } = await fleet.ask(`DELETE /v1/sessions/${id}`, who)
      return status === 204 ? 204 : json.code
    }
    const [ofAdmin] = (await list({ browser: admin })).sessions
    for (const who of [{ as: 'staff' }, { as: 'operator' }, { browser: one }] as const)
      expect(await end(ofAdmin?.id, who), 'not told that it is there').to.equal('unknown-session')
    expect(await end('0'.repeat(64), { as: 'admin' })).to.equal('unknown-session')
    expect(await end(left?.id, { browser: one })).to.equal(204)
    expect((await current(other)).status).to.equal(401)
    expect((await current(one)).status).to.equal(200)
    expect(await end(own?.id, { as: 'operator' })).to.equal(204)
    expect((await current(one)).status).to.equal(401)
    expect((await list({ as: 'operator' }, '?person=trainer-1')).sessions).to.deep.equal([])
  })

  it('ends with the person, as their keys do, and nobody else is given their id', async () => {
    const browser = await fleet.signIn('trainer-1')
    const { apiKey } = await fleet.apiKeys.create({ owner: 'trainer-1', role: 'trainer', label: 'laptop' })
    expect((await fleet.ask('DELETE /v1/people/trainer-1', { as: 'admin' })).status).to.equal(204)
    const put = (query = '') =>
      fleet.ask(`PUT /v1/people/trainer-1${query}`, { as: 'admin' }, { name: 'Another', role: 'admin' })
    const again = await put()
    expect([again.status, again.json.code]).to.deep.equal([409, 'removed-person'])
    const csv = 'id,name,role\ntrainer-1,Another,admin\n'
    const headers = { 'content-type': 'text/csv' }
    const { json: report } = await fleet.ask<{ rejected: number }>('POST /v1/imports', { as: 'admin', headers }, csv)
    expect(report.rejected).to.equal(1)
    expect((await put('?returning=true')).status, 'the same person').to.equal(201)
    expect((await current(browser)).status).to.equal(401)
    expect((await fleet.ask('GET /v1/limits', { apiKey })).status).to.equal(401)
    expect(await fleet.redis.keys('session*')).to.deep.equal([])
  })

  it('lasts twelve hours from its last use, and seven days at most', async () => {
    const browser = await fleet.signIn('trainer-1')
    const [session] = await fleet.redis.keys('session:*')
    await fleet.redis.pexpire(session as string, 60_000)
    const opened = Date.now()
    const { expiresAt } = (await current(browser)).json
    const inTwelveHours = Date.parse(expiresAt as string) - 43_200_000
    expect(inTwelveHours).to.be.within(opened - 1000, Date.now() + 1000)
    expect(await fleet.redis.pttl(session as string)).to.be.above(43_100_000)
    fleet.clock.now = () => opened + 7 * 86_400_000 - 3_600_000
    expect(Date.parse((await current(browser)).json.expiresAt as string) - opened).to.be.below(7 * 86_400_000 + 1)
    fleet.clock.now = () => opened + 7 * 86_400_000
    expect((await current(browser)).status).to.equal(401)
    expect(await fleet.redis.exists(session as string)).to.equal(0)
  })

  it('keeps neither code nor cookie in the clear', async () => {
    const { code, cookie } = await fleet.codeFor('trainer-1')
    const opened = await open('trainer-1', { code, cookie })
    const token = /=([^;]+)/.exec(opened.headers.get('set-cookie') ?? '')?.[1] as string
    for (const key of await fleet.redis.keys('*')) {
      if (key.startsWith('secret:')) {
        // what couriers are still to send: no longer than it is good
        expect(await fleet.redis.pttl(key)).to.be.within(1, 600_000)
        continue
      }
      const type = await fleet.redis.type(key)
      const value =
        type === 'string'
          ? await fleet.redis.get(key)
          : type === 'stream'
            ? await fleet.redis.xrange(key, '-', '+')
            : type === 'hash'
              ? await fleet.redis.hgetall(key)
              : ''
      const text = key + JSON.stringify(value)
      expect(text).not.to.contain(code)
      expect(text).not.to.contain(token)
      expect(text).not.to.contain(cookie.split('=')[1])
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

  it('allows a page its own scripts, and inline only those of /docs, by their hash', async () => {
    const { headers } = await fleet.ask('GET /docs')
    const policy = headers.get('content-security-policy') ?? ''
    expect(policy)
      .to.match(/script-src 'self' 'sha256-[A-Za-z0-9+/]{43}=';/)
      .and.contain("default-src 'none'")
      .and.contain("frame-ancestors 'none'")
    expect(policy).not.to.contain('unsafe')
  })

  it('tells browsers with every answer, refusals too, to load, frame and guess nothing', async () => {
    for (const call of ['GET /docs', 'GET /v1/histories', 'GET /nowhere', 'PUT /docs']) {
      const { headers } = await fleet.ask(call)
      const told = Object.fromEntries(headers.entries())
      expect(told, call).to.include({
        'cross-origin-opener-policy': 'same-origin',
        'cross-origin-resource-policy': 'same-origin',
        'origin-agent-cluster': '?1',
        'referrer-policy': 'no-referrer',
        'strict-transport-security': 'max-age=31536000; includeSubDomains',
        'x-content-type-options': 'nosniff',
        'x-dns-prefetch-control': 'off',
        'x-download-options': 'noopen',
        'x-frame-options': 'SAMEORIGIN',
        'x-permitted-cross-domain-policies': 'none',
        'x-xss-protection': '0',
      })
      expect(told['content-security-policy'], call).to.match(/^default-src 'none';/)
    }
  })
})
