import type { ChannelName } from '@courier-fleet/channels'
import { until } from '@courier-fleet/testkit'
import { expect } from 'chai'
import { type Fleet, startFleet } from './fleet.ts'
import { createLines } from './lines.ts'
import { addressesIn, goodContacts, isGood, studentsOf } from './roster.ts'

const students = studentsOf('all-students')
const to = ['cohort:all-students']
const window = 20

describe('a courier killed with SIGKILL while it sends', () => {
  let fleet: Fleet
  const lines = createLines()

  before(async () => {
    fleet = await startFleet({
      couriers: { telegram: 2, vk: 2, sms: 2 },
      env: { TELEGRAM_RATE_PER_SECOND: '80', SMS_PER_SECOND: '80', SMS_WINDOW: String(window), LEASE_MS: '1500' },
      settings: (courier) => (courier.name.endsWith('-1') ? lines.lead(courier) : {}),
    })
  })
  after(async () => {
    await fleet.stop()
    await lines.close()
  })

  /** The provider's answers stop coming; once it has accepted `more` messages nonetheless, the process is killed. */
  async function killUnanswered(channel: ChannelName, text: string, more: number): Promise<void> {
    const name = `courier-${channel}-1`
    lines.hold(name)
    const before = (await fleet.sandbox.accepted(text, channel)).length
    await until(
      async () => (await fleet.sandbox.accepted(text, channel)).length >= before + more,
      `${more} messages lie unanswered`,
    )
    await fleet.kill(name)
  }

  for (const channel of ['telegram', 'vk'] as const) {
    it(`loses and doubles nothing on ${channel}, where the other process resends under the same keys`, async () => {
      const text = `один раз, ${channel}`
      const other = `courier-${channel}-2`
      // the other one comes when this one is dead: so it is certain who sent what
      await fleet.kill(other, 'SIGTERM')
      const key = await fleet.api.send({ to, text, channels: [channel] })
      await killUnanswered(channel, text, 10)
      await fleet.start(other)
      const report = await fleet.api.track(key, 15)
      expect(report.settled).to.equal(true)
      expect(addressesIn(await fleet.sandbox.accepted(text))).to.deep.equal(goodContacts(students, [channel]))
      for (const [index, { channels }] of (await fleet.api.receipts(key)).entries()) {
        const student = students[index] as (typeof students)[number]
        const wanted = isGood(student, channel) ? 'sent' : student.contacts[channel] ? 'failed' : 'no-contact'
        expect(channels[channel]?.state, student.id).to.equal(wanted)
      }
      expect((await fleet.api.recount(key)).balanced).to.equal(true)
      await fleet.start(`courier-${channel}-1`)
    })
  }

  it('doubles nothing by SMS: at most a window is unknown, each of them said so with the reason', async () => {
    const text = 'не больше одного раза'
    const key = await fleet.api.send({ to, text, channels: ['sms'] })
    await until(async () => (await fleet.sandbox.accepted(text)).length >= window, 'sending has begun')
    await killUnanswered('sms', text, 5)
    const report = await fleet.api.track(key, 20)
    expect(report.settled).to.equal(true)

    const rows = await fleet.sandbox.accepted(text)
    const accepted = new Set(rows.map(({ address }) => address))
    expect(rows.length).to.equal(accepted.size)
    const unknown: string[] = []
    for (const [index, { channels }] of (await fleet.api.receipts(key)).entries()) {
      const student = students[index] as (typeof students)[number]
      const { state, reason } = channels.sms as NonNullable<typeof channels.sms>
      if (state === 'unknown') {
        unknown.push(student.id)
        expect(reason).to.equal('courier-ended')
      } else if (isGood(student, 'sms')) {
        expect(accepted.has(student.contacts.sms as string), `${student.id} is said to be ${state}`).to.equal(true)
        expect(state, student.id).to.be.oneOf(['sent', 'delivered'])
      }
    }
    expect(unknown.length).to.be.within(1, window)
    expect(report.history.channels.sms?.unknown).to.equal(unknown.length)
    // nobody else is missing: whoever was not reached is one of those said to be unknown
    const missing = students.filter((each) => isGood(each, 'sms') && !accepted.has(each.contacts.sms as string))
    expect(unknown).to.include.members(missing.map(({ id }) => id))
    expect((await fleet.api.recount(key)).balanced).to.equal(true)
    await fleet.start('courier-sms-1')
  })
})
