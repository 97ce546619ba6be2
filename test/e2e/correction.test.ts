/** A message is given another text while it goes out to everyone, and couriers die meanwhile: who has which text, by the logs of the stand-ins. */
import type { CorrectionOutcome, HistoryView } from '@courier-fleet/api-types'
import { until } from '@courier-fleet/testkit'
import { expect } from 'chai'
import { type Fleet, startFleet } from './fleet.ts'
import { isGood, studentsOf } from './roster.ts'

const students = studentsOf('all-students')
const to = ['cohort:all-students']
const old = 'Экзамен в понедельник'
const corrected = 'Экзамен во вторник'

describe('a message that is corrected while it is sent', () => {
  let fleet: Fleet
  before(async () => {
    fleet = await startFleet({
      // nobody takes over from a slow one, whose older text would come last
      couriers: { telegram: 2, vk: 1, sms: 1 },
      env: { TELEGRAM_RATE_PER_SECOND: '60', SMS_PER_SECOND: '40', SMS_WINDOW: '20', LEASE_MS: '1500' },
    })
  })
  after(() => fleet.stop())

  /** By address: all that a phone was ever sent on this channel, oldest first. */
  async function textsOn(channel: 'telegram' | 'vk' | 'sms'): Promise<Map<string, string[]>> {
    const texts = new Map<string, string[]>()
    for (const { address, text } of (await fleet.sandbox.accepted(undefined, channel)).sort((a, b) => a.at - b.at))
      texts.set(address, [...(texts.get(address) ?? []), text])
    return texts
  }
  const accepted = async (channel: 'telegram' | 'vk' | 'sms') => (await fleet.sandbox.accepted(old, channel)).length

  let history: HistoryView

  it('settles, with couriers killed before and after the correction, and every count agrees', async () => {
    const key = await fleet.api.send({ to, text: old, channels: ['telegram', 'vk', 'sms'] })
    const haveBegun = async () =>
      (await accepted('telegram')) > 40 && (await accepted('vk')) > 0 && (await accepted('sms')) > 20
    await until(haveBegun, 'sending has begun')
    await fleet.kill('courier-sms-1')
    const { status, body } = await fleet.api.call<CorrectionOutcome>('POST', `/v1/histories/${key}/corrections`, {
      text: corrected,
    })
    expect([status, body.version]).to.deep.equal([202, 2])
    await fleet.kill('courier-telegram-1')
    await Promise.all(['courier-sms-1', 'courier-telegram-1'].map((name) => fleet.start(name)))
    history = (await fleet.api.track(key)).history
    expect((await fleet.api.recount(key)).balanced).to.equal(true)
    const counts = history.versions?.[1]?.corrected
    for (const channel of ['telegram', 'vk'])
      expect(counts?.[channel]).to.include({ followedUp: 0, pending: 0, unknown: 0, uncorrected: 0 })
    expect(counts?.telegram?.edited).to.be.above(40)
    expect(counts?.vk?.edited).to.be.above(0)
    expect(counts?.sms?.edited).to.equal(0)
    expect(counts?.sms?.followedUp).to.be.above(0)
  })

  for (const channel of ['telegram', 'vk'] as const) {
    it(`nobody has the old text alone on ${channel}, and nobody got two messages`, async () => {
      for (const [address, texts] of await textsOn(channel)) expect(texts, address).to.have.length(1)
      let edited = 0
      for (const { contacts } of students.filter((each) => isGood(each, channel))) {
        const { messages } = await fleet.sandbox.chat(channel, contacts[channel] as string)
        const own = messages.filter(({ from }) => from === 'client')
        expect(own.map(({ text }) => text.split('\n').at(-1))).to.deep.equal([corrected])
        if (own[0]?.editedAt !== undefined) edited += 1
      }
      // whoever had it only marked when a process died may have been sent the new text at once
      expect(edited).to.be.within(1, history.versions?.[1]?.corrected?.[channel]?.edited ?? 0)
    })
  }

  it('whoever was sent the old text by SMS was told once more, but for those who are listed; nobody else was', async () => {
    const ends = (text: string) => text.split('\n').at(-1) ?? ''
    let [told, alone] = [0, 0]
    for (const [address, texts] of await textsOn('sms')) {
      expect(texts.length, address).to.be.at.most(2)
      const [first = '', second] = texts
      if (second !== undefined) {
        expect([ends(first), ends(second)], address).to.deep.equal([old, corrected])
        expect(second).to.contain('Исправление к сообщению от ')
        told += 1
      } else if (ends(first) === old) alone += 1
    }
    const { followedUp = 0, unknown = 0, uncorrected = 0 } = history.versions?.[1]?.corrected?.sms ?? {}
    expect(alone).to.be.at.most(unknown + uncorrected)
    // whoever is told without knowing whether the first one came
    expect(told).to.be.at.most(followedUp + unknown)
    expect(followedUp).to.be.above(0)
  })
})
