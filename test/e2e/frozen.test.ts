import { until } from '@courier-fleet/testkit'
import { expect } from 'chai'
import { type Fleet, startFleet } from './fleet.ts'
import { createLines } from './lines.ts'
import { addressesIn, channels, goodContacts, studentsOf } from './roster.ts'

const expected = goodContacts(studentsOf('all-students'))
const to = ['cohort:all-students']
/** seven leases, and longer than a courier waits for an answer */
const frozenMs = 30_000
const window = 20
const unanswered = 5

describe('courier processes frozen for half a minute in the middle of a batch, one of each channel', () => {
  let fleet: Fleet
  const lines = createLines()
  const frozen = channels.map((channel) => `courier-${channel}-1`)
  const others = channels.map((channel) => `courier-${channel}-2`)

  before(async () => {
    fleet = await startFleet({
      couriers: { telegram: 2, vk: 2, sms: 2 },
      env: { TELEGRAM_RATE_PER_SECOND: '80', SMS_PER_SECOND: '80', SMS_WINDOW: String(window), LEASE_MS: '4000' },
      settings: (courier) => (frozen.includes(courier.name) ? lines.lead(courier) : {}),
    })
  })
  after(async () => {
    await fleet.stop()
    await lines.close()
  })

  it('record nothing stale, send nothing again, and go on working', async () => {
    const text = 'посреди сна'
    // the others come when these are frozen: so it is certain who was in the middle
    await Promise.all(others.map((name) => fleet.kill(name, 'SIGTERM')))
    for (const name of frozen) lines.hold(name)
    const key = await fleet.api.send({ to, text })
    await Promise.all(
      channels.map(async (channel) => {
        const accepted = async () => (await fleet.sandbox.accepted(text, channel)).length
        await until(async () => (await accepted()) >= unanswered, `${channel} messages lie unanswered`)
        fleet.signal(`courier-${channel}-1`, 'SIGSTOP')
      }),
    )
    const since = Date.now()
    await fleet.start(...others)
    expect((await fleet.api.track(key)).settled).to.equal(true)
    const rows = await fleet.api.receipts(key)
    const addresses = addressesIn(await fleet.sandbox.accepted(text))
    expect(new Set(addresses).size, 'each once').to.equal(addresses.length)
    const bySms = addresses.filter((address) => address.startsWith('sms '))
    expect(addresses.length - bySms.length).to.equal(expected.filter((each) => !each.startsWith('sms ')).length)
    const unknown = rows.filter((row) => row.channels.sms?.state === 'unknown')
    const reasons = unknown.map(({ person, channels: { sms } }) => `${person} ${sms?.reason} ${sms?.at}`)
    expect(unknown.length, reasons.join(', ')).to.be.within(1, window)

    await until(async () => Date.now() - since >= frozenMs, 'half a minute has passed')
    for (const code of await Promise.all(others.map((name) => fleet.kill(name, 'SIGTERM')))) expect(code).to.equal(0)
    for (const name of frozen) {
      fleet.signal(name, 'SIGCONT')
      await lines.release(name)
    }

    const next = 'после пробуждения'
    const { history } = await fleet.api.deliver({ to, text: next })
    for (const ledger of Object.values(history.channels)) expect(ledger).to.include({ pending: 0, unknown: 0 })
    expect(addressesIn(await fleet.sandbox.accepted(next))).to.deep.equal(expected)

    // what a woken process still sends by SMS is only what nobody else would have: the first time, not the second
    const after = addressesIn(await fleet.sandbox.accepted(text))
    expect(new Set(after).size, 'each once, after waking too').to.equal(after.length)
    for (const [index, row] of (await fleet.api.receipts(key)).entries()) {
      for (const channel of channels) {
        const then = rows[index]?.channels[channel]?.state
        const now = row.channels[channel]?.state
        // a word of the provider, a refusal too, makes it more certain, never less
        const may = { unknown: ['unknown', 'sent', 'delivered', 'failed'], sent: ['sent', 'delivered'] }[
          then as string
        ] ?? [then]
        expect(may, `${row.person} by ${channel}: ${then}`).to.include(now)
      }
    }
    expect((await fleet.api.recount(key)).balanced).to.equal(true)
  })
})
