import { type RehearsalView, typeOf } from '@courier-fleet/api-types'
import { announceProcess, writeSettings } from '@courier-fleet/store'
import { until } from '@courier-fleet/testkit'
import { expect } from 'chai'
import { readRules } from '../src/limits/rules.ts'
import { far } from './service.ts'
import { startUniversity, type University } from './university.ts'

describe('a rehearsal', () => {
  let fleet: University
  beforeEach(async () => {
    fleet = await startUniversity({ ...readRules({ FLEET_SENDER_LINE: 'off' }), quotas: {} })
    const { directory } = fleet
    await directory.linkContact('telegram', 'anna', '101')
    await directory.linkContact('sms', 'anna', '+79002220001')
    await directory.linkContact('telegram', 'boris', '102')
    await directory.setConsent('telegram', 'boris', false)
    await directory.linkContact('sms', 'boris', '+79002220002')
    const refusal = { state: 'invalid', reason: 'no such number', agoMs: () => 0 } as const
    await directory.markContact('sms', 'boris', '+79002220002', refusal)
  })
  afterEach(() => fleet.stop())

  const rehearse = async (body: object, as: 'trainer' | 'staff' = 'trainer') =>
    (await fleet.ask<RehearsalView & { code?: string }>('POST /v1/audiences:resolve', { as }, body)).json

  it('says whom each channel reaches, and who is reached by none, by name and with the reason', async () => {
    const view = await rehearse({ to: ['group:own', 'user:anna'] })
    expect(view).to.deep.include({ people: 3, overlap: 1, reachable: 1 })
    const none = {
      reachable: 0,
      'no-contact': 0,
      'opted-out': 0,
      'no-consent': 0,
      'type-off': 0,
      blocked: 0,
      deactivated: 0,
      invalid: 0,
    }
    expect(view.channels).to.deep.equal({
      sms: { ...none, reachable: 1, invalid: 1, 'no-contact': 1 },
      telegram: { ...none, reachable: 1, 'opted-out': 1, 'no-contact': 1 },
    })
    expect(view.unreachable).to.deep.equal([
      { person: 'boris', name: '=HYPERLINK("x")', channels: { sms: 'invalid', telegram: 'opted-out' } },
      { person: 'clara', name: 'Clara, the "third"', channels: { sms: 'no-contact', telegram: 'no-contact' } },
    ])
    expect(view).not.to.have.property('text')
    const { status } = await fleet.ask(
      'POST /v1/messages',
      { as: 'trainer' },
      {
        to: ['group:own'],
        text: 'x',
        at: far,
        expect: { size: 3, sha256: view.sha256 },
      },
    )
    expect(status).to.equal(201)
  })

  it('says who has switched off messages of its type', async () => {
    const types = [
      { ...typeOf([], 'news'), number: 2 },
      { ...typeOf([], 'rector'), number: 3, optOut: 'mandatory' as const },
    ]
    await writeSettings(fleet.redis, { expected: 0, by: 'operator-1', stored: { types } })
    const about = (to: string, type: string) =>
      fleet.ask<{ code?: string }>('POST /v1/audiences:resolve', { as: 'trainer' }, { to: [to], type })
    await until(async () => (await about('user:anna', 'news')).status === 200, 'the types are known')
    await fleet.directory.changeWishes('anna', () => ({ off: ['news:telegram', 'rector'] }))
    const news = await rehearse({ to: ['user:anna', 'user:boris'], type: 'news' })
    expect(news.channels.telegram).to.include({ reachable: 0, 'type-off': 1, 'opted-out': 1 })
    expect(news.channels.sms).to.include({ reachable: 1, 'type-off': 0 })
    for (const type of ['rector', 'general'])
      expect((await rehearse({ to: ['user:anna'], type })).channels.telegram, type).to.include({ reachable: 1 })
    const unknown = await about('user:anna', 'newz')
    expect([unknown.status, unknown.json.code]).to.deep.equal([422, 'unknown-type'])
  })

  it('counts what groups and cohorts have in common', async () => {
    const view = await rehearse({ to: ['cohort:all', 'group:own', 'group:other', 'user:dmitri'] }, 'staff')
    expect(view).to.include({ people: 4, overlap: 5 })
  })

  it('keeps to the channels named, and knows those that only have couriers', async () => {
    const named = await rehearse({ to: ['group:own'], channels: ['sms', 'mail'] })
    expect(Object.keys(named.channels)).to.deep.equal(['mail', 'sms'])
    expect(named.channels.mail).to.include({ reachable: 0, 'no-contact': 3 })
    const courier = announceProcess(fleet.redis, { name: 'vk-1', role: 'courier', channel: 'vk' }, () => ({
      ready: true,
    }))
    await courier.refresh()
    expect((await rehearse({ to: ['group:own'] })).channels.vk).to.include({ reachable: 0, 'no-contact': 3 })
    await courier.stop()
  })

  it('counts characters as people do, and the parts of the SMS', async () => {
    const of = async (text: string) => (await rehearse({ to: ['user:anna'], text })).text
    expect(await of('a'.repeat(160))).to.deep.equal({
      length: 160,
      tooLongOn: [],
      sms: { encoding: 'gsm', parts: 1, total: 1 },
    })
    expect(await of('a'.repeat(161))).to.deep.equal({
      length: 161,
      tooLongOn: [],
      sms: { encoding: 'gsm', parts: 2, total: 2 },
    })
    expect(await of('ж'.repeat(71))).to.deep.equal({
      length: 71,
      tooLongOn: [],
      sms: { encoding: 'ucs2', parts: 2, total: 2 },
    })
    expect(await of('👨‍👩‍👧')).to.deep.equal({
      length: 1,
      tooLongOn: [],
      sms: { encoding: 'ucs2', parts: 1, total: 1 },
    })
  })

  it('is refused where sending would be', async () => {
    expect((await rehearse({ to: ['group:other'] })).code).to.equal('not-your-audience')
    expect((await rehearse({ to: ['role:student'] })).code).to.equal('not-your-audience')
    expect((await rehearse({ to: ['group:none'] })).code).to.equal('unknown-audience')
    expect(await rehearse({ to: ['group:empty'] })).to.deep.include({ people: 0, reachable: 0, unreachable: [] })
  })
})
