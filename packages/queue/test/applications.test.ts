/** Somebody who is not in the list asks to be put into it: what they see, what the office decides, and what strangers cannot cause. */
import type {
  ApplicationLinkView,
  ApplicationList,
  AuditPage,
  GreetingView,
  PersonDetails,
} from '@courier-fleet/api-types'
import { type Application, createEraseKey, keepApplication, keys, readApplication } from '@courier-fleet/store'
import { expect } from 'chai'
import { startUniversity, type University } from './university.ts'

const inbound = { as: 'inbound' } as const
const form = { 'content-type': 'application/x-www-form-urlencoded', 'accept-language': 'ru' }

describe('applying oneself', () => {
  let fleet: University
  beforeEach(async () => {
    fleet = await startUniversity()
    await fleet.ask('PUT /v1/channels/telegram/inbound-address', inbound, { address: 'our_bot' })
  })
  afterEach(() => fleet.stop())

  const look = async (path: string) => {
    const { status, text } = await fleet.call(path, { headers: { 'accept-language': 'ru' } })
    return { status, text }
  }
  const post = (path: string, fields: Record<string, string>) =>
    fleet.call(path, { method: 'POST', headers: form, body: new URLSearchParams(fields).toString() })
  /** Fills in the page. @returns the applicant's own page, and the code on it */
  async function write(path = '/a', more: Record<string, string> = {}) {
    const answer = await post(path, { name: 'Новиков  Пётр', wish: 'ИВТ-101', channel: 'telegram', ...more })
    expect(answer.status, answer.text).to.equal(303)
    const own = String(answer.headers.location)
    const [, code = ''] = /\?start=(\d{8})/.exec((await look(own)).text) ?? []
    return { own, code }
  }
  const redeem = (address: string, code: string) =>
    fleet.ask<GreetingView & { code?: string }>('POST /v1/enrolments:redeem', inbound, {
      channel: 'telegram',
      address,
      code,
    })
  const list = async () => (await fleet.ask<ApplicationList>('GET /v1/applications', { as: 'admin' })).json.applications
  async function apply(address: string, path?: string, more?: Record<string, string>) {
    const { own, code } = await write(path, more)
    expect((await redeem(address, code)).status).to.equal(200)
    const id = (await list()).find((each) => each.address === address)?.id ?? expect.fail('it is not in the list')
    return { own, code, id }
  }
  const decide = (id: string, what: 'accept' | 'refuse', body: object = {}) =>
    fleet.ask<{ person: string; code?: string }>(`POST /v1/applications/${id}:${what}`, { as: 'admin' }, body)
  const personOf = async (id: string) =>
    (await fleet.ask<PersonDetails>(`GET /v1/people/${id}`, { as: 'operator' })).json
  const auditText = async () => JSON.stringify((await fleet.ask<AuditPage>('GET /v1/audit', { as: 'operator' })).json)

  it('is not taken of a name with a character that nobody sees, and the page says so', async () => {
    for (const name of ['Новиков\u202e Пётр', 'Нови\u200bков Пётр']) {
      const answer = await post('/a', { name, wish: 'ИВТ-101', channel: 'telegram' })
      expect(answer.status, JSON.stringify(name)).to.equal(400)
      expect(answer.text).to.contain('и без невидимых знаков')
    }
    const answer = await post('/a', { name: 'Новиков Пётр', wish: 'ИВТ\u2066-101', channel: 'telegram' })
    expect(answer.status).to.equal(400)
  })

  it('is seen by the office once the contact is proved, and accepted it is a person who has agreed', async () => {
    const { json: link } = await fleet.ask<ApplicationLinkView>(
      'POST /v1/groups/own/application-link',
      { as: 'trainer' },
      {},
    )
    const path = new URL(link.url).pathname
    expect((await look(path)).text)
      .to.contain('Группа: ')
      .and.not.contain('anna')
    const { own, code } = await write(path)
    expect(await list(), 'nobody has sent the code').to.deep.equal([])
    expect(await fleet.redis.exists(keys.applications)).to.equal(0)
    const before = Date.now()
    expect((await redeem('9001', code)).json).to.include({ applied: true, name: 'Новиков Пётр', language: 'ru' })
    const [found] = await list()
    expect(found).to.include({ name: 'Новиков Пётр', group: 'own', channel: 'telegram', address: '9001' })
    expect((await look(own)).text).to.contain('заявка у деканата')
    expect((await redeem('9001', code)).json, 'the reply was lost').to.include({ applied: true })
    expect((await redeem('9002', code)).json.code, 'another contact').to.equal('wrong-code')

    const done = await decide(found?.id ?? '', 'accept')
    expect(done.status, JSON.stringify(done.json)).to.equal(200)
    const person = await personOf(done.json.person)
    expect(person).to.deep.include({ name: 'Новиков Пётр', role: 'student', language: 'ru', groups: ['own'] })
    expect(person.contacts.telegram).to.include({ address: '9001', state: 'active' })
    expect(person.contacts.telegram?.agreed).to.include({ by: 'application', wording: 'application-1-ru' })
    expect(person.contacts.telegram?.agreed?.at).to.be.within(before, Date.now())
    expect(person.contacts.telegram?.agreed?.words).to.match(/вы соглашаетесь/)
    expect(await list()).to.deep.equal([])
    expect((await look(own)).text).to.contain('Заявка принята')
    expect(await fleet.redis.hvals(keys.applications)).to.not.match(/Новиков|9001/)
    expect(await auditText())
      .to.contain('application.accepted')
      .and.not.match(/9001|Новиков/)
    expect((await decide(found?.id ?? '', 'refuse', { answer: 'x' })).json.code).to.equal('unknown-application')
  })

  it('is refused with an answer, which the applicant reads; name and contact are gone', async () => {
    const { own, id, code } = await apply('9001')
    expect((await list())[0]).to.include({ wish: 'ИВТ-101' })
    expect((await decide(id, 'accept')).json.code, 'no link has named a group').to.equal('unknown-group')
    expect((await decide(id, 'refuse')).status).to.equal(422)
    expect((await decide(id, 'refuse', { answer: 'Вас нет в <приказе>.' })).status).to.equal(204)
    expect((await look(own)).text).to.contain('отклонил заявку: Вас нет в &#60;приказе&#62;.')
    expect(await fleet.redis.hvals(keys.applications)).to.not.match(/Новиков|9001/)
    expect((await redeem('9001', code)).json.code, 'the code was used').to.equal('wrong-code')
    expect((await decide(id, 'accept', { group: 'own' })).json.code).to.equal('unknown-application')
    expect(await auditText())
      .to.contain('application.refused')
      .and.not.match(/9001|Новиков/)
  })

  it('goes on where accepting was cut off, and is decided once', async () => {
    const { id } = await apply('9001')
    const [outcomes] = [await Promise.all(['own', 'own', 'other'].map((group) => decide(id, 'accept', { group })))]
    expect(outcomes.map(({ status }) => status)).to.include(200)
    expect((await personOf(`a-${id}`)).groups).to.have.length(1)

    const next = await apply('9002')
    const open = (await readApplication(fleet.redis, next.id, Date.now())) as Application & { state: 'open' }
    const begun = { id: open.id, untilMs: open.untilMs, state: 'accepting', applicant: open.applicant, into: 'own' }
    await fleet.redis.hset(keys.applications, next.id, JSON.stringify(begun))
    await fleet.directory.putPerson({
      id: `a-${next.id}`,
      name: 'Новиков Пётр',
      role: 'student',
      timeZone: 'UTC',
      language: 'ru',
    })
    expect((await list())[0]).to.include({ accepting: true })
    expect((await decide(next.id, 'refuse', { answer: 'x' })).json.code).to.equal('application-decided')
    expect((await decide(next.id, 'accept')).json.person).to.equal(`a-${next.id}`)
    const person = await personOf(`a-${next.id}`)
    expect([person.groups, person.contacts.telegram?.address]).to.deep.equal([['own'], '9002'])
  })

  it('says nothing of who is in the list, and takes no contact from anybody', async () => {
    const unknown = await write('/a', { name: 'Никто Никтоев' })
    const known = await write('/a', { name: 'Имя student-1' })
    const withoutCode = ({ text }: { text: string }) => text.replace(/\d{4} ?\d{4}|<path[^>]+>/g, '')
    expect(withoutCode(await look(known.own))).to.equal(withoutCode(await look(unknown.own)))
    const { id } = await apply('7005')
    expect((await list()).find((each) => each.id === id)).to.include({ linkedTo: 'student-1' })
    expect((await decide(id, 'accept', { group: 'own' })).json.code).to.equal('address-taken')
    expect(await fleet.directory.personOf('telegram', '7005')).to.equal('student-1')
    for (const path of ['/a/own.zzzzzzzz.AbCdEfGhIjKlMnOpQrStUv', '/a/own/x.telegram.1.2.3', '/a/x'])
      expect((await look(path)).status, path).to.equal(404)
    for (const as of ['student', 'trainer', 'staff', 'operator'] as const)
      expect((await fleet.ask('GET /v1/applications', { as })).status, as).to.equal(403)
    const bad = await post('/a', { name: ' ', wish: 'x', channel: 'telegram' })
    expect([bad.status, /role="alert"/.test(bad.text)]).to.deep.equal([400, true])
  })

  it('fills up nothing: one of each contact, so many of a group and without a link, so many codes of a network', async () => {
    await apply('9001')
    const { id } = await apply('9001', '/a', { name: 'Новиков Павел' })
    expect(
      (await list()).map((each) => each.id),
      'the latest',
    ).to.deep.equal([id])
    const stranger = (index: number, group = ''): Application => ({
      id: String(index).padStart(12, '0'),
      untilMs: Date.now() + 86_400_000,
      state: 'open',
      applicant: {
        name: 'x',
        group,
        wish: '',
        language: 'ru',
        channel: 'vk',
        address: String(index),
        wording: 'application-1-ru',
        atMs: 1,
      },
    })
    for (let index = 0; index < 199; index += 1) await keepApplication(fleet.redis, stranger(index))
    const { code } = await write()
    expect((await redeem('9003', code)).json.code).to.equal('too-many-applications')
    const { json: link } = await fleet.ask<ApplicationLinkView>(
      'POST /v1/groups/own/application-link',
      { as: 'trainer' },
      {},
    )
    await apply('9004', new URL(link.url).pathname)
    const answers = []
    for (let index = 0; index < 60; index += 1)
      answers.push((await post('/a', { name: 'Имя', wish: 'x', channel: 'telegram' })).status)
    expect(answers.at(-1)).to.equal(429)
    expect(await fleet.redis.hlen(keys.applications)).to.equal(201)
  })

  it('lapses, and goes with whoever is erased', async () => {
    const { id } = await apply('9001')
    const kept = JSON.parse((await fleet.redis.hget(keys.applications, id)) as string) as Application
    await fleet.redis.hset(keys.applications, id, JSON.stringify({ ...kept, untilMs: Date.now() - 1 }))
    expect(await list()).to.deep.equal([])
    expect(await fleet.redis.hlen(keys.applications)).to.equal(0)
    await apply('9002')
    await apply('9003')
    const erase = createEraseKey(fleet.redis, {
      person: 'gone',
      name: 'Новиков Пётр',
      addresses: ['9002'],
      by: 'admin-1',
    })
    expect([await erase(keys.applications), await erase(keys.applications)]).to.deep.equal([true, false])
    expect(
      (await list()).map(({ address }) => address),
      'a namesake stays',
    ).to.deep.equal(['9003'])
  })
})
