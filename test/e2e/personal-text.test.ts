/** A text in several languages and with fields, to 300 people, through real couriers: each reads their own, and VK is asked no more often than it has to be. */
import type { ReceiptsPage, RehearsalView } from '@courier-fleet/api-types'
import type { ChannelName } from '@courier-fleet/channels'
import { type FreshRedis, freshRedis, until } from '@courier-fleet/testkit'
import { expect } from 'chai'
import { type Fleet, startFleet } from './fleet.ts'
import { createLines } from './lines.ts'

const languages = ['ru', 'en', 'de', 'fr'] as const
const people = Array.from({ length: 300 }, (_, index) => ({
  id: `reader-${String(index).padStart(3, '0')}`,
  name: `Reader ${index}`,
  // the last ten read none of the texts
  language: index < 290 ? (languages[index % 3] as string) : 'fr',
  vk: String(593_000_000 + index),
}))
const roster = [
  'id,name,role,timezone,language,vk,groups',
  ...people.map(({ id, name, language, vk }) => `${id},${name},student,Europe/Moscow,${language},${vk},readers`),
].join('\n')
const texts = { ru: 'Занятие переносится в', en: 'The class is moved to', de: 'Der Kurs ist jetzt in' }
const wanted = ({ language }: (typeof people)[number]) => texts[language as keyof typeof texts] ?? texts.en

describe('a text that is not the same for everybody, in a whole fleet', () => {
  let redis: FreshRedis
  let fleet: Fleet
  const lines = createLines()

  before(async () => {
    redis = await freshRedis()
    fleet = await startFleet({
      couriers: { telegram: 1, sms: 1, vk: 2, mail: 1 },
      env: { LEASE_MS: '1500' },
      redis: { url: redis.url, redis: () => redis.redis },
      settings: (courier) => (courier.name.endsWith('-1') ? lines.lead(courier) : {}),
    })
    const { status } = await fleet.api.call('POST', '/v1/imports', roster)
    expect(status).to.equal(200)
  })
  after(async () => {
    await fleet?.stop()
    await lines.close()
    await redis?.stop()
  })

  const taken = async (room: string) =>
    (await fleet.sandbox.accepted(undefined, 'vk')).filter(({ text }) => text.includes(room))
  const textOf = (text: string) => text.replace(/^.*\n/, '')

  it('is in the language of each, with a call of VK for each text of a hundred people', async () => {
    const text = { ru: `${texts.ru} {{room}}`, en: `${texts.en} {{room}}`, de: `${texts.de} {{room}}` }
    const message = { to: ['group:readers'], text, fields: { room: 'A 204' }, channels: ['vk'] }
    const { body } = await fleet.api.call<RehearsalView>('POST', '/v1/audiences:resolve', message)
    const report = await fleet.api.deliver(message)
    expect(report.history.people).to.include({ sentToChat: 300 })
    const rows = await taken('A 204')
    const read = new Map(rows.map((row) => [row.address, textOf(row.text)]))
    for (const each of people) expect(read.get(each.vk), each.id).to.equal(`${wanted(each)} A 204`)
    expect(rows).to.have.length(300)
    expect(new Set(rows.map(({ key }) => key)).size, 'three texts in each of three hundreds').to.equal(9)
    expect(body.text?.calls, 'as the rehearsal said').to.deep.equal({ vk: 9 })
  })

  it('leaves what somebody is called, or what a sender gives for a field, plain text everywhere', async () => {
    const value = '{{id}} [id1|Павел] @all <b>x</b> =1+1 \u202Eabc e\u0301'
    const to = ['user:reader-000']
    await fleet.api.deliver({ to, text: 'Injected: {{value}}', fields: { value }, channels: ['vk'] })
    const [row] = await taken('Injected')
    expect(row?.text).to.contain('{{id}} [\u200did1|Павел] @\u200dall <b>x</b> =1+1 \u202Eabc e\u0301')
    await fleet.api.deliver({ to, text: 'Braces: {{name}} {{{{ [id1|Павел]', channels: ['vk'] })
    expect((await taken('Braces'))[0]?.text, 'without fields nothing is read or escaped').to.contain(
      'Braces: {{name}} {{{{ [id1|Павел]',
    )
  })

  it('is a stored text with the room of each, as it was accepted; what the rooms are called is text in Telegram and by mail, too', async () => {
    const [first, second] = people as [(typeof people)[number], (typeof people)[number]]
    await fleet.api.call('PUT', `/v1/contacts/telegram/${first.id}`, { address: '7773001' })
    await fleet.api.call('PUT', `/v1/contacts/mail/${first.id}`, { address: 'reader@example.org' })
    const exam = { name: { ru: 'Экзамен', en: 'Exam' }, fields: [{ name: 'room' }] }
    const put = (text: string, version?: number) =>
      fleet.api.call(
        'PUT',
        '/v1/templates/exam',
        { ...exam, text },
        version === undefined ? {} : { 'if-match': `"${version}"` },
      )
    expect((await put('Exam: {{room}} ({{id}})')).status).to.equal(201)
    const room = '**7** <b>B</b> &amp; [x](https://x.example) `c` {{id}}'
    const recipients = [
      { person: first.id, fields: { room } },
      { person: second.id, fields: { room: '101' } },
    ]
    const to = recipients.map(({ person }) => `user:${person}`)
    const key = await fleet.api.send({
      to,
      template: { id: 'exam' },
      recipients,
      at: new Date(Date.now() + 3_600_000).toISOString(),
    })
    expect((await put('Another {{room}}', 1)).status, 'changed while it waits').to.equal(200)
    expect((await fleet.api.call('PATCH', `/v1/histories/${key}`, { at: 'now' })).status).to.equal(200)
    const { history } = await fleet.api.track(key)
    expect(history.template).to.deep.equal({ id: 'exam', version: 1 })
    const read = async (channel: ChannelName, address: string) => {
      const rows = await fleet.sandbox.accepted(undefined, channel)
      return rows.find((row) => row.address === address && row.text.includes('Exam: '))
    }
    const whole = `Exam: ${room} (${first.id})`
    const chat = await read('telegram', '7773001')
    expect(textOf(chat?.text ?? '')).to.equal(whole)
    expect(textOf((await read('mail', 'reader@example.org'))?.text ?? '').trim()).to.equal(whole)
    expect(textOf((await read('vk', second.vk))?.text ?? '')).to.equal(`Exam: 101 (${second.id})`)
  })

  it('goes in steps and asks to be confirmed: by SMS, with the number below it, to whoever VK cannot reach', async () => {
    const roster =
      'id,name,role,timezone,language,phone,field:room,groups\nphone-1,Грета,student,Europe/Moscow,de,+79004445566,C 3,readers'
    expect((await fleet.api.call('POST', '/v1/imports', roster)).status).to.equal(200)
    const report = await fleet.api.deliver({
      to: ['user:phone-1', 'user:reader-001'],
      text: { en: 'Gather, {{name}}: {{room|the hall}}', de: 'Treffpunkt, {{name}}: {{room|der Saal}}' },
      fields: {},
      confirm: true,
      steps: [{ channels: ['vk'] }, { channels: ['sms'], after: 'PT30S', unless: 'sent' }],
    })
    expect(report.history.people).to.include({ sentToChat: 1 })
    const [sms] = (await fleet.sandbox.accepted(undefined, 'sms')).filter(({ text }) => text.includes('Treffpunkt'))
    expect(sms?.text).to.match(/^Treffpunkt, Грета: C 3\n.*ДА \d+$/)
    expect((await taken('Gather')).map(({ text, buttons }) => [text, buttons])).to.deep.equal([
      ['Gather, Reader 1: the hall', [['I have read this']]],
    ])
    const { status } = await fleet.api.call('DELETE', '/v1/people/phone-1')
    expect(status).to.equal(204)
  })

  it('is not read twice where the process dies that has sent it: the other sends the same texts under the same keys', async () => {
    await fleet.kill('courier-vk-2', 'SIGTERM')
    lines.hold('courier-vk-1')
    const text = { ru: `${texts.ru} B 7`, en: `${texts.en} B 7`, de: `${texts.de} B 7` }
    const key = await fleet.api.send({ to: ['group:readers'], text, language: 'en', channels: ['vk'] })
    await until(async () => (await taken('B 7')).length >= 100, 'VK has taken some, and its answers do not come')
    await fleet.kill('courier-vk-1')
    await fleet.start('courier-vk-2')
    expect((await fleet.api.track(key)).settled).to.equal(true)
    const rows = await taken('B 7')
    expect(rows.map(({ address }) => address).sort()).to.deep.equal(people.map(({ vk }) => vk).sort())
    for (const row of rows) {
      const each = people.find(({ vk }) => vk === row.address) as (typeof people)[number]
      expect(textOf(row.text)).to.equal(`${wanted(each)} B 7`)
    }
    const { receipts } = await fleet.api.get<ReceiptsPage>(`/v1/histories/${key}/receipts?limit=200`)
    expect(new Set(receipts.map(({ channels }) => channels.vk?.state))).to.deep.equal(new Set(['sent']))
    expect((await fleet.api.recount(key)).balanced).to.equal(true)
    await fleet.start('courier-vk-1')
  })
})
