import { type Acceptance, type HistoryView, smsPartsOf } from '@courier-fleet/api-types'
import { expect } from 'chai'
import { systemTextsFor } from '../src/fleet/system-texts.ts'
import { startUniversity, type University } from './university.ts'

const answer = (text: string, address = '+79001110001') => ({ channel: 'sms', address, text })
const once = (key: string) => ({ as: 'inbound' as const, headers: { 'idempotency-key': key } })

describe('answering a contact that wrote', () => {
  let university: University
  before(async () => {
    university = await startUniversity({ timeZone: 'Europe/Moscow', quotas: { trainer: 0 } })
  })
  after(() => university.stop())

  it('sends to that person, urgently, on that channel alone, and counts against nobody', async () => {
    const { status, json } = await university.ask<Acceptance>('POST /v1/answers', { as: 'inbound' }, answer('Принято'))
    expect(status).to.equal(201)
    expect(json.audience.size).to.equal(1)
    const { json: history } = await university.ask<HistoryView>(`GET /v1/histories/${json.key}`, { as: 'admin' })
    expect(history).to.include({ sender: 'inbound-1', source: 'sms', class: 'urgent', text: 'Принято' })
    expect(history.to).to.deep.equal(['user:trainer-1'])
    expect(Date.parse(history.expires as string) - Date.parse(history.at as string)).to.be.closeTo(3_600_000, 60_000)
  })

  it('answers once under one Idempotency-Key, and another text under it is refused', async () => {
    const give = async () => (await university.ask<Acceptance>('POST /v1/answers', once('a'), answer('да'))).json.key
    expect(await give()).to.equal(await give())
    const other = await university.ask('POST /v1/answers', once('a'), answer('нет'))
    expect([other.status, other.json.code]).to.deep.equal([422, 'idempotency-key-reused'])
  })

  it('says whether a stranger was told so before', async () => {
    const told = () => university.ask('POST /v1/answers', once('stranger'), answer('Кто вы?', '+79009999999'))
    const [first, second] = [await told(), await told()]
    for (const { status, json } of [first, second]) expect([status, json.code]).to.deep.equal([404, 'unknown-contact'])
    expect([first, second].map(({ headers }) => headers.get('idempotency-replayed'))).to.deep.equal([null, 'true'])
  })

  describe('very often', () => {
    const address = '+79001110002'
    const give = async (to: string) =>
      (await university.ask('POST /v1/answers', { as: 'inbound' }, answer('да', to))).status
    const told = async () =>
      (await university.systemTexts()).filter((text) => / ответов\. Команды | answers in /.test(text))

    it('tells them once until when they are not answered, and refuses the rest by that name', async () => {
      await university.directory.linkContact('sms', 'trainer-2', address)
      for (let i = 0; i < 30; i += 1) expect(await give(address)).to.equal(201)
      expect(await told()).to.deep.equal([])
      const before = Date.now()
      const refused = await university.ask('POST /v1/answers', { as: 'inbound' }, answer('да', address))
      expect([refused.status, refused.json.code]).to.deep.equal([429, 'too-many-answers'])
      expect(Number(refused.headers.get('retry-after'))).to.be.within(800, 900)
      expect(await give(address)).to.equal(429)
      const [text = '', ...more] = await told()
      expect(more).to.deep.equal([])
      expect(text).to.match(/^За 15 минут 30 ответов\. Команды исполняем, но ответим после \d\d:\d\d$/)
      expect(smsPartsOf(text).parts).to.have.length(1)
      // of Moscow, where they are, and the first full minute at which they are answered again
      const [hours = 0, minutes = 0] = (/(\d\d):(\d\d)/.exec(text)?.slice(1) ?? []).map(Number)
      const untilMs = before + Number(refused.headers.get('retry-after')) * 1000
      const sinceMidnight = (untilMs / 60_000 + 180) % 1440
      expect((hours * 60 + minutes - sinceMidnight + 1440) % 1440).to.be.within(0, 1.1)
    })

    it('says nothing to a stranger, or to whoever has said STOP', async () => {
      const contact = { channel: 'sms', address: '+79001110003', allowed: false }
      await university.directory.linkContact('sms', 'student-1', contact.address)
      await university.ask('POST /v1/consents', { as: 'inbound' }, contact)
      for (const to of [contact.address, '+79009999998'])
        for (let i = 0; i < 31; i += 1)
          expect(await give(to)).to.equal(i < 30 ? (to === contact.address ? 403 : 404) : 429)
      expect(await told()).to.have.length(1)
    })

    it('holds in English, too', () => {
      const text = systemTextsFor('en').spentAnswers(30, 15, '14:35')
      expect(text).to.equal('30 answers in 15 minutes. What you order is still done, but we answer only after 14:35.')
      expect(smsPartsOf(text).parts).to.have.length(1)
    })
  })

  it('does not write to whoever has said STOP', async () => {
    const contact = { channel: 'sms', address: '+79001110001', allowed: false }
    await university.ask('POST /v1/consents', { as: 'inbound' }, contact)
    const { status, json } = await university.ask('POST /v1/answers', { as: 'inbound' }, answer('Принято'))
    expect([status, json.code]).to.deep.equal([403, 'opted-out'])
    await university.ask('POST /v1/consents', { as: 'inbound' }, { ...contact, allowed: true })
  })

  it('is for inbound processes by themselves, on their own channels', async () => {
    for (const as of ['student', 'trainer', 'staff', 'operator', 'admin'] as const) {
      expect((await university.ask('POST /v1/answers', { as }, answer('нет'))).status, as).to.equal(403)
    }
    const onBehalf = await university.ask('POST /v1/answers', { for: 'telegram:7001' }, answer('нет'))
    expect(onBehalf.status).to.equal(403)
    const { apiKey } = await university.apiKeys.create({
      owner: 'tg',
      role: 'inbound',
      label: 't',
      channels: ['telegram'],
    })
    const foreign = await university.ask('POST /v1/answers', { apiKey }, answer('нет'))
    expect([foreign.status, foreign.json.code]).to.deep.equal([403, 'wrong-channel'])
  })
})
