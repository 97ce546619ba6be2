import { until } from '@courier-fleet/testkit'
import { expect } from 'chai'
import { type Fleet, startFleet } from './fleet.ts'
import { startLoad } from './load.ts'
import { addressesIn, goodContacts, membersOf } from './roster.ts'

const group = 'ivt-102'
const expected = goodContacts(membersOf(group))

describe('a rolling restart of the whole fleet, under load', () => {
  let fleet: Fleet
  before(async () => {
    fleet = await startFleet({
      couriers: { telegram: 2, vk: 2, sms: 2 },
      // so slow that something is always on its way
      env: {
        TELEGRAM_RATE_PER_SECOND: '120',
        SMS_PER_SECOND: '120',
        VK_CALLS_PER_SECOND: '5',
        SMS_WINDOW: '10',
      },
    })
  })
  after(() => fleet.stop())

  it('every process stops well, and everything is sent exactly once, nothing unknown', async () => {
    const load = startLoad(fleet.api, group)
    await until(async () => (await fleet.sandbox.accepted()).length > 20, 'sending has begun')
    for (const name of fleet.names) {
      // whoever takes longer than it may is killed, and has no code
      expect(await fleet.kill(name, 'SIGTERM'), name).to.equal(0)
      await fleet.start(name)
    }
    const sent = await load.stop()
    expect(sent.length).to.be.above(20)

    await Promise.all(
      sent.map(async ({ key, text }) => {
        const { settled, history } = await fleet.api.track(key)
        expect(settled, text).to.equal(true)
        for (const ledger of Object.values(history.channels)) {
          expect(ledger, text).to.include({ pending: 0, unknown: 0 })
        }
      }),
    )
    const accepted = await fleet.sandbox.accepted()
    for (const { text } of sent) {
      expect(addressesIn(accepted.filter((row) => row.text === text)), text).to.deep.equal(expected)
    }
    expect(accepted).to.have.length(sent.length * expected.length)
    // eight processes, one after the other
  })
})
