import { type AuditPage, typeOf } from '@courier-fleet/api-types'
import { keys, oneClickPath, oneClickSecret, writeSettings } from '@courier-fleet/store'
import { until } from '@courier-fleet/testkit'
import { expect } from 'chai'
import { startUniversity, type University } from './university.ts'

const history = '05.staff-1.abcdefgh_-123456' as never

describe('a one-click address of mail', () => {
  let fleet: University
  let secret: string
  const address = 'student-1@example.org'

  beforeEach(async () => {
    fleet = await startUniversity()
    await fleet.directory.linkContact('mail', 'student-1', address)
    secret = await oneClickSecret(fleet.redis)
    const types = [
      { ...typeOf([], 'news'), number: 2, name: { ru: 'Новости <b>"недели"</b>', en: 'News' } },
      { ...typeOf([], 'rector'), number: 3, name: { ru: 'От ректора', en: 'Rector' }, optOut: 'mandatory' as const },
    ]
    await writeSettings(fleet.redis, { expected: 0, by: 'operator-1', stored: { types } })
    const read = async () =>
      (await fleet.ask<{ types: unknown[] }>('GET /v1/people/student-1/wishes', { as: 'student' })).json
    await until(async () => (await read()).types.length === 3, 'the types are known')
  })
  afterEach(() => fleet.stop())

  const pathTo = (type: string, more: object = {}) =>
    `/u/${oneClickPath(secret, { person: 'student-1', type, history, address, ...more })}`
  const form = 'List-Unsubscribe=One-Click'
  const parts = '--x1\r\nContent-Disposition: form-data; name="List-Unsubscribe"\r\n\r\nOne-Click\r\n--x1--\r\n'
  async function call(method: string, path: string, body?: string, type = 'application/x-www-form-urlencoded') {
    const answer = await fetch((await base()) + path, {
      method,
      redirect: 'manual',
      ...(body === undefined ? {} : { body, headers: { 'content-type': type } }),
    })
    return { status: answer.status, headers: answer.headers, text: await answer.text() }
  }
  const base = async () => {
    const [bound] = fleet.app.addresses()
    return `http://127.0.0.1:${typeof bound === 'object' ? bound.port : ''}`
  }
  const off = async () => (await fleet.directory.wishesOf('student-1')).off
  const mailState = async () => (await fleet.directory.contactsOf('mail', ['student-1']))[0]?.state
  const lines = async () => (await fleet.ask<AuditPage>('GET /v1/audit?limit=20', { as: 'operator' })).json.lines

  it('shows a page with a button to whoever looks, and changes nothing however often', async () => {
    const before = await fleet.redis.xlen(keys.audit)
    for (const method of ['GET', 'HEAD', 'GET']) expect((await call(method, pathTo('news'))).status).to.equal(200)
    const { text, headers } = await call('GET', pathTo('news'))
    expect(text).to.contain('<html lang="ru">').and.contain('<form method="post">').and.contain('Не присылать')
    expect(text, 'a name stays a name').to.contain('Новости &#60;b&#62;').and.not.contain('<b>')
    expect(text).to.not.match(/<script|src=|href=/)
    expect(headers.get('content-type')).to.equal('text/html; charset=utf-8')
    expect(headers.get('content-security-policy')).to.match(/^default-src 'none'; style-src 'sha256-/)
    expect(headers.get('content-security-policy')).to.contain("frame-ancestors 'none'").and.not.contain('script')
    expect(headers.get('x-content-type-options')).to.equal('nosniff')
    expect(headers.get('referrer-policy')).to.equal('no-referrer')
    expect(headers.get('cache-control')).to.equal('no-store')
    for (const method of ['PUT', 'DELETE', 'PATCH'])
      expect((await call(method, pathTo('news'))).status).to.be.oneOf([404, 405])
    expect(await off()).to.deep.equal([])
    expect(await fleet.redis.xlen(keys.audit)).to.equal(before)
  })

  for (const [what, body, type] of [
    ['a form', form, 'application/x-www-form-urlencoded'],
    ['parts', parts, 'multipart/form-data; boundary=x1'],
  ] as const)
    it(`switches the type off on mail by one POST of ${what}, without a cookie or a redirect; again is the same`, async () => {
      const { status, headers, text } = await call('POST', pathTo('news'), body, type)
      expect(status).to.equal(200)
      expect(headers.get('set-cookie')).to.equal(null)
      expect(headers.get('location')).to.equal(null)
      expect(text)
        .to.contain('Готово')
        .and.contain('Обязательные придут всё равно: От ректора')
        .and.contain('/unmute news')
      expect(text).to.not.contain('<form')
      expect(await off()).to.deep.equal(['news:mail'])
      expect(await mailState()).to.equal('active')
      const written = await fleet.redis.xlen(keys.audit)
      for (let again = 0; again < 3; again += 1)
        expect((await call('POST', pathTo('news'), body, type)).status).to.equal(200)
      expect(await fleet.redis.xlen(keys.audit)).to.equal(written)
      const [line] = await lines()
      expect(line).to.include({ action: 'wishes.changed', by: 'student-1', via: 'mail', channel: 'mail', history })
      expect(line).to.include({ person: 'student-1', before: 'off: nothing', after: 'off: news:mail' })
    })

  it('of a message without a type ends mail altogether', async () => {
    expect((await call('GET', pathTo('general'))).text).to.contain('никаких сообщений')
    const { status, text } = await call('POST', pathTo('general'), form)
    expect(status).to.equal(200)
    expect(text).to.contain('на эту почту больше ничего не придёт')
    expect(await mailState()).to.equal('opted-out')
    expect(await off()).to.deep.equal([])
    await call('POST', pathTo('general'), form)
    const told = (await lines()).filter(({ action }) => action === 'consent.withdrawn')
    expect(told).to.have.length(1)
    expect(told[0]).to.include({ person: 'student-1', via: 'mail', channel: 'mail', history })
  })

  it('does nothing for a POST that does not say so, for a forged one, or one of another mailbox', async () => {
    for (const body of ['', 'List-Unsubscribe=No', 'x=One-Click'])
      expect((await call('POST', pathTo('news'), body)).status, body).to.equal(400)
    expect((await call('POST', pathTo('news'), '{}', 'application/json')).status).to.be.within(400, 415)
    expect((await call('POST', pathTo('news'), 'x'.repeat(5000))).status).to.equal(413)
    const forged = [
      pathTo('news').replace('student-1', 'trainer-1'),
      pathTo('news').replace('/news/', '/general/'),
      pathTo('news').slice(0, -1),
      `/u/${oneClickPath('guess', { person: 'student-1', type: 'news', history, address })}`,
      '/u/',
      '/u/a/b/c/d/e',
      `/u/${'a'.repeat(3000)}`,
      '/u/%00/%2e%2e/x',
    ]
    for (const path of forged)
      for (const method of ['GET', 'POST'])
        expect(
          (await call(method, path, method === 'POST' ? form : undefined)).status,
          `${method} ${path}`,
        ).to.be.oneOf([404, 414])
    expect((await call('POST', pathTo('news', { address: 'other@example.org' }), form)).status).to.equal(410)
    expect((await call('POST', pathTo('news', { person: 'nobody' }), form)).status).to.equal(410)
    await fleet.directory.linkContact('mail', 'student-1', 'new@example.org')
    expect((await call('POST', pathTo('news'), form)).status, 'it was linked anew').to.equal(410)
    expect(await off()).to.deep.equal([])
  })

  it('says so of a type that is mandatory by now, and holds for one that is gone', async () => {
    for (const [method, body] of [['GET'], ['POST', form]] as const) {
      const { status, text } = await call(method, pathTo('rector'), body)
      expect(status).to.equal(409)
      expect(text).to.contain('обязательные').and.not.contain('<form')
    }
    expect((await call('POST', pathTo('gone'), form)).status).to.equal(200)
    expect(await off()).to.deep.equal(['gone:mail'])
  })

  it('is answered so often and no more, whoever calls', async () => {
    const statuses = await Promise.all(
      Array.from({ length: 125 }, async () => (await call('GET', pathTo('news'))).status),
    )
    expect(statuses.filter((status) => status === 200)).to.have.length(120)
    const { status, text } = await call('POST', pathTo('news'), form)
    expect(status).to.equal(429)
    expect(text).to.contain('ничего не изменилось')
    expect(await off()).to.deep.equal([])
  })

  it('is in the language of whoever has the mailbox', async () => {
    await fleet.directory.putPerson({ id: 'anna', name: 'Anna', role: 'student', timeZone: 'UTC', language: 'en' })
    await fleet.directory.linkContact('mail', 'anna', 'anna@example.org')
    const { text } = await call('GET', pathTo('news', { person: 'anna', address: 'anna@example.org' }))
    expect(text).to.contain('<html lang="en">').and.contain('Do not send &#34;News&#34; to this mailbox any more?')
  })
})
