import type {
  AuditPage,
  ConsentView,
  EnrolmentView,
  GreetingView,
  HeardView,
  HistoryView,
  SessionView,
} from '@courier-fleet/api-types'
import { until } from '@courier-fleet/testkit'
import { expect } from 'chai'
import { far } from './service.ts'
import { startUniversity, type University } from './university.ts'

const message = { to: ['group:own'], text: 'Hello', at: far }
const inbound = { as: 'inbound' } as const

describe('an inbound process', () => {
  let fleet: University
  beforeEach(async () => {
    fleet = await startUniversity()
  })
  afterEach(() => fleet.stop())

  const codeOf = async (call: string, who: Parameters<University['ask']>[1], body?: unknown) => {
    const { status, json } = await fleet.ask(call, who, body)
    return [status, json.code]
  }
  const contactOf = async (channel: string, person: string) => (await fleet.directory.contactsOf(channel, [person]))[0]
  const audit = async () => (await fleet.ask<AuditPage>('GET /v1/audit', { as: 'operator' })).json.lines

  describe('acting for a person', () => {
    it('has their identity, role, histories and groups, and is known as the source', async () => {
      const { json: who } = await fleet.ask<SessionView>('GET /v1/sessions/current', { for: 'telegram:7001' })
      expect(who).to.deep.include({ owner: 'trainer-1', role: 'trainer', source: 'bot' })
      expect(who.person).to.deep.equal({ name: 'Имя trainer-1', timeZone: 'Europe/Moscow', language: 'ru' })
      expect(who).not.to.have.any.keys('csrfToken', 'expiresAt')

      // whatever the message claims
      const body = { ...message, source: 'web' }
      const { json: sent } = await fleet.ask<HistoryView>('POST /v1/messages', { for: 'sms:+79001110001' }, body)
      const { json: history } = await fleet.ask<HistoryView>(`GET /v1/histories/${sent.key}`, { as: 'trainer' })
      expect([history.sender, history.source]).to.deep.equal(['trainer-1', 'sms'])
      expect(await codeOf(`GET /v1/histories/${sent.key}`, { for: 'telegram:7006' })).to.deep.equal([
        403,
        'not-your-history',
      ])
      expect(await codeOf('POST /v1/messages', { for: 'telegram:7006' }, message)).to.deep.equal([
        403,
        'not-your-audience',
      ])
      expect(await codeOf('POST /v1/messages', { for: 'telegram:7005' }, message)).to.deep.equal([403, 'not-allowed'])
    })

    it('is refused for strangers, for those who said STOP, for other channels, and without being one', async () => {
      const call = 'GET /v1/sessions/current'
      expect(await codeOf(call, { for: 'telegram:999' })).to.deep.equal([403, 'unknown-contact'])
      expect(await codeOf(call, { for: 'telegram:not a number'.replaceAll(' ', '') })).to.deep.equal([
        403,
        'unknown-contact',
      ])
      for (const nonsense of ['7001', 'telegram', 'telegram:', 'Telegram:7001', 'telegram:7001 7002']) {
        expect(await codeOf(call, { for: nonsense }), nonsense).to.deep.equal([400, 'invalid'])
      }
      for (const as of ['trainer', 'admin'] as const) {
        expect(await codeOf(call, { as, for: 'telegram:7001' })).to.deep.equal([403, 'not-allowed'])
      }
      await fleet.directory.setConsent('telegram', 'trainer-1', false)
      expect(await codeOf(call, { for: 'telegram:7001' })).to.deep.equal([403, 'opted-out'])
      expect((await fleet.ask(call, { for: 'vk:5001' })).status).to.equal(200)

      const body = { owner: 'vk-bot', role: 'inbound', label: 'vk', channels: ['vk'] }
      const { json } = await fleet.ask<{ apiKey: string }>('POST /v1/api-keys', { as: 'admin' }, body)
      const { apiKey } = json
      expect((await fleet.ask(call, { apiKey, for: 'vk:5001' })).status).to.equal(200)
      expect(await codeOf(call, { apiKey, for: 'telegram:7002' })).to.deep.equal([403, 'wrong-channel'])
      const start = { channel: 'telegram', address: '7001', allowed: true }
      expect(await codeOf('POST /v1/consents', { apiKey }, start)).to.deep.equal([403, 'wrong-channel'])
    })

    it('lends nobody what needs an operator', async () => {
      expect(await codeOf('GET /v1/audit', { for: 'telegram:7003' })).to.deep.equal([403, 'not-allowed'])
      const other = { channel: 'vk', person: 'anna' }
      expect(await codeOf('POST /v1/enrolments', { for: 'telegram:7004' }, other)).to.deep.equal([403, 'not-allowed'])
    })

    it('gives nobody a code, and changes nothing on another channel', async () => {
      for (const contact of ['telegram:7004', 'telegram:7005']) {
        for (const channel of ['telegram', 'vk'])
          expect(await codeOf('POST /v1/enrolments', { for: contact }, { channel })).to.deep.equal([403, 'not-allowed'])
      }
      const consent = 'PUT /v1/people/trainer-1/consents/sms'
      expect(await codeOf(consent, { for: 'vk:5001' }, { allowed: false })).to.deep.equal([403, 'wrong-channel'])
      const unlink = 'DELETE /v1/contacts/telegram/trainer-1'
      expect(await codeOf(unlink, { for: 'vk:5001' })).to.deep.equal([403, 'wrong-channel'])
      expect((await contactOf('telegram', 'trainer-1'))?.state).to.equal('active')
    })
  })

  describe('with a code', () => {
    const issue = async (channel: string, person?: string) => {
      const as = person === undefined ? 'trainer' : 'operator'
      const body = { channel, ...(person ? { person } : {}) }
      const { status, json } = await fleet.ask<EnrolmentView>('POST /v1/enrolments', { as }, body)
      expect(status, JSON.stringify(json)).to.equal(201)
      return json.code
    }
    const redeem = (channel: string, address: string, code: string) =>
      fleet.ask<GreetingView & { code?: string }>('POST /v1/enrolments:redeem', inbound, { channel, address, code })

    it('links a contact, however the code is spaced; the same contact may repeat it, another may not', async () => {
      const code = await issue('sms', 'anna')
      expect(code).to.match(/^\d{8}$/)
      const spaced = `${code.slice(0, 4)}-${code.slice(4)}`
      for (const each of [code, spaced]) {
        const { status, json } = await redeem('sms', '8 900 222-00-01', each)
        expect(status).to.equal(200)
        expect(json).to.deep.equal({
          person: 'anna',
          name: 'Анна Каренина',
          role: 'student',
          language: 'ru',
          channel: 'sms',
        })
      }
      expect(await contactOf('sms', 'anna')).to.include({ address: '+79002220001', state: 'active' })
      const other = await redeem('sms', '+79002220002', code)
      expect([other.status, other.json.code]).to.deep.equal([403, 'wrong-code'])
      expect((await contactOf('sms', 'anna'))?.address).to.equal('+79002220001')
      expect((await fleet.ask('GET /v1/sessions/current', { for: 'sms:+79002220001' })).json.owner).to.equal('anna')
    })

    it('links nothing on another channel, nor when it has lapsed', async () => {
      const code = await issue('telegram')
      expect((await redeem('vk', '5009', code)).status).to.equal(403)
      const [enrolment] = await fleet.redis.keys('enrolment:*')
      expect(await fleet.redis.pttl(enrolment as string), 'ten minutes').to.be.within(540_000, 600_000)
      await fleet.redis.pexpire(enrolment as string, 0)
      expect((await redeem('telegram', '7009', code)).status).to.equal(403)
    })

    it('leads to the bot, once that has said what it is called', async () => {
      const issued = async () =>
        (await fleet.ask<EnrolmentView>('POST /v1/enrolments', { as: 'trainer' }, { channel: 'telegram' })).json
      expect(await issued()).to.have.all.keys('agreement', 'code', 'person', 'channel', 'expiresAt')
      const say = (address: string, channel = 'telegram') =>
        fleet.ask(`PUT /v1/channels/${channel}/inbound-address`, inbound, { address })
      for (const name of ['our_bot', 'our_bot', 'other_bot']) expect((await say(name)).status).to.equal(204)
      const { code, to, url, qr } = await issued()
      expect([to, url]).to.deep.equal(['other_bot', `https://t.me/other_bot?start=${code}`])
      expect(qr).to.match(/^<svg /)
      const changes = (await audit()).filter(({ action }) => action === 'inbound-address.changed')
      expect(changes.map(({ before, after }) => [before, after])).to.deep.equal([
        ['our_bot', 'other_bot'],
        ['none', 'our_bot'],
      ])
      expect((await say('https://evil.example/')).status).to.equal(422)
      expect((await say('some.box', 'mail')).status, 'nothing comes in there').to.equal(404)
    })

    it('gives a code that many contacts type at once to one of them', async () => {
      const code = await issue('telegram', 'anna')
      const answers = await Promise.all([...Array(10).keys()].map((i) => redeem('telegram', String(8000 + i), code)))
      expect(answers.filter(({ status }) => status === 200)).to.have.length(1)
      const winner = answers.findIndex(({ status }) => status === 200)
      expect((await contactOf('telegram', 'anna'))?.address).to.equal(String(8000 + winner))
    })

    it('moves a contact to whoever has the code, and tells the audit who lost it', async () => {
      expect((await redeem('telegram', '7001', await issue('telegram', 'anna'))).status).to.equal(200)
      expect(await contactOf('telegram', 'trainer-1')).to.equal(undefined)
      expect((await fleet.ask('GET /v1/sessions/current', { for: 'telegram:7001' })).json.owner).to.equal('anna')
      const told = await audit()
      // an id is a moment, whose digits may be any
      expect(JSON.stringify(told.map(({ id: _, ...line }) => line)), 'no address').not.to.contain('7001')
      expect(told[1]?.detail).to.equal('linked to anna now')
      const lines = told.map(({ action, by, via, person, channel }) => [action, by, via, person, channel])
      expect(lines).to.deep.equal([
        ['contact.linked', 'inbound-1', 'telegram', 'anna', 'telegram'],
        ['contact.taken', 'inbound-1', 'telegram', 'trainer-1', 'telegram'],
        ['enrolment.issued', 'operator-1', 'api', 'anna', 'telegram'],
      ])
    })

    it('lets nobody guess: five tries a contact, five codes a person', async () => {
      const code = await issue('telegram')
      const wrong = String((Number(code) + 1) % 100_000_000).padStart(8, '0')
      for (let i = 0; i < 5; i += 1) expect((await redeem('telegram', '7009', wrong)).status).to.equal(403)
      const sixth = await redeem('telegram', '7009', code)
      expect([sixth.status, sixth.json.code]).to.deep.equal([429, 'too-many-codes'])
      expect(Number(sixth.headers.get('retry-after'))).to.be.within(840, 900)
      expect((await redeem('telegram', '7010', code)).status, 'another contact').to.equal(200)

      for (let i = 0; i < 4; i += 1) await issue('telegram')
      const body = { channel: 'telegram' }
      expect(await codeOf('POST /v1/enrolments', { as: 'trainer' }, body)).to.deep.equal([429, 'too-many-codes'])
      expect((await fleet.ask('POST /v1/enrolments', { as: 'staff' }, body)).status, 'another person').to.equal(201)
    })

    it('keeps no code in the clear, not even for an Idempotency-Key', async () => {
      const headers = { 'idempotency-key': 'code' }
      const call = () =>
        fleet.ask<EnrolmentView>('POST /v1/enrolments', { as: 'trainer', headers }, { channel: 'telegram' })
      const [first, again] = [await call(), await call()]
      expect(again.json).to.deep.equal(first.json)
      for (const key of await fleet.redis.keys('*')) {
        const type = await fleet.redis.type(key)
        const text =
          type === 'string'
            ? await fleet.redis.get(key)
            : type === 'stream'
              ? await fleet.redis.xrange(key, '-', '+')
              : ''
        expect(key + JSON.stringify(text)).not.to.contain(first.json.code)
      }
    })
  })

  describe('in wrong hands', () => {
    const restart = async (inboundContacts: number) => {
      await fleet.stop()
      fleet = await startUniversity({ timeZone: 'Europe/Moscow', quotas: {}, inboundContacts })
    }

    it('looks up few contacts, whichever way it asks', async () => {
      await restart(20)
      const seen: [number, unknown][] = []
      for (let i = 0; i < 10; i += 1)
        seen.push((await codeOf('GET /v1/limits', { for: `telegram:${7000 + i}` })) as [number, unknown])
      const ask = (i: number) => ({ channel: 'telegram', address: String(8000 + i) })
      for (let i = 0; i < 5; i += 1) await codeOf('POST /v1/consents', inbound, { ...ask(i), allowed: true })
      for (let i = 0; i < 5; i += 1) await codeOf('POST /v1/answers', inbound, { ...ask(i + 100), text: 'x' })
      for (const call of [
        await codeOf('GET /v1/limits', { for: 'telegram:9000' }),
        await codeOf('POST /v1/consents', inbound, { ...ask(200), allowed: true }),
        await codeOf('POST /v1/answers', inbound, { ...ask(201), text: 'x' }),
        await codeOf('POST /v1/enrolments:redeem', inbound, { ...ask(202), code: '12345678' }),
      ])
        expect(call).to.deep.equal([429, 'too-many-contacts'])
      expect((await fleet.ask('GET /v1/limits', { for: 'telegram:7001' })).status, 'one it has named').to.equal(200)
      expect((await fleet.ask('GET /v1/limits', { for: 'telegram:9000' })).headers.get('retry-after')).to.match(
        /^[89]\d\d$/,
      )
      const other = await fleet.apiKeys.create({ owner: 'second', role: 'inbound', label: 'second' })
      expect((await fleet.ask('GET /v1/limits', { apiKey: other.apiKey, for: 'telegram:7002' })).status).to.equal(200)
    })

    it('guesses few codes, and says little to one contact', async () => {
      await restart(100_000)
      const guess = (i: number) => {
        const body = { channel: 'telegram', address: String(20_000 + i), code: String(10_000_000 + i) }
        return codeOf('POST /v1/enrolments:redeem', inbound, body)
      }
      const guesses = await Promise.all([...Array(240).keys()].map(guess))
      expect(guesses.filter(([status]) => status === 403)).to.have.length(200)
      expect(guesses.filter(([status]) => status === 429)).to.have.length(40)
      const say = () => fleet.ask('POST /v1/answers', inbound, { channel: 'telegram', address: '7001', text: 'x' })
      const said = await Promise.all(Array.from({ length: 40 }, say))
      expect(said.filter(({ status }) => status === 201)).to.have.length(30)
    })

    it('moves no contact of an operator or an admin', async () => {
      const issue = async (as: 'admin' | 'operator', channel: string, person: string) =>
        (await fleet.ask<EnrolmentView>('POST /v1/enrolments', { as }, { channel, person })).json.code
      const redeem = async (address: string, code: string) =>
        codeOf('POST /v1/enrolments:redeem', inbound, { channel: 'telegram', address, code })
      const refused = [403, 'unlink-first']
      expect(await redeem('666', await issue('admin', 'telegram', 'admin-1')), 'to the thief').to.deep.equal(refused)
      expect(await redeem('7004', await issue('operator', 'telegram', 'anna')), 'from an admin').to.deep.equal(refused)
      expect((await contactOf('telegram', 'admin-1'))?.address).to.equal('7004')
      const unlink = 'DELETE /v1/contacts/telegram/admin-1'
      expect(await codeOf(unlink, { for: 'telegram:7004' })).to.deep.equal([403, 'not-allowed'])
      expect((await fleet.ask(unlink, { as: 'admin' })).status).to.equal(204)
      expect((await redeem('7104', await issue('admin', 'telegram', 'admin-1')))[0], 'unlinked before').to.equal(200)
    })

    it('links nobody without their other channels being told', async () => {
      const { json } = await fleet.ask<EnrolmentView>(
        'POST /v1/enrolments',
        { as: 'operator' },
        { channel: 'sms', person: 'trainer-2' },
      )
      const body = { channel: 'sms', address: '+79001110001', code: json.code }
      expect((await fleet.ask('POST /v1/enrolments:redeem', inbound, body)).status).to.equal(200)
      await until(async () => (await fleet.systemTexts()).length === 2, 'both are told')
      expect((await fleet.systemTexts()).sort()).to.deep.equal([
        'Ваш контакт (SMS) теперь привязан к другому человеку. Если вы не знаете почему, сообщите в деканат.',
        'К вам привязан контакт: SMS. Если это сделали не вы, сообщите в деканат.',
      ])
      await fleet.ask('POST /v1/enrolments:redeem', inbound, body)
      await fleet.ask('GET /v1/limits', { as: 'trainer' })
      expect(await fleet.systemTexts(), 'told once').to.have.length(2)
    })
  })

  it('records STOP and START, and the person sees and changes it', async () => {
    const say = (allowed: boolean, address = '7001') =>
      fleet.ask<ConsentView>('POST /v1/consents', inbound, { channel: 'telegram', address, allowed })
    const stop = await say(false)
    expect([stop.status, stop.json]).to.deep.equal([
      200,
      { person: 'trainer-1', channel: 'telegram', allowed: false, language: 'ru' },
    ])
    expect((await contactOf('telegram', 'trainer-1'))?.state).to.equal('opted-out')
    expect((await say(false)).status, 'again').to.equal(200)
    expect((await say(false, '999')).status, 'a stranger').to.equal(404)

    // the office links it again, and the person's word stands; a code is the person's word, too
    const link = { address: '7001' }
    await fleet.ask('PUT /v1/contacts/telegram/trainer-1', { as: 'admin' }, link)
    expect((await contactOf('telegram', 'trainer-1'))?.state).to.equal('opted-out')
    expect((await say(true)).json.allowed).to.equal(true)
    expect((await contactOf('telegram', 'trainer-1'))?.state).to.equal('active')

    const put = 'PUT /v1/people/trainer-1/consents/telegram'
    expect((await fleet.ask(put, { for: 'telegram:7001' }, { allowed: false })).status, 'by oneself').to.equal(200)
    expect((await fleet.ask(put, { as: 'operator' }, { allowed: true })).status, 'by the office').to.equal(200)
    expect((await fleet.ask(put, { as: 'staff' }, { allowed: false })).status, 'by somebody else').to.equal(403)
    expect((await fleet.ask('PUT /v1/people/anna/consents/vk', { as: 'operator' }, { allowed: true })).status).to.equal(
      404,
    )
    const lines = (await audit()).map(({ action, by, via }) => [action, by, via])
    expect(lines).to.deep.equal([
      ['consent.given', 'operator-1', 'api'],
      ['consent.withdrawn', 'trainer-1', 'telegram'],
      ['consent.given', 'inbound-1', 'telegram'],
      ['contact.linked', 'admin-1', 'api'],
      ['consent.withdrawn', 'inbound-1', 'telegram'],
      ['consent.withdrawn', 'inbound-1', 'telegram'],
    ])
  })

  it('hears who can be written to; only of its own channel, and never against a STOP', async () => {
    const hear = (heard: string, who: Parameters<University['ask']>[1] = inbound, address = '7001') =>
      fleet.ask<HeardView>('POST /v1/contacts:hear', who, { channel: 'telegram', address, heard })
    const stateAfter = async (heard: string) => (await hear(heard)).json.state
    for (const state of ['blocked', 'deactivated', 'invalid'] as const)
      for (const heard of ['message', 'allowed']) {
        const refusal = { state, reason: 'the provider said so', agoMs: () => 0 }
        await fleet.directory.markContact('telegram', 'trainer-1', '7001', refusal)
        expect(await stateAfter(heard)).to.equal('active')
        expect((await contactOf('telegram', 'trainer-1'))?.state).to.equal('active')
      }
    expect((await hear('denied')).json).to.deep.equal({
      person: 'trainer-1',
      channel: 'telegram',
      state: 'blocked',
      language: 'ru',
    })
    await fleet.directory.setConsent('telegram', 'trainer-1', false)
    for (const heard of ['message', 'allowed', 'denied']) expect(await stateAfter(heard)).to.equal('opted-out')
    expect((await hear('message', inbound, '999')).status, 'a stranger').to.equal(404)
    expect((await hear('seen')).status).to.equal(422)
    const body = { owner: 'vk-bot', role: 'inbound', label: 'vk', channels: ['vk'] }
    const { json } = await fleet.ask<{ apiKey: string }>('POST /v1/api-keys', { as: 'admin' }, body)
    expect((await hear('denied', { apiKey: json.apiKey })).json).to.include({ status: 403, code: 'wrong-channel' })
    const actions = (await audit()).map(({ action, via }) => `${action} ${via}`)
    expect(actions.filter((action) => action === 'contact.reachable telegram')).to.have.length(6)
    expect(actions.filter((action) => action === 'contact.blocked telegram')).to.have.length(1)
  })

  it('unlinks for the person; and the audit is read page by page', async () => {
    expect((await fleet.ask('DELETE /v1/contacts/telegram/trainer-1', { for: 'telegram:7001' })).status).to.equal(204)
    expect(await contactOf('telegram', 'trainer-1')).to.equal(undefined)
    expect(await codeOf('GET /v1/limits', { for: 'telegram:7001' })).to.deep.equal([403, 'unknown-contact'])
    expect((await fleet.ask('DELETE /v1/contacts/telegram/staff-1', { for: 'telegram:7006' })).status).to.equal(403)
    await fleet.ask('PUT /v1/people/anna', { as: 'admin' }, { name: 'Anna', role: 'trainer' })
    await fleet.ask('PUT /v1/people/anna', { as: 'admin' }, { name: 'Anna II', role: 'trainer' })
    await fleet.ask('DELETE /v1/people/anna', { as: 'admin' })

    const first = await fleet.ask<AuditPage>('GET /v1/audit?limit=3', { as: 'operator' })
    const rest = await fleet.ask<AuditPage>(`GET /v1/audit?limit=3&before=${first.json.next}`, { as: 'operator' })
    expect([...first.json.lines, ...rest.json.lines].map(({ action, after }) => [action, after])).to.deep.equal([
      ['person.removed', undefined],
      ['person.changed', 'trainer, Anna II, UTC, en'],
      ['person.role', 'trainer, Anna, UTC, en'],
      ['contact.unlinked', undefined],
    ])
    expect(rest.json).not.to.have.property('next')
  })
})
