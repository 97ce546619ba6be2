/**
 * A text that is another for each is corrected while it goes out to everyone, and couriers die meanwhile: what stands on the phone of each is the newest text of
 * their own, or they are listed, by the logs of the stand-ins.
 */
import type { CorrectionOutcome, CorrectionRehearsal, HistoryView, ProblemDocument } from '@courier-fleet/api-types'
import { type FreshRedis, freshRedis, until } from '@courier-fleet/testkit'
import { expect } from 'chai'
import { type Fleet, startFleet } from './fleet.ts'
import { createLines } from './lines.ts'

type Person = (typeof people)[number]
const people = Array.from({ length: 240 }, (_, index) => ({
  id: `guest-${String(index).padStart(3, '0')}`,
  name: `Guest ${index}`,
  // the last ten read none of the texts
  language: index >= 230 ? 'fr' : index % 2 ? 'en' : 'ru',
  room: `R${index % 7}`,
  telegram: String(92_000_000 + index),
  vk: String(596_000_000 + index),
  sms: `+7900777${String(index).padStart(4, '0')}`,
}))
const roster = [
  'id,name,role,timezone,language,telegram,vk,phone,field:room,groups',
  ...people.map(
    ({ id, name, language, room, telegram, vk, sms }) =>
      `${id},${name},student,Europe/Moscow,${language},${telegram},${vk},${sms},${room},guests`,
  ),
].join('\n')
const old = { ru: 'Экзамен: {{room}}', en: 'Exam: {{room}}' }
const next = { ru: 'Экзамен переносится в {{room}}, {{name}}', en: 'The exam moves to {{room}}, {{name}}' }
const read = (texts: typeof old, { language, room, name }: Person) =>
  (language === 'ru' ? texts.ru : texts.en).replace('{{room}}', room).replace('{{name}}', name)
const said = (text: string) => text.split('\n').at(-1) ?? ''

describe('a text that is another for each and is corrected while it is sent', () => {
  let redis: FreshRedis
  let fleet: Fleet
  let key: string
  let history: HistoryView
  const lines = createLines()
  before(async () => {
    redis = await freshRedis()
    fleet = await startFleet({
      couriers: { telegram: 2, vk: 2, sms: 2 },
      env: { TELEGRAM_RATE_PER_SECOND: '60', SMS_PER_SECOND: '40', SMS_WINDOW: '20', LEASE_MS: '1500' },
      redis: { url: redis.url, redis: () => redis.redis },
      settings: (courier) => (courier.name === 'courier-vk-1' ? lines.lead(courier) : {}),
    })
    expect((await fleet.api.call('POST', '/v1/imports', roster)).status).to.equal(200)
  })
  after(async () => {
    await fleet?.stop()
    await lines.close()
    await redis?.stop()
  })

  const taken = async (channel: 'telegram' | 'vk' | 'sms') =>
    (await fleet.sandbox.accepted(undefined, channel)).sort((a, b) => a.at - b.at)
  const correct = (text: object, query = '') =>
    fleet.api.call<CorrectionOutcome & CorrectionRehearsal & ProblemDocument>(
      'POST',
      `/v1/histories/${key}/corrections${query}`,
      { text },
    )

  it('refuses a text with what nobody is known to have, and says of whom; then takes one, and settles under kills', async () => {
    await fleet.kill('courier-vk-2', 'SIGTERM')
    lines.hold('courier-vk-1')
    key = await fleet.api.send({
      to: ['group:guests'],
      text: old,
      language: 'en',
      fields: {},
      channels: ['telegram', 'vk', 'sms'],
    })
    const isUnderWay = async () =>
      (await taken('telegram')).length > 40 && (await taken('vk')).length >= 100 && (await taken('sms')).length > 20
    await until(isUnderWay, 'sending is under way, and VK’s answers do not come')
    const missing = await correct({ ru: '{{hall}}', en: '{{hall}}' })
    expect([missing.status, missing.body.code, missing.body.fields]).to.deep.equal([422, 'missing-field', ['hall']])
    expect(missing.body.first).to.include('guest-000')
    await fleet.kill('courier-sms-1')
    const foretold = await correct(next, '?dryRun=true')
    expect([foretold.status, foretold.body.people]).to.deep.equal([200, people.length])
    const { status, body } = await correct(next)
    expect([status, body.version]).to.deep.equal([202, 2])
    await Promise.all(['courier-vk-1', 'courier-telegram-1'].map((name) => fleet.kill(name)))
    await Promise.all(['courier-vk-2', 'courier-sms-1', 'courier-telegram-1'].map((name) => fleet.start(name)))
    history = (await fleet.api.track(key)).history
    expect((await fleet.api.recount(key)).balanced).to.equal(true)
    expect(history.versions?.map(({ text, language, texts }) => [text, language, texts])).to.deep.equal([
      [old.en, 'en', { ru: old.ru }],
      [next.en, 'en', { ru: next.ru }],
    ])
    const counts = history.versions?.[1]?.corrected
    for (const channel of ['telegram', 'vk'])
      expect(counts?.[channel], channel).to.include({ followedUp: 0, pending: 0, unknown: 0, uncorrected: 0 })
    expect(counts?.vk?.edited, 'whom VK had, and whose answer never came').to.be.above(99)
    expect(counts?.sms?.followedUp).to.be.above(0)
  })

  for (const channel of ['telegram', 'vk'] as const)
    it(`everybody has one message on ${channel}, and it says the newest text of their own`, async () => {
      const rows = await taken(channel)
      expect(rows).to.have.length(people.length)
      for (const person of people) {
        const { messages } = await fleet.sandbox.chat(channel, person[channel])
        const own = messages.filter(({ from }) => from === 'client').map(({ text }) => said(text))
        expect(own, person.id).to.deep.equal([read(next, person)])
      }
    })

  it('by SMS everybody has the newest text of their own, or is listed; whoever has both was told which one it corrects', async () => {
    const rows = await taken('sms')
    let [told, alone] = [0, 0]
    for (const person of people) {
      const texts = rows.filter(({ address }) => address === person.sms).map(({ text }) => text)
      expect(texts.length, person.id).to.be.within(1, 2)
      const [first = '', second] = texts
      if (second === undefined) {
        expect([read(old, person), read(next, person)], person.id).to.include(said(first))
        if (said(first) === read(old, person)) alone += 1
        continue
      }
      expect([said(first), said(second)], person.id).to.deep.equal([read(old, person), read(next, person)])
      expect(second).to.contain(
        person.language === 'ru' ? 'Исправление к сообщению от ' : 'Correction of the message of ',
      )
      told += 1
    }
    const { followedUp = 0, unknown = 0, uncorrected = 0 } = history.versions?.[1]?.corrected?.sms ?? {}
    expect(alone).to.be.at.most(unknown + uncorrected)
    expect(told).to.be.at.most(followedUp + unknown)
    expect(told).to.be.above(0)
  })
})
