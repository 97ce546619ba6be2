/** A message that goes by some channels first, and by others to those only who are not reached by then, through the clients of the real services. */
import type { HistoryView } from '@courier-fleet/api-types'
import { until } from '@courier-fleet/testkit'
import { expect } from 'chai'
import { type Fleet, startFleet } from './fleet.ts'
import { type Inbound, startInbound } from './inbound.ts'
import { addressesIn, isGood, studentsOf } from './roster.ts'
import { telegramPhone } from './telegram-phone.ts'

const afterMs = 30_000
const numbers = [...Array(12).keys()]
const people = numbers.map((number) => ({
  id: `stepper-${number + 10}`,
  telegram: String(73_000_010 + number),
  sms: `+7900300${1010 + number}`,
}))

describe('a message in steps', () => {
  let fleet: Fleet
  let bot: Inbound
  before(async () => {
    fleet = await startFleet()
    bot = await startInbound(fleet, 'bot')
    for (const { id, telegram, sms } of people) {
      await fleet.api.call('PUT', `/v1/people/${id}`, { name: id, role: 'student', language: 'ru' })
      await fleet.api.call('PUT', `/v1/contacts/telegram/${id}`, { address: telegram })
      await fleet.api.call('PUT', `/v1/contacts/sms/${id}`, { address: sms })
    }
  })
  after(() => bot?.stop().finally(() => fleet.stop()))

  /** Below the text stands how it is confirmed. */
  const textsOf = async (text: string) =>
    (await fleet.sandbox.accepted(undefined, 'sms')).filter((row) => row.text.startsWith(text))
  const history = (key: string) => fleet.api.get<HistoryView>(`/v1/histories/${key}`)

  it('goes at once to whom the step before does not reach, each by the first channel that does, and settles then', async () => {
    const students = studentsOf('all-students')
    const report = await fleet.api.deliver({
      to: ['cohort:all-students'],
      text: 'по очереди',
      steps: [
        { channels: ['telegram'] },
        { channels: ['vk'], after: 'PT10M', unless: 'sent' },
        { channels: ['sms'], after: 'PT10M', unless: 'sent' },
      ],
    })
    const expected = students.flatMap((student) => {
      const channel = (['telegram', 'vk', 'sms'] as const).find((each) => isGood(student, each))
      return channel ? [`${channel} ${student.contacts[channel]}`] : []
    })
    expect(addressesIn(await fleet.sandbox.accepted('по очереди'))).to.deep.equal(expected.sort())
    const [telegram, vk, sms] = report.history.steps ?? []
    expect([telegram?.waiting, vk?.waiting, sms?.waiting]).to.deep.equal([0, 0, 0])
    const byTelegram = students.filter((student) => isGood(student, 'telegram')).length
    expect([telegram?.reached, vk?.spared]).to.deep.equal([byTelegram, byTelegram])
    expect((telegram?.sent ?? 0) + (vk?.sent ?? 0) + (sms?.sent ?? 0)).to.equal(expected.length)
    expect(sms?.cost, 'a part each').to.deep.equal({ parts: sms?.sent })
    expect([telegram?.cost, vk?.cost]).to.deep.equal([undefined, undefined])
    expect(report.sentence).to.include(`Spent on SMS: ${sms?.sent} SMS.`)
    expect((await fleet.api.recount(report.history.key)).balanced).to.equal(true)
  })

  it('waits for confirmations, and nobody who has given one is sent the next step', async () => {
    const to = people.map(({ id }) => `user:${id}`)
    const steps = [
      { channels: ['telegram'] },
      { channels: ['sms'], after: `PT${afterMs / 1000}S`, unless: 'confirmed' as const },
    ]
    const key = await fleet.api.send({ to, text: 'Экзамен завтра', confirm: true, steps })
    await until(async () => (await history(key)).steps?.[1]?.at !== undefined, 'they wait for the second step')
    const dueMs = Date.parse((await history(key)).steps?.[1]?.at as string)
    expect(await textsOf('Экзамен завтра')).to.deep.equal([])
    // four are known to have pressed before the step, others press from shortly before it to well after it, the last two never
    const press = ({ telegram }: (typeof people)[number]) => telegramPhone(fleet.sandbox, telegram).press('Прочитано')
    await Promise.all(people.slice(0, 4).map(press))
    await until(async () => (await history(key)).confirmed?.yes === 4, 'the first presses are noted')
    const pressing = people.slice(4, 10).map(async (person, index) => {
      const atMs = dueMs + (index - 2) * 400
      await until(() => Date.now() >= atMs, 'it is time to press')
      await press(person)
    })
    await Promise.all(pressing)
    const report = await fleet.api.track(key)
    expect(report.settled).to.equal(true)
    await until(async () => (await history(key)).confirmed?.yes === 10, 'every press is noted')
    const rows = await textsOf('Экзамен завтра')
    const sent = new Map(rows.map(({ address, at }) => [address, at]))
    expect(rows.length, 'nobody twice').to.equal(sent.size)
    const receipts = await fleet.api.receipts(key)
    for (const { id, sms } of people) {
      const receipt = receipts.find(({ person }) => person === id)
      const confirmed = receipt?.confirmed
      const wasSpared = receipt?.channels.sms?.reason === 'reached-elsewhere'
      expect(sent.has(sms), `${id}: sent it, or spared`).to.equal(!wasSpared)
      if (confirmed && Date.parse(confirmed.at) < dueMs)
        expect(wasSpared, `${id} confirmed before the step`).to.equal(true)
      if (!confirmed) expect(wasSpared, id).to.equal(false)
    }
    const [, second] = (await history(key)).steps ?? []
    expect(second).to.include({ sent: sent.size, spared: people.length - sent.size, waiting: 0 })
    expect(sent.size).to.be.within(2, 8)
    expect((await fleet.api.recount(key)).balanced).to.equal(true)
  })

  it('whose first channel is away waits for it, and goes on', async () => {
    await fleet.kill('courier-telegram-1')
    const [one] = people as [(typeof people)[number]]
    const steps = [{ channels: ['telegram'] }, { channels: ['sms'], after: 'PT30S', unless: 'sent' as const }]
    const key = await fleet.api.send({ to: [`user:${one.id}`], text: 'позже', steps })
    await until(
      async () => (await fleet.api.track(key, 1)).silent.join() === 'telegram,sms',
      'nobody has answered for Telegram',
    )
    expect((await history(key)).steps?.[1]).to.include({ waiting: 1, sent: 0 })
    await fleet.start('courier-telegram-1')
    const report = await fleet.api.track(key)
    expect(report.settled).to.equal(true)
    expect(report.history.steps?.[1]).to.include({ waiting: 0, sent: 0, spared: 1 })
    expect(await fleet.sandbox.accepted('позже', 'sms')).to.deep.equal([])
  })
})
