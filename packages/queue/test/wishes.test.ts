import { type AuditPage, type ConsentView, typeOf, type WishesView } from '@courier-fleet/api-types'
import { keys, writeSettings } from '@courier-fleet/store'
import { until } from '@courier-fleet/testkit'
import { expect } from 'chai'
import { startUniversity, type University } from './university.ts'

/** student-1 is behind telegram:7005, trainer-1 behind telegram:7001 and +79001110001. */
describe('what people wish', () => {
  let fleet: University
  const own = { as: 'student' } as const
  const url = '/v1/people/student-1/wishes'
  const bot = { for: 'telegram:7005' }

  before(async () => {
    fleet = await startUniversity()
    const named = (id: string, number: number, ru: string, en: string) => ({
      ...typeOf([], id),
      number,
      name: { ru, en },
    })
    const types = [
      named('news', 2, 'Новости', 'News'),
      { ...named('rector', 3, 'От ректора', 'From the rector'), optOut: 'mandatory' as const },
    ]
    await writeSettings(fleet.redis, { expected: 0, by: 'operator-1', stored: { types } })
    await until(async () => (await read()).types.length === 3, 'the types are known')
  })
  afterEach(() => put({}))
  after(() => fleet.stop())

  const read = async () => (await fleet.ask<WishesView>(`GET ${url}`, own)).json
  const put = (body: object, who: Parameters<University['ask']>[1] = own) =>
    fleet.ask<WishesView & { code?: string; field?: string; detail?: string }>(`PUT ${url}`, who, body)
  const lines = async () => (await fleet.ask<AuditPage>('GET /v1/audit?limit=10', { as: 'operator' })).json.lines
  const consent = (body: object) =>
    fleet.ask<ConsentView & { code?: string; detail?: string }>(
      'POST /v1/consents',
      { as: 'inbound' },
      { channel: 'telegram', address: '7005', ...body },
    )

  it('are nothing at first, and say which types there are and which are mandatory', async () => {
    const { status, json, headers } = await fleet.ask<WishesView>(`GET ${url}`, own)
    expect(status).to.equal(200)
    expect(headers.get('etag')).to.equal(`"${json.version}"`)
    expect(json).to.deep.include({ person: 'student-1', off: [] })
    expect(json.types.map(({ id, name, mandatory }) => [id, name.ru, mandatory])).to.deep.equal([
      ['general', 'Общее', false],
      ['news', 'Новости', false],
      ['rector', 'От ректора', true],
    ])
    expect(json).not.to.have.property('quiet')
  })

  it('are replaced whole, by the person or an operator, and the audit says what they were', async () => {
    const { status, json } = await put({ off: ['news', 'general:sms', 'news'], quiet: { from: '23:00', to: '07:00' } })
    expect(status).to.equal(200)
    expect(json).to.deep.include({ off: ['general:sms', 'news'], quiet: { from: '23:00', to: '07:00' } })
    expect(await read()).to.deep.include({ off: ['general:sms', 'news'], version: json.version })
    await put({ quiet: 'never' }, { as: 'operator' })
    expect(await read()).to.deep.include({ off: [], quiet: 'never' })
    const [second, first] = await lines()
    expect(first).to.deep.include({
      action: 'wishes.changed',
      by: 'student-1',
      via: 'api',
      person: 'student-1',
      before: 'off: nothing',
      after: 'off: general:sms, news; quiet: 23:00-07:00',
    })
    expect(second).to.deep.include({ by: 'operator-1', after: 'off: nothing; quiet: never' })
  })

  it('said again, change nothing and are not in the audit again', async () => {
    await put({ off: ['news'] })
    const [newest] = await lines()
    await put({ off: ['news'] })
    expect((await lines())[0]?.id).to.equal(newest?.id)
  })

  it('are refused where they have changed since they were read', async () => {
    const { version } = await read()
    const with_ = (each: string) => ({ ...own, headers: { 'if-match': `"${each}"` } })
    const { json } = await put({ off: ['news'] }, with_(version))
    expect((await put({ off: [] }, with_(version))).json.code).to.equal('stale-wishes')
    expect((await put({ off: [] }, with_(json.version))).status).to.equal(200)
  })

  it('that make no sense are refused, with what would', async () => {
    const refused = async (body: object) => {
      const { status, json } = await put(body)
      return [status, json.code, json.field]
    }
    expect(await refused({ off: ['general', 'newz'] })).to.deep.equal([422, 'unknown-type', 'off.1'])
    expect((await put({ off: ['newz'] })).json.detail).to.equal(
      'there is no type "newz"; did you mean news? There are general, news, rector',
    )
    expect(await refused({ off: ['service'] })).to.deep.equal([422, 'unknown-type', 'off.0'])
    expect(await refused({ off: ['rector'] })).to.deep.equal([422, 'mandatory-type', 'off.0'])
    expect(await refused({ off: ['rector:sms'] })).to.deep.equal([422, 'mandatory-type', 'off.0'])
    expect(await refused({ off: ['news:pigeon'] })).to.deep.equal([422, 'unknown-channel', 'off.0'])
    expect(await refused({ quiet: { from: '08:00', to: '07:00' } })).to.deep.equal([422, 'invalid', 'quiet'])
    expect((await refused({ quiet: { from: '25:00', to: '07:00' } }))[1]).to.equal('invalid')
    expect(await read()).to.deep.include({ off: [] })
  })

  it('are nobody else’s to see or change', async () => {
    await put({ off: ['news'] })
    for (const as of ['trainer', 'staff'] as const) {
      expect((await fleet.ask(`GET ${url}`, { as })).status, as).to.equal(403)
      expect((await put({}, { as })).status, as).to.equal(403)
      const { json } = await fleet.ask(`GET /v1/people/student-1`, { as: 'staff' })
      expect(JSON.stringify(json)).to.not.contain('news')
    }
    expect((await fleet.ask(`GET ${url}`, { for: 'telegram:7001' })).status, 'through another contact').to.equal(403)
    expect((await fleet.ask('GET /v1/people/admin-1/wishes', { as: 'operator' })).status).to.equal(403)
    expect((await fleet.ask<WishesView>(`GET ${url}`, bot)).json.off).to.deep.equal(['news'])
    await put({ off: [], quiet: 'never' }, bot)
    expect((await lines())[0]).to.include({ by: 'student-1', via: 'telegram', action: 'wishes.changed' })
  })

  it('a contact switches a type off and on, everywhere; the rest stays as it is', async () => {
    await put({ off: ['general:sms'], quiet: 'never' })
    const { status, json } = await consent({ allowed: false, type: 'news' })
    expect(status).to.equal(200)
    expect(json).to.deep.equal({
      person: 'student-1',
      channel: 'telegram',
      allowed: false,
      language: 'ru',
      type: 'news',
      mandatory: [{ id: 'rector', name: { ru: 'От ректора', en: 'From the rector' } }],
    })
    expect(await read()).to.deep.include({ off: ['general:sms', 'news'], quiet: 'never' })
    expect((await lines())[0]).to.include({
      by: 'inbound-1',
      via: 'telegram',
      channel: 'telegram',
      person: 'student-1',
    })
    await put({ off: ['news', 'news:telegram', 'news:sms'] })
    await consent({ allowed: true, type: 'news' })
    expect((await read()).off, 'on the channel it was said on, and everywhere').to.deep.equal(['news:sms'])
    const [contact] = await fleet.directory.contactsOf('telegram', ['student-1'])
    expect(contact?.state, 'the channel itself is as it was').to.equal('active')
  })

  it('a contact that says STOP of what there is not, or may not be switched off, is told so', async () => {
    expect((await consent({ allowed: false, type: 'newz' })).json.code).to.equal('unknown-type')
    expect((await consent({ allowed: false, type: 'rector' })).json.code).to.equal('mandatory-type')
    expect((await consent({ allowed: true, type: 'rector' })).status).to.equal(200)
    expect(await read()).to.deep.include({ off: [] })
  })

  it('a type that has become mandatory, or is gone, stays among them and does no harm', async () => {
    await put({ off: ['news'] })
    const types = [{ ...typeOf([], 'news'), number: 2, optOut: 'mandatory' as const }]
    await writeSettings(fleet.redis, { expected: 1, by: 'operator-1', stored: { types } })
    await until(
      async () => (await read()).types.some(({ id, mandatory }) => id === 'news' && mandatory),
      'it is mandatory',
    )
    expect((await put({ off: ['news', 'general'] })).status).to.equal(200)
    expect((await read()).off).to.deep.equal(['general', 'news'])
    await consent({ allowed: true, type: 'news' })
    expect((await read()).off).to.deep.equal(['general'])
    expect(await fleet.redis.exists(keys.audit)).to.equal(1)
  })
})
