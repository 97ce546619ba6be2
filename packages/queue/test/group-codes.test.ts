/** Codes for a whole group: who may make them and for whom, how long they are good, and what a leak of one is worth. */
import type { GreetingView, GroupCodesView } from '@courier-fleet/api-types'
import { keys } from '@courier-fleet/store'
import { expect } from 'chai'
import { startUniversity, type University, type Who } from './university.ts'

const inbound = { as: 'inbound' } as const

describe('codes for a group', () => {
  let fleet: University
  beforeEach(async () => {
    const publicUrl = 'https://fleet.example'
    fleet = await startUniversity({ timeZone: 'Europe/Moscow', quotas: {}, inboundContacts: 1000, publicUrl })
    await fleet.ask('PUT /v1/channels/telegram/inbound-address', inbound, { address: 'our_bot' })
  })
  afterEach(() => fleet.stop())

  const make = async (who: Who = { as: 'trainer' }, more: object = {}) => {
    const body = { channel: 'telegram', ...more }
    const { status, json } = await fleet.ask<GroupCodesView>('POST /v1/groups/own/codes', who, body)
    expect(status, JSON.stringify(json)).to.equal(201)
    return json
  }
  const codeFor = ({ codes }: GroupCodesView, person: string) =>
    codes.find((each) => each.person === person) ?? expect.fail(`no code for ${person}`)
  const redeem = async (address: string, code: string, channel = 'telegram') => {
    const { status, json } = await fleet.ask<GreetingView & { code?: string }>('POST /v1/enrolments:redeem', inbound, {
      channel,
      address,
      code,
    })
    return status === 200 ? json.person : [status, json.code]
  }
  const addressOf = async (person: string) => (await fleet.directory.contactsOf('telegram', [person]))[0]?.address
  const page = async (link: string | undefined) => {
    const path = (link ?? '').replace('https://fleet.example', '')
    const answer = await fleet.app.inject({ method: 'GET', url: path, headers: { 'accept-language': 'ru' } })
    return { status: answer.statusCode, text: answer.body, headers: answer.headers }
  }

  it('are made for everyone without a contact; each links one person, once, for days', async () => {
    await fleet.directory.linkContact('telegram', 'clara', '8003')
    const made = await make({ as: 'trainer' }, { days: 14 })
    expect(made.codes.map(({ person }) => person)).to.have.members(['anna', 'boris'])
    expect([made.linked, made.others, made.to]).to.deep.equal([1, 0, 'our_bot'])
    const anna = codeFor(made, 'anna')
    expect(anna.code).to.match(/^\d{12}$/)
    expect(anna.url).to.equal(`https://t.me/our_bot?start=${anna.code}`)
    const [kept] = await fleet.redis.keys('enrolment:*')
    expect(await fleet.redis.pttl(kept as string)).to.be.within(14 * 86_400_000 - 60_000, 14 * 86_400_000)
    for (const code of [anna.code, anna.code.replace(/(\d{4})/g, '$1 ')])
      expect(await redeem('8001', code)).to.equal('anna')
    expect(await addressOf('anna')).to.equal('8001')
    expect(await redeem('8002', anna.code), 'another contact').to.deep.equal([403, 'wrong-code'])
    expect(await redeem('5008', codeFor(made, 'boris').code, 'vk'), 'another channel').to.deep.equal([
      403,
      'wrong-code',
    ])
    const { lines } = (await fleet.ask<{ lines: Record<string, string>[] }>('GET /v1/audit', { as: 'operator' })).json
    expect(lines.find(({ action }) => action === 'enrolment.issued')).to.include({
      by: 'trainer-1',
      channel: 'telegram',
      detail: 'group:own',
      after: made.codes.map(({ person }) => person).join(' '),
    })
  })

  it('are void once newer ones are made, or the contact is another one, however that came', async () => {
    const first = await make()
    const second = await make()
    expect(await redeem('8001', codeFor(first, 'anna').code)).to.deep.equal([403, 'wrong-code'])
    expect((await page(codeFor(first, 'anna').link)).status).to.equal(404)
    // boris links by himself: the strip in the bin is good for nothing
    await fleet.directory.linkContact('telegram', 'boris', '8009', { consents: true })
    expect(await redeem('8001', codeFor(second, 'boris').code)).to.deep.equal([403, 'wrong-code'])
    expect(await addressOf('boris')).to.equal('8009')
    // and whoever has used one cannot come back with it after the person has moved on
    expect(await redeem('8001', codeFor(second, 'anna').code)).to.equal('anna')
    await fleet.directory.linkContact('telegram', 'anna', '8010', { consents: true })
    expect(await redeem('8001', codeFor(second, 'anna').code)).to.deep.equal([403, 'wrong-code'])
    expect(await addressOf('anna')).to.equal('8010')
    // kept for it is the digest of the newest, and that it is of somebody without a contact
    const third = await make({ as: 'operator' }, { again: true })
    const newest = await fleet.redis.get(keys.enrolmentOf('clara', 'telegram'))
    expect(newest).to.match(/^[0-9a-f]{64} $/)
    expect(await redeem('8003', codeFor(third, 'clara').code)).to.equal('clara')
  })

  it('are for students; operators make them for everyone below, and again for whoever is linked', async () => {
    await fleet.directory.addMembers('own', ['trainer-2', 'admin-1', 'student-1'])
    const byTrainer = await make()
    expect(byTrainer.codes.map(({ person }) => person)).to.not.include.members(['trainer-2', 'admin-1'])
    expect([byTrainer.linked, byTrainer.others]).to.deep.equal([1, 2])
    const byOperator = await make({ as: 'operator' }, { again: true })
    expect(byOperator.codes.map(({ person }) => person)).to.have.members([
      'anna',
      'boris',
      'clara',
      'trainer-2',
      'student-1',
    ])
    expect([byOperator.linked, byOperator.others]).to.deep.equal([0, 1])
    expect(await redeem('8020', codeFor(byOperator, 'student-1').code)).to.equal('student-1')
    const refused = async (who: Who, body: object, group = 'own') => {
      const { status, json } = await fleet.ask(`POST /v1/groups/${group}/codes`, who, body)
      return [status, json.code]
    }
    const telegram = { channel: 'telegram' }
    expect(await refused({ as: 'trainer' }, { ...telegram, again: true })).to.deep.equal([403, 'not-allowed'])
    expect(await refused({ as: 'trainer' }, telegram, 'other')).to.deep.equal([403, 'not-your-group'])
    expect(await refused({ as: 'trainer' }, telegram, 'none')).to.deep.equal([404, 'unknown-group'])
    expect(await refused({ as: 'student' }, telegram)).to.deep.equal([403, 'not-allowed'])
    expect(await refused({ for: 'telegram:7001' }, telegram)).to.deep.equal([403, 'not-allowed'])
    expect(await refused({ as: 'trainer' }, { channel: 'mail' })).to.deep.equal([422, 'unknown-channel'])
    expect(await refused({ as: 'trainer' }, { ...telegram, days: 31 })).to.deep.equal([422, 'invalid'])
    for (let count = 1; count < 20; count += 1) await make()
    expect(await refused({ as: 'trainer' }, telegram)).to.deep.equal([429, 'too-many-codes'])
    expect((await make({ as: 'staff' })).codes, 'another caller').to.not.deep.equal([])
  })

  it('come as a sheet without any address, and as signed links that use nothing up', async () => {
    await fleet.directory.putPerson({
      id: 'boris',
      name: 'Boris <b>B</b>',
      role: 'student',
      timeZone: 'UTC',
      language: 'en',
    })
    await fleet.directory.linkContact('sms', 'anna', '+79005550001')
    const sheet = await fleet.ask<string>(
      'POST /v1/groups/own/codes?format=html',
      { as: 'trainer' },
      { channel: 'telegram' },
    )
    expect(sheet.headers.get('content-type')).to.equal('text/html; charset=utf-8')
    expect(sheet.headers.get('content-security-policy')).to.match(/^default-src 'none'; style-src 'sha256-/)
    const strips = sheet.json.split('<section').slice(1)
    expect(strips).to.have.length(3)
    for (const strip of strips)
      expect(strip)
        .to.contain('<svg ')
        .and.match(/\/start \d{4} \d{4} \d{4}/)
    expect(strips.find((strip) => strip.includes('Boris &#60;b&#62;')))
      .to.contain('lang="en"')
      .and.contain('Use it once, by')
    expect(sheet.json)
      .to.contain('Действует до')
      .and.not.match(/79005550001|<b>|<script/)

    const made = await make()
    const { link, code } = codeFor(made, 'boris')
    for (let looked = 0; looked < 3; looked += 1) {
      const { status, text, headers } = await page(link)
      expect(status).to.equal(200)
      expect(text)
        .to.contain(code.replace(/(\d{4})(?=\d)/g, '$1 '))
        .and.contain(`href="https://t.me/our_bot?start=${code}"`)
      expect([headers['cache-control'], headers['set-cookie']]).to.deep.equal(['no-store', undefined])
    }
    const cut = (link as string).slice(0, -1)
    const other = (link as string).replace(code, codeFor(made, 'anna').code)
    for (const wrong of [cut, `${cut}!`, other, 'https://fleet.example/e/x']) {
      const { status, text } = await page(wrong)
      expect([status, /Ссылка неполная/.test(text)], wrong).to.deep.equal([404, true])
    }
    expect(await redeem('8002', code)).to.equal('boris')
    expect([(await page(link)).status, /already/.test((await page(link)).text)]).to.deep.equal([410, true])
    fleet.clock.now = () => Date.now() + 8 * 86_400_000
    expect((await page(codeFor(made, 'anna').link)).status, 'lapsed').to.equal(404)
  })
})
