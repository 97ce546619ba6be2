import type { ChannelName } from '@courier-fleet/channels'
import { createClient } from '@courier-fleet/client'
import { until } from '@courier-fleet/testkit'
import { expect } from 'chai'
import { type Fleet, startFleet } from './fleet.ts'
import { createLines } from './lines.ts'
import { addressesIn, goodContacts, isGood, studentsOf } from './roster.ts'

const students = studentsOf('all-students')
const to = ['cohort:all-students']
const window = 20
const leaseMs = 1500

describe('a courier killed with SIGKILL while it sends', () => {
  let fleet: Fleet
  const lines = createLines()

  before(async () => {
    fleet = await startFleet({
      couriers: { telegram: 2, vk: 2, sms: 2 },
      env: {
        TELEGRAM_RATE_PER_SECOND: '80',
        SMS_PER_SECOND: '30',
        SMS_WINDOW: String(window),
        LEASE_MS: String(leaseMs),
      },
      settings: (courier) => (courier.name.endsWith('-1') ? lines.lead(courier) : {}),
    })
  })
  after(async () => {
    await fleet.stop()
    await lines.close()
  })

  const accepted = async (channel: ChannelName, text: string) => (await fleet.sandbox.accepted(text, channel)).length
  /** The others of its channel come when this one is dead: so it is certain who sent what. */
  const alone = (channel: ChannelName) => fleet.kill(`courier-${channel}-2`, 'SIGTERM')
  /**
   * The provider's answers do not come; once it has accepted so many messages nonetheless, the process is killed.
   * @param answered how many of all that it has accepted it did answer
   */
  async function killUnanswered(
    channel: ChannelName,
    text: string,
    count: number,
    answered: () => Promise<number> = async () => 0,
  ): Promise<void> {
    const lie = async () => (await accepted(channel, text)) - (await answered())
    await until(async () => (await lie()) >= count, `${count} messages lie unanswered`)
    await fleet.kill(`courier-${channel}-1`)
    await fleet.start(`courier-${channel}-2`)
  }

  const client = () => createClient({ apiUrl: fleet.apiUrl, apiKey: fleet.apiKey })
  const takeOversOf = async (key: string) =>
    (await client().replay(key)).marks.filter(({ what }) => what === 'taken-over')
  /** Who looks at the message later sees that another process went on with what this one had left. */
  async function expectTakeOver(key: string, channel: ChannelName): Promise<void> {
    const { startedAt = '' } = await client().replay(key)
    const marks = await takeOversOf(key)
    expect(marks).not.to.deep.equal([])
    const { takenOver } = await client().service()
    for (const { channel: where, people = 0, at } of marks) {
      expect(where).to.equal(channel)
      expect(people).to.be.within(1, students.length)
      expect(at, 'not before its lease had run out').to.be.at.least(leaseMs)
      const same = { at: new Date(Date.parse(startedAt) + at).toISOString(), channel, people }
      expect(takenOver, 'operators see it, too').to.deep.include(same)
    }
  }

  for (const channel of ['telegram', 'vk'] as const) {
    it(`loses and doubles nothing on ${channel}, where the other process resends under the same keys`, async () => {
      const text = `один раз, ${channel}`
      await alone(channel)
      lines.hold(`courier-${channel}-1`)
      const key = await fleet.api.send({ to, text, channels: [channel] })
      await killUnanswered(channel, text, 10)
      const report = await fleet.api.track(key)
      expect(report.settled).to.equal(true)
      expect(addressesIn(await fleet.sandbox.accepted(text))).to.deep.equal(goodContacts(students, [channel]))
      for (const [index, { channels }] of (await fleet.api.receipts(key)).entries()) {
        const student = students[index] as (typeof students)[number]
        const wanted = isGood(student, channel) ? 'sent' : student.contacts[channel] ? 'failed' : 'no-contact'
        expect(channels[channel]?.state, student.id).to.equal(wanted)
      }
      expect((await fleet.api.recount(key)).balanced).to.equal(true)
      await expectTakeOver(key, channel)
      await fleet.start(`courier-${channel}-1`)
    })
  }

  it('doubles nothing by SMS: at most a window is unknown, each of them said so with the reason', async () => {
    const text = 'не больше одного раза'
    await alone('sms')
    const key = await fleet.api.send({ to, text, channels: ['sms'] })
    await until(async () => (await accepted('sms', text)) >= window, 'sending has begun')
    lines.hold('courier-sms-1')
    await killUnanswered('sms', text, 5, async () => {
      const { sent = 0, delivered = 0 } = (await fleet.api.history(key)).channels.sms ?? {}
      return sent + delivered
    })
    const report = await fleet.api.track(key)
    expect(report.settled).to.equal(true)

    const rows = await fleet.sandbox.accepted(text)
    const reached = new Set(rows.map(({ address }) => address))
    expect(rows.length).to.equal(reached.size)
    const unknown: string[] = []
    for (const [index, { channels }] of (await fleet.api.receipts(key)).entries()) {
      const student = students[index] as (typeof students)[number]
      const { state, reason } = channels.sms as NonNullable<typeof channels.sms>
      if (state === 'unknown') {
        unknown.push(student.id)
        expect(reason).to.equal('courier-ended')
      } else if (isGood(student, 'sms')) {
        expect(reached.has(student.contacts.sms as string), `${student.id} is said to be ${state}`).to.equal(true)
        expect(state, student.id).to.be.oneOf(['sent', 'delivered'])
      }
    }
    expect(unknown.length).to.be.within(1, window)
    expect(report.history.channels.sms?.unknown).to.equal(unknown.length)
    // nobody else is missing: whoever was not reached is one of those said to be unknown
    const missing = students.filter((each) => isGood(each, 'sms') && !reached.has(each.contacts.sms as string))
    expect(unknown).to.include.members(missing.map(({ id }) => id))
    expect((await fleet.api.recount(key)).balanced).to.equal(true)
    await expectTakeOver(key, 'sms')
    await fleet.start('courier-sms-1')
  })

  it('of a message that nobody was killed at says that of nobody', async () => {
    // else the other takes over from one that stands still for as long as a lease lasts
    await alone('vk')
    const key = await fleet.api.send({ to, text: 'никто не упал', channels: ['vk'] })
    await fleet.api.track(key)
    expect(await takeOversOf(key)).to.deep.equal([])
  })
})
