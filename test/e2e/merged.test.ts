/** Two reminders to one person, due within the merge window, are one message at each provider, whoever dies meanwhile: by the logs of the stand-ins. */
import type { StreamList } from '@courier-fleet/api-types'
import { until } from '@courier-fleet/testkit'
import { expect } from 'chai'
import { ahead } from './api.ts'
import { type Fleet, startFleet } from './fleet.ts'
import { channels, isGood, type Student, studentsOf } from './roster.ts'

const first = 'Сдайте книги в библиотеку'
const second = 'Собрание в 18:00'
const students = studentsOf('all-students').filter((each) => channels.every((channel) => isGood(each, channel)))

describe('messages to one person that go out as one', () => {
  let fleet: Fleet
  before(async () => {
    fleet = await startFleet({
      // nobody takes over from a slow one whom an SMS may have reached
      couriers: { telegram: 2, vk: 1, sms: 1 },
      env: { TELEGRAM_RATE_PER_SECOND: '30', SMS_PER_SECOND: '30', SMS_WINDOW: '10', LEASE_MS: '1500' },
    })
    const { status } = await fleet.api.call('PUT', '/v1/types/reminder', {
      name: { ru: 'Напоминание', en: 'Reminder' },
      merge: 'PT60S',
    })
    expect(status).to.be.below(300)
  })
  after(() => fleet.stop())

  /** The earlier one is accepted when the other is there: so it cannot start before. */
  async function remindTwice(student: Student, dueInMs: number, apartMs: number): Promise<[string, string]> {
    const later = await remind(student, second, dueInMs + apartMs)
    return [await remind(student, first, dueInMs), later]
  }
  const remind = ({ id }: Student, text: string, dueInMs: number) =>
    fleet.api.send({ to: [`user:${id}`], text, type: 'reminder', at: ahead(dueInMs), channels: [...channels] })
  /** All that this phone was ever sent. */
  async function textsTo(student: Student, channel: (typeof channels)[number]): Promise<string[]> {
    const accepted = await fleet.sandbox.accepted(undefined, channel)
    return accepted.filter(({ address }) => address === student.contacts[channel]).map(({ text }) => text)
  }
  const timesIn = (texts: readonly string[], text: string) => texts.join('\n').split(text).length - 1

  it('twenty seconds apart they are one on each channel, and each history says so', async () => {
    const student = students[0] as Student
    const keys = await remindTwice(student, 1_500, 20_000)
    for (const key of keys) expect((await fleet.api.track(key)).settled).to.equal(true)
    for (const channel of channels) {
      const texts = await textsTo(student, channel)
      expect(texts, channel).to.have.length(1)
      expect([timesIn(texts, first), timesIn(texts, second)], channel).to.deep.equal([1, 1])
      expect(texts[0]?.indexOf(first), channel).to.be.below(texts[0]?.indexOf(second) as number)
    }
    const [[of], [other]] = [await fleet.api.receipts(keys[0]), await fleet.api.receipts(keys[1])]
    for (const channel of channels) {
      expect(of?.channels[channel]?.sentWith, channel).to.equal(undefined)
      expect(other?.channels[channel]?.sentWith, channel).to.equal(keys[0])
    }
    // what the SMS centre says of the one message holds for both
    await until(async () => {
      const [row] = await fleet.api.receipts(keys[1])
      return row?.channels.sms?.state === 'delivered'
    }, 'the second is delivered')
    for (const key of keys) expect((await fleet.api.recount(key)).balanced).to.equal(true)
  })

  it('sixty-one seconds apart they are two', async () => {
    const student = students[1] as Student
    const at = Date.now() + 1_500
    const due = (ms: number) => new Date(ms).toISOString()
    const what = { to: [`user:${student.id}`], type: 'reminder', channels: ['telegram'] }
    const key = await fleet.api.send({ ...what, text: first, at: due(at) })
    const later = await fleet.api.send({ ...what, text: second, at: due(at + 61_000) })
    expect((await fleet.api.track(key)).settled).to.equal(true)
    expect((await fleet.api.history(later)).state).to.equal('scheduled')
    expect(timesIn(await textsTo(student, 'telegram'), second)).to.equal(0)
    expect((await fleet.api.call('DELETE', `/v1/histories/${later}`)).status).to.be.below(300)
  })

  it('the first is cancelled while no courier is there, and its work is cleared away: the second goes by itself, when it is due', async () => {
    const student = students[122] as Student
    const ofSms = async () => {
      const { streams } = await fleet.api.get<StreamList>('/v1/streams')
      return streams.reduce((sum, { channel, entries }) => sum + (channel === 'sms' ? entries : 0), 0)
    }
    await fleet.kill('courier-sms-1')
    const at = Date.now() + 1_500
    const due = (ms: number) => new Date(ms).toISOString()
    const what = { to: [`user:${student.id}`], type: 'reminder', channels: ['sms'] }
    const later = await fleet.api.send({ ...what, text: second, at: due(at + 55_000) })
    const key = await fleet.api.send({ ...what, text: first, at: due(at) })
    await until(async () => (await ofSms()) === 1, 'both wait as one')
    expect((await fleet.api.history(later)).state).to.equal('running')
    await fleet.api.call('DELETE', `/v1/histories/${key}`)
    await until(async () => (await ofSms()) === 0, 'nobody has to read it any more')
    await fleet.start('courier-sms-1')
    expect((await fleet.api.track(later, 120)).settled).to.equal(true)
    expect(await textsTo(student, 'sms')).to.deep.equal([second])
    expect(Date.parse((await fleet.api.receipts(later))[0]?.channels.sms?.at ?? '')).to.be.at.least(at + 55_000)
  })

  it('couriers die while many pairs go out, and some are cancelled: nobody reads anything twice, and what is said is so', async () => {
    const some = students.slice(2, 42)
    const pairs = await Promise.all(
      some.map(async (student) => ({ student, keys: await remindTwice(student, 4_000, 20_000) })),
    )
    await until(async () => (await fleet.sandbox.accepted(undefined, 'sms')).length > 8, 'sending has begun')
    for (const { keys } of pairs.slice(0, 5)) await fleet.api.call('DELETE', `/v1/histories/${keys[1]}`)
    for (const name of ['courier-sms-1', 'courier-telegram-1', 'courier-vk-1']) await fleet.kill(name)
    for (const { keys } of pairs.slice(5, 10)) await fleet.api.call('DELETE', `/v1/histories/${keys[0]}`)
    for (const name of ['courier-sms-1', 'courier-telegram-1', 'courier-vk-1']) await fleet.start(name)
    let joined = 0
    for (const { student, keys } of pairs) {
      for (const key of keys) expect((await fleet.api.track(key)).settled, key).to.equal(true)
      const rows = await Promise.all(keys.map(async (key) => (await fleet.api.receipts(key))[0]))
      for (const channel of channels) {
        const texts = await textsTo(student, channel)
        for (const [index, text] of [first, second].entries()) {
          const times = timesIn(texts, text)
          const state = rows[index]?.channels[channel]?.state ?? 'absent'
          expect(times, `${student.id} ${channel} ${state}`).to.be.at.most(1)
          if (times === 0) expect(['cancelled', 'unknown', 'absent'], `${student.id} ${channel}`).to.include(state)
          else expect(['sent', 'delivered', 'read', 'unknown'], `${student.id} ${channel}`).to.include(state)
        }
        if (texts.length === 1 && timesIn(texts, first) + timesIn(texts, second) === 2) joined += 1
      }
      for (const key of keys) expect((await fleet.api.recount(key)).balanced, key).to.equal(true)
    }
    expect(joined).to.be.above(some.length)
  })
})
