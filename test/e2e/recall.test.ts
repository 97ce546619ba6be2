/** A message is withdrawn while it goes out to everyone, and couriers die meanwhile: who still has it, by the phones of the stand-ins. */
import type { HistoryView, Withdrawal } from '@courier-fleet/api-types'
import { until } from '@courier-fleet/testkit'
import { expect } from 'chai'
import { type Fleet, startFleet } from './fleet.ts'
import { isGood, studentsOf } from './roster.ts'

const students = studentsOf('all-students')
const text = 'Экзамен отменён'

describe('a message that is withdrawn while it is sent', () => {
  let fleet: Fleet
  before(async () => {
    fleet = await startFleet({
      couriers: { telegram: 2, vk: 1, sms: 1 },
      env: { TELEGRAM_RATE_PER_SECOND: '60', SMS_PER_SECOND: '40', SMS_WINDOW: '20', LEASE_MS: '1500' },
    })
  })
  after(() => fleet.stop())

  const accepted = async (channel: 'telegram' | 'vk' | 'sms') => (await fleet.sandbox.accepted(text, channel)).length
  async function shownOn(channel: 'telegram' | 'vk' | 'sms'): Promise<number> {
    const addresses = students
      .filter((each) => isGood(each, channel))
      .map(({ contacts }) => contacts[channel] as string)
    const chats = await Promise.all(addresses.map((address) => fleet.sandbox.chat(channel, address)))
    return chats.flatMap(({ messages }) => messages).filter((each) => each.text.includes(text)).length
  }

  let history: HistoryView

  it('settles, with a courier killed after it, and every count agrees; twice is once', async () => {
    const key = await fleet.api.send({ to: ['cohort:all-students'], text, channels: ['telegram', 'vk', 'sms'] })
    const haveBegun = async () =>
      (await accepted('telegram')) > 40 && (await accepted('vk')) > 0 && (await accepted('sms')) > 20
    await until(haveBegun, 'sending has begun')
    for (const _ of [1, 2]) {
      const { status, body } = await fleet.api.call<Withdrawal>('DELETE', `/v1/histories/${key}?recall=true`)
      expect([status, body.outcome]).to.deep.equal([200, 'withdrawing'])
    }
    await fleet.kill('courier-telegram-1')
    await fleet.start('courier-telegram-1')
    history = (await fleet.api.track(key)).history
    expect((await fleet.api.recount(key)).balanced).to.equal(true)
    expect(history).to.include({ state: 'settled' })
  })

  it('nobody has it on Telegram or in VK but those who are counted', async () => {
    for (const channel of ['telegram', 'vk'] as const) {
      const counts = history.recalled?.channels[channel]
      expect(counts, channel).to.include({ replaced: 0, pending: 0 })
      expect(counts?.deleted, channel).to.be.above(0)
      expect(await shownOn(channel), channel).to.be.at.most(counts?.remaining ?? 0)
    }
    expect(history.recalled?.channels.vk?.remaining).to.equal(0)
  })

  it('whoever has it by SMS is counted, one by one', async () => {
    expect(history.recalled?.channels.sms).to.deep.include({ deleted: 0, replaced: 0, pending: 0 })
    expect(history.recalled?.channels.sms?.remaining).to.equal(await accepted('sms'))
    expect(await accepted('sms')).to.be.below(students.length)
  })
})
