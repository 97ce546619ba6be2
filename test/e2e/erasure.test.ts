/** A person is erased: all of Redis is looked through, and nothing is left of them but counts; a student, and an operator who has sent. */
import {
  type AuditPage,
  type ChannelList,
  type EnrolmentView,
  type ErasureList,
  type HistoryView,
  type PersonData,
  parseHistoryKey,
  type RecountReport,
  type SettingsView,
  type SubscriptionView,
} from '@courier-fleet/api-types'
import { bucketOfProviderId, digestOfContact, keys, type RedisNode, readEvidence } from '@courier-fleet/store'
import { type FreshRedis, freshRedis, until } from '@courier-fleet/testkit'
import { expect } from 'chai'
import { environment } from '../../packages/notifier/test/fixture.ts'
import { startReceiver } from '../../packages/notifier/test/receiver.ts'
import { systemTextsFor } from '../../packages/queue/src/fleet/system-texts.ts'
import { findAnywhere } from '../whole-redis.ts'
import { type Api, ahead, left } from './api.ts'
import { type Fleet, startFleet } from './fleet.ts'
import { type Inbound, startInbound } from './inbound.ts'
import { createLines } from './lines.ts'
import { studentsOf } from './roster.ts'
import { telegramPhone } from './telegram-phone.ts'

const vera = {
  id: 'vera-to-be-erased',
  name: 'Вера Стираемая-Первая',
  contacts: { telegram: '73000012', vk: '73000056', sms: '+79165557301' },
}
/** the first is barred when one message comes */
const secondPhone = '+79165557302'
const olga = { id: 'olga-to-be-erased', name: 'Ольга Стираемая-Вторая', contacts: { telegram: '73000098' } }
/** what stands for her phones where it is kept which were tried */
const digests = [vera.contacts.sms, secondPhone].map((address) => digestOfContact({ sender: 'admin' }, address))
/** of a phone its digits, however they are written */
const traces = [
  ...[vera, olga].flatMap(({ id, name, contacts }) => [id, name, ...Object.values(contacts)]),
  ...[vera.contacts.sms, secondPhone].map((address) => address.slice(2)),
  ...digests,
]
/** what only those who work on it say */
const said = 'слова Ольги, которых нигде нет больше'
const farAhead = 30 * 86_400_000
const large = ['cohort:all-students', `user:${vera.id}`]

describe('a person who is erased', () => {
  let fleet: Fleet
  let fresh: FreshRedis
  let bot: Inbound
  let receiver: Awaited<ReturnType<typeof startReceiver>>
  let asOlga: Api
  let secret = ''
  const lines = createLines()
  const kept: Record<string, string> = {}

  const find = () => findAnywhere(fresh.redis as unknown as RedisNode, traces)
  const put = async (path: string, body?: unknown) => {
    const answer = await fleet.api.call('PUT', path, body)
    expect(answer.status, `${path} ${JSON.stringify(answer.body)}`).to.be.below(300)
  }

  before(async () => {
    fresh = await freshRedis()
    fleet = await startFleet({
      redis: { url: fresh.url, redis: () => fresh.redis },
      notifiers: 1,
      couriers: { sms: 1 },
      env: environment,
      queueEnv: environment,
      settings: (courier) => (courier.channel === 'sms' ? lines.lead(courier) : {}),
    })
    bot = await startInbound(fleet, 'bot')
    receiver = await startReceiver(() => secret)
  })
  after(async () => {
    await bot.stop()
    await fleet.stop()
    await lines.close()
    await receiver.stop()
    await fresh.stop()
  })

  it('comes in by every entrance', async () => {
    await put(`/v1/people/${olga.id}`, { name: olga.name, role: 'operator', timeZone: 'Europe/Moscow', language: 'ru' })
    await put(`/v1/contacts/telegram/${olga.id}`, { address: olga.contacts.telegram })
    asOlga = await fleet.apiOf(olga.id, 'operator')
    // a list, one of whose lines is refused: the answer is kept for whoever asks again
    const csv = `id,name,role,telegram,phone,groups\n${vera.id},${vera.name},student,,,ivt-101\n${vera.id},${vera.name},nobody,,,\n`
    const imported = await fetch(`${fleet.apiUrl}/v1/imports`, {
      method: 'POST',
      headers: { authorization: `Bearer ${fleet.apiKey}`, 'content-type': 'text/csv', 'idempotency-key': 'list-1' },
      body: csv,
    })
    expect(await imported.text()).to.include(vera.name)
    for (const [channel, address] of Object.entries(vera.contacts))
      await put(`/v1/contacts/${channel}/${vera.id}`, { address })
    const added = await fleet.api.call('POST', `/v1/contacts/sms/${vera.id}`, { address: secondPhone })
    expect(added.status).to.equal(204)
    await put(`/v1/people/${vera.id}/wishes`, { off: ['general:vk'] })
    await put('/v1/topics/choir', { name: { ru: 'Хор', en: 'Choir' }, senders: ['staff', olga.id], open: true })
    await put(`/v1/topics/choir/members/${vera.id}`)
    await put('/v1/groups/choirs', { name: 'Хоры', owners: [olga.id] })
    await put('/v1/cohorts/singers', { name: 'Певцы', groups: ['choirs'], owners: [olga.id] })
    await fleet.api.call('POST', '/v1/groups/choirs/members', { people: [vera.id] })
    const { body } = await fleet.api.call<EnrolmentView>('POST', '/v1/enrolments', { person: vera.id, channel: 'sms' })
    expect(body.code).to.match(/^\d/)
    const signIn = await fetch(`${fleet.apiUrl}/v1/sign-ins`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ person: vera.id }),
    })
    const cookie = signIn.headers.get('set-cookie')?.split(';')[0] ?? ''
    const code = await until(async () => {
      const rows = await fleet.sandbox.accepted()
      return rows.map(({ text }) => /\d{8}/.exec(text)?.[0]).find(Boolean)
    }, 'a code is sent')
    const opened = await fetch(`${fleet.apiUrl}/v1/sessions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', cookie },
      body: JSON.stringify({ person: vera.id, code }),
    })
    expect(opened.status).to.equal(201)
    // after all else the fleet itself has sent: what came to a phone that is barred by then would bar it for the messages below
    const told = () => fleet.sandbox.accepted(systemTextsFor('en').signedIn, 'sms')
    await until(async () => (await told()).length > 0, 'it is said on the phone that somebody has signed in')
  })

  it('is followed by systems, and counted by rules', async () => {
    const follow = async (api: Api, resource: string, id?: string) => {
      const wanted = { url: receiver.url, resource, ...(id ? { resource_id: id } : {}) }
      const made = await api.call<SubscriptionView & { secret: string }>('POST', '/v1/subscriptions', wanted)
      expect(made.status, JSON.stringify(made.body)).to.equal(201)
      return made.body
    }
    secret = (await follow(fleet.api, 'person', vera.id)).secret
    await follow(asOlga, 'history')
    const made = await asOlga.call('PUT', '/v1/types/news', {
      name: { ru: 'Новости', en: 'News' },
      caps: [{ n: 50, per: 'P7D' }],
    })
    expect(made.status, JSON.stringify(made.body)).to.be.below(300)
    const { version } = await fleet.api.get<SettingsView>('/v1/settings')
    const match = { 'if-match': `"${version}"` }
    expect((await fleet.api.call('PATCH', '/v1/settings', { tellRead: ['vk'] }, match)).status).to.equal(200)
    await until(async () => {
      const { settings } = await fleet.api.get<ChannelList>('/v1/channels')
      return settings.version === version + 1 && settings.using === settings.of
    }, 'all processes know the settings')
  })

  it('is sent to in every way, and works on what others send', async () => {
    const send = (message: Parameters<Api['send']>[0], api = fleet.api) => api.send(message)
    // before all others: whichever comes to a barred phone first, those after it go to the next at once
    await fleet.sandbox.phones([{ channel: 'sms', address: vera.contacts.sms, state: 'blocked' }])
    kept.tried = await send({ to: ['user:t-01', `user:${vera.id}`], text: 'Кому-нибудь', channels: ['sms'] })
    await fleet.api.track(kept.tried)
    const [, hers] = await fleet.api.receipts(kept.tried)
    expect(hers?.channels.sms?.earlier?.[0], 'and the words of the provider').to.include.keys('detail')
    expect(await fresh.redis.exists(keys.tried(parseHistoryKey(kept.tried), 'sms'))).to.equal(1)
    kept.large = await send({ to: large, text: 'Всем', type: 'news', confirm: true })
    kept.personal = await send({ to: [`user:${vera.id}`], text: `${vera.name}, зайдите в деканат`, about: 'visit' })
    kept.later = await send({ to: [`user:${vera.id}`, 'user:t-01'], text: 'Потом', at: ahead(farAhead) })
    kept.whenOnline = await send({
      to: [`user:${vera.id}`],
      text: 'Когда будете',
      whenOnline: true,
      expires: ahead(farAhead),
    })
    kept.olgas = await send({ to: ['group:ivt-101'], text: said, type: 'news' }, asOlga)
    kept.olgasLater = await send({ to: ['group:ivt-101'], text: `${said} потом`, at: ahead(farAhead) }, asOlga)
    await asOlga.call('PUT', '/v1/events/exam', { at: ahead(farAhead) })
    const gone = await send({ to: [`user:${vera.id}`], text: 'Не надо', at: ahead(farAhead) })
    expect((await asOlga.call('DELETE', `/v1/histories/${gone}`)).status).to.equal(200)
    const phone = telegramPhone(fleet.sandbox, vera.contacts.telegram)
    await phone.sees('Всем')
    await phone.press('I have read this')
    await phone.isTold('Noted')
    await phone.asks('что это было?', 'Students cannot send messages')
    await fleet.api.track(kept.large)
    await fleet.api.track(kept.olgas)
    const toldOf = studentsOf('all-students')[0]?.id as string
    expect((await asOlga.call('PUT', `/v1/histories/${kept.large}/told-by-voice/${toldOf}`)).status).to.equal(200)
    await fleet.api.call('GET', `/v1/people/${vera.id}/receipts`)
    await until(async () => receiver.requests.length > 0, 'systems are told')
    const unread = keys.unread(bucketOfProviderId(vera.contacts.vk), 'vk', vera.contacts.vk)
    // noted beside the receipt, in no order
    await until(async () => (await fresh.redis.exists(unread)) === 1, 'what they have not read is noted')
    // its counts are compared with those after the erasure: no report is to come in between
    await left(fleet.api, kept.large, 'sms', ['sent'])
  })

  it('is given all that is known of them', async () => {
    const data = await fleet.api.get<PersonData>(`/v1/people/${vera.id}/data`)
    expect(data.person).to.include({ id: vera.id, name: vera.name })
    expect(data.person?.contacts.sms?.address).to.equal(vera.contacts.sms)
    expect(data.person?.topics).to.deep.equal(['choir'])
    expect(data.wishes).to.deep.equal({ off: ['general:vk'] })
    expect(data.diary).to.have.length.above(0)
    expect(data.sessions).to.have.length(1)
    expect(data.messages.map(({ key }) => key)).to.include.members([kept.large, kept.personal, kept.later])
    expect(data.audit?.map(({ action }) => action)).to.include('person.looked-up')
    const own = await fleet.api.get<PersonData>(`/v1/people/${olga.id}/data`)
    expect(own.sent?.map(({ key }) => key)).to.include.members([kept.olgas, kept.olgasLater])
    expect(own.subscriptions).to.have.length(1)
  })

  it('may be erased by an admin alone, and not by themselves', async () => {
    const asked = { reason: 'own-request' }
    expect((await asOlga.call('POST', `/v1/people/${vera.id}:erase`, asked)).status).to.equal(403)
    expect((await asOlga.call('GET', `/v1/people/${vera.id}/data`)).status).to.equal(403)
    expect((await fleet.api.call('POST', '/v1/people/admin:erase', asked)).status).to.equal(403)
    expect((await fleet.api.call('POST', '/v1/people/nobody-there:erase', asked)).status).to.equal(404)
    expect((await fleet.api.call('POST', `/v1/people/${vera.id}:erase`, { reason: 'she said so' })).status).to.equal(
      422,
    )
  })

  it('is nowhere any more, though a courier was sending to them and the queue was killed twice', async () => {
    const before = await find()
    expect(before.length).to.be.above(40)
    for (const digest of digests) expect(before.filter((found) => found.startsWith(digest))).not.to.deep.equal([])
    const { channels: counted } = await fleet.api.history(kept.large as string)
    lines.hold('courier-sms-1')
    kept.underWay = await fleet.api.send({ to: [`user:${vera.id}`, 'user:t-01'], text: 'Сейчас', channels: ['sms'] })
    await until(async () => (await fleet.sandbox.accepted('Сейчас')).length > 0, 'it is being sent')
    for (const { id } of [vera, olga]) {
      const { status } = await fleet.api.call('POST', `/v1/people/${id}:erase`, { reason: 'left' })
      expect(status).to.equal(202)
    }
    await fleet.kill('queue')
    await fleet.start('queue')
    await until(async () => (await fleet.api.call('GET', `/v1/people/${vera.id}`)).status === 404, 'she is removed')
    await fleet.kill('queue')
    await fleet.start('queue')
    await lines.release('courier-sms-1')
    await until(
      async () => (await fleet.api.get<ErasureList>('/v1/erasures')).erasures.length === 0,
      'both are erased',
      300_000,
    )
    expect(await find()).to.deep.equal([])
    expect(await fresh.redis.exists(keys.tried(parseHistoryKey(kept.tried as string), 'sms'))).to.equal(0)
    const { channels } = await fleet.api.history(kept.large as string)
    expect(channels).to.deep.equal(counted)
    await fleet.api.track(kept.underWay)
    // she comes after t-01
    expect(await readEvidence(fresh.redis, parseHistoryKey(kept.underWay), 'sms', [1])).to.deep.equal([undefined])
  })

  it('leaves counts that agree with the receipts, and receipts of nobody', async () => {
    for (const key of [kept.large, kept.personal, kept.underWay] as string[]) {
      const { balanced } = await fleet.api.get<RecountReport>(`/v1/histories/${key}/recount`)
      expect(balanced, key).to.equal(true)
      const history = await fleet.api.get<HistoryView>(`/v1/histories/${key}`)
      const rows = await fleet.api.receipts(key)
      expect(rows).to.have.length(history.audience?.size as number)
      expect(rows.filter(({ person }) => person === '~')).to.have.length(1)
    }
    const { confirmed } = await fleet.api.get<HistoryView>(`/v1/histories/${kept.large}`)
    expect(confirmed?.yes).to.equal(1)
    expect((await fleet.api.history(kept.personal as string)).text).to.equal(undefined)
    for (const key of [kept.olgas, kept.olgasLater])
      expect((await fleet.api.call('GET', `/v1/histories/${key}`)).status).to.equal(404)
    const other = studentsOf('all-students').at(-1)?.id
    const found = await fleet.api.get<PersonData>(`/v1/people/${other}/receipts`)
    expect(found.messages.map(({ key }) => key)).to.include(kept.large)
    const { lines: said } = await fleet.api.get<AuditPage>('/v1/audit?limit=1000')
    expect(said.filter(({ action }) => action === 'person.erased')).to.have.length(2)
  })

  it('is nobody whose id may not be given again', async () => {
    const again = { name: 'Somebody else', role: 'student' }
    expect((await fleet.api.call('PUT', `/v1/people/${vera.id}`, again)).status).to.equal(201)
    const { messages } = await fleet.api.get<PersonData>(`/v1/people/${vera.id}/data`)
    expect(messages).to.deep.equal([])
  })
})
