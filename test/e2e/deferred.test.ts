import { until } from '@courier-fleet/testkit'
import { expect } from 'chai'
import { ahead } from './api.ts'
import { type Fleet, startFleet } from './fleet.ts'
import { createLines } from './lines.ts'
import { addressesIn, channels, goodContacts, studentsOf } from './roster.ts'

const students = studentsOf('all-students')
const to = ['cohort:all-students']

async function expectEveryoneOnce(fleet: Fleet, text: string): Promise<void> {
  const rows = await fleet.sandbox.accepted(text)
  expect(rows.length).to.equal(new Set(addressesIn(rows)).size)
  expect(addressesIn(rows)).to.deep.equal(goodContacts(students))
}

describe('a message to all 306 students for later', () => {
  let fleet: Fleet
  const lines = createLines()
  const led = ['telegram', 'sms'].flatMap((channel) => [`courier-${channel}-1`, `courier-${channel}-2`])

  before(async () => {
    fleet = await startFleet({
      couriers: { telegram: 2, vk: 2, sms: 2 },
      // small batches, so that there is something to share
      env: { TELEGRAM_RATE_PER_SECOND: '90', SMS_WINDOW: '20' },
      settings: (courier) => (led.includes(courier.name) ? lines.lead(courier) : {}),
    })
  })
  after(async () => {
    await fleet.stop()
    await lines.close()
  })

  it('goes out at its moment, every contact once, both processes of a channel at work', async () => {
    const before = led.map(lines.sent)
    // nobody gets on with their share, so that there is one for each
    for (const name of led) lines.hold(name)
    const at = ahead(1500)
    const key = await fleet.api.send({ to, text: 'вовремя', at })
    // logging in, pings and receipts are not counted; a dozen messages are far more than a keep-alive
    const areAllAtWork = () => led.every((name, index) => lines.sent(name) - (before[index] as number) > 1000)
    await until(areAllAtWork, 'both processes of each channel are at work')
    await Promise.all(led.map(lines.release))
    const report = await fleet.api.track(key)
    expect(report.settled).to.equal(true)
    await expectEveryoneOnce(fleet, 'вовремя')
    const first = Math.min(...(await fleet.sandbox.accepted('вовремя')).map((row) => row.at))
    expect(first - Date.parse(at)).to.be.within(0, 30_000)
    expect(report.history.audience?.size).to.equal(306)
  })

  it('goes out though a whole channel was away at its moment', async () => {
    const away = ['courier-telegram-1', 'courier-telegram-2']
    await Promise.all(away.map((name) => fleet.kill(name)))
    const key = await fleet.api.send({ to, text: 'опоздавшие', at: ahead(300) })
    const silent = async () => (await fleet.api.track(key, 1)).silent.join()
    await until(async () => (await silent()) === 'telegram', 'it waits for nothing but Telegram')
    expect(await fleet.sandbox.accepted('опоздавшие', 'telegram')).to.deep.equal([])
    await fleet.start('courier-telegram-1')
    expect((await fleet.api.track(key)).settled).to.equal(true)
    await expectEveryoneOnce(fleet, 'опоздавшие')
    await fleet.start('courier-telegram-2')
  })

  it('keeps its ledger balanced through all of it', async () => {
    const { histories } = await fleet.api.get<{ histories: { key: string; channels: object }[] }>('/v1/histories')
    expect(histories).to.have.length(2)
    for (const { key, channels: ledger } of histories) {
      expect(Object.keys(ledger).sort()).to.deep.equal([...channels].sort())
      expect((await fleet.api.recount(key)).balanced).to.equal(true)
    }
  })
})
