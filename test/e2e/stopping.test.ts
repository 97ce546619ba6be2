import { type OwnRedis, ownRedis, until } from '@courier-fleet/testkit'
import { expect } from 'chai'
import { type Fleet, startFleet } from './fleet.ts'
import { createLines } from './lines.ts'
import { addressesIn, channels, goodContacts, studentsOf } from './roster.ts'

const expected = goodContacts(studentsOf('all-students'))
const notSms = (address: string) => !address.startsWith('sms ')
const to = ['cohort:all-students']
const couriers = channels.map((channel) => `courier-${channel}-1`)
/** a process with something in hand takes no less to give it up */
const giveUpMs = 7_000
const window = 10

describe('couriers told to stop while they send', () => {
  let redis: OwnRedis
  let fleet: Fleet
  const lines = createLines()
  /** of Telegram and SMS; asked at every start */
  let perSecond = '10'

  before(async () => {
    redis = await ownRedis()
    fleet = await startFleet({
      redis,
      env: { SMS_WINDOW: String(window), LEASE_MS: '1500' },
      settings: async (courier) => ({
        ...(await lines.lead(courier)),
        TELEGRAM_RATE_PER_SECOND: perSecond,
        SMS_PER_SECOND: perSecond,
      }),
    })
  })
  after(async () => {
    await fleet.stop()
    await lines.close()
    await redis.stop()
  })

  /** Tells all couriers at once. @returns how each ended, once all have */
  const stopAll = (names = couriers) =>
    Promise.all(names.map(async (name) => ({ name, code: await fleet.kill(name, 'SIGTERM') })))
  /** By itself and in time: a process that takes too long, by its own clock, ends with 1. */
  function expectStoppedWell(ends: Awaited<ReturnType<typeof stopAll>>) {
    for (const { name, code } of ends) expect(code, `${name}: exit code`).to.equal(0)
  }
  async function sending(text: string) {
    const key = await fleet.api.send({ to, text })
    await until(async () => {
      const rows = await fleet.sandbox.accepted(text)
      return channels.every((channel) => rows.some((row) => row.channel === channel))
    }, 'sending has begun')
    return key
  }
  async function ledgersOf(key: string) {
    const { settled, history } = await fleet.api.track(key, 60)
    expect(settled).to.equal(true)
    expect((await fleet.api.recount(key)).balanced).to.equal(true)
    return history.channels
  }

  it('finish what is on its way and hand back the rest: nothing twice, nothing unknown', async () => {
    const text = 'до свидания'
    const key = await sending(text)
    expectStoppedWell(await stopAll())
    expect((await fleet.sandbox.accepted(text)).length).to.be.below(expected.length)
    perSecond = '60'
    await fleet.start(...couriers)
    for (const ledger of Object.values(await ledgersOf(key))) expect(ledger).to.include({ pending: 0, unknown: 0 })
    expect(addressesIn(await fleet.sandbox.accepted(text))).to.deep.equal(expected)
  })

  it('whose Redis comes back in time record what they know before they end', async () => {
    const text = 'запишу и уйду'
    const key = await sending(text)
    await redis.kill()
    const ends = stopAll()
    await redis.restart()
    expectStoppedWell(await ends)
    await fleet.start(...couriers)
    for (const ledger of Object.values(await ledgersOf(key))) expect(ledger).to.include({ pending: 0, unknown: 0 })
    expect(addressesIn(await fleet.sandbox.accepted(text))).to.deep.equal(expected)
  })

  it('whose provider hangs give up in time; what only an SMS centre knows is recorded as unknown at once', async () => {
    const text = 'без ответа'
    for (const name of couriers) lines.hold(name)
    const key = await sending(text)
    expectStoppedWell(await stopAll())
    // nobody is left who could have said so
    const recorded = (await fleet.api.history(key)).channels.sms?.unknown ?? 0
    expect(recorded).to.be.within(1, window)
    await fleet.start(...couriers)
    const ledgers = await ledgersOf(key)
    expect(ledgers.telegram).to.include({ pending: 0, unknown: 0 })
    expect(ledgers.vk).to.include({ pending: 0, unknown: 0 })
    expect(ledgers.sms).to.include({ pending: 0, unknown: recorded })
    expect(addressesIn(await fleet.sandbox.accepted(text))).to.deep.equal(expected)
  })

  it('whose Redis stays away end in time nonetheless, and at once when told twice', async () => {
    const text = 'сам по себе'
    const key = await sending(text)
    await redis.kill()
    const [impatient, ...patient] = couriers as [string, ...string[]]
    const twice = fleet.kill(impatient, 'SIGTERM')
    const ends = stopAll([...patient, 'timekeeper'])
    const asked = performance.now()
    const again = setInterval(() => fleet.signal(impatient, 'SIGTERM'), 100)
    // the second signal ends it with 130; it may have had nothing in hand, and be faster
    const code = await twice.finally(() => clearInterval(again))
    expect(code).to.be.oneOf([0, 130])
    if (code === 0) expect(performance.now() - asked).to.be.below(giveUpMs)
    expectStoppedWell(await ends)
    await redis.restart()
    await fleet.start(...couriers, 'timekeeper')
    const ledgers = await ledgersOf(key)
    expect(ledgers.telegram).to.include({ pending: 0, unknown: 0 })
    expect(ledgers.vk).to.include({ pending: 0, unknown: 0 })
    // what it had sent and could tell nobody
    expect(ledgers.sms?.unknown).to.be.at.most(window)
    const addresses = addressesIn(await fleet.sandbox.accepted(text))
    expect(new Set(addresses).size).to.equal(addresses.length)
    expect(addresses.filter(notSms)).to.deep.equal(expected.filter(notSms))
  })
})
