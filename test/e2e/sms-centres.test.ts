import { createClient } from '@courier-fleet/client'
import { until } from '@courier-fleet/testkit'
import { expect } from 'chai'
import { type Fleet, startFleet } from './fleet.ts'
import { isGood, studentsOf } from './roster.ts'

const window = 20
const students = studentsOf('all-students')
const reachable = students.filter((each) => isGood(each, 'sms')).map(({ contacts }) => contacts.sms as string)
/** of about a tenth of them */
const prefix = (reachable[0] as string).slice(0, -1)

describe('two SMS centres of a fleet', () => {
  let fleet: Fleet

  before(async () => {
    fleet = await startFleet({
      couriers: { telegram: 0, vk: 0, sms: 2 },
      env: { SMS_PER_SECOND: '15', SMS_SECOND_PER_SECOND: '15', SMS_WINDOW: String(window), LEASE_MS: '1500' },
      settings: ({ endpoints: { sms } }) => ({
        SMS_SECOND_SMPP_URL: `smpp://${sms.systemId}:${sms.password}@${sms.host}:${sms.second.port}`,
        SMS_SECOND_PREFIXES: prefix,
      }),
    })
  })
  after(() => fleet.stop())

  const client = () => createClient({ apiUrl: fleet.apiUrl, apiKey: fleet.apiKey })
  const accounts = async () => {
    const { channels } = await client().channels()
    // of the one that was killed, its last words are still there
    const couriers = channels.find(({ channel }) => channel === 'sms')?.couriers ?? []
    return couriers.find(({ name }) => name === 'courier-sms-2')?.accounts ?? []
  }
  const isOfSecond = (address: string) => address.startsWith(prefix)

  it('a process killed while it sends and the first centre goes down: at most a window unknown, nobody by both', async () => {
    const text = 'оба центра'
    await fleet.kill('courier-sms-2', 'SIGTERM')
    const key = await fleet.api.send({ to: ['cohort:all-students'], text, channels: ['sms'] })
    await until(async () => (await fleet.sandbox.accepted(text)).length >= 2 * window, 'sending has begun')
    const before = await fleet.sandbox.accepted(text)
    for (const { address, centre } of before) expect(centre === 'second', address).to.equal(isOfSecond(address))
    await fleet.sandbox.fault({ channel: 'sms', kind: 'hang', count: 10 })
    await until(async () => (await fleet.sandbox.faults()).length === 0, 'ten lie unanswered')
    await fleet.kill('courier-sms-1')
    await fleet.sandbox.fault({ channel: 'sms', centre: 'first', kind: 'down' })
    await fleet.start('courier-sms-2')
    const report = await fleet.api.track(key)
    expect(report.settled).to.equal(true)

    const rows = await fleet.sandbox.accepted(text)
    const reached = new Set(rows.map(({ address }) => address))
    expect(rows.length, 'by the logs of both').to.equal(reached.size)
    expect(rows.filter(({ centre, address }) => centre === 'second' && !isOfSecond(address))).not.to.deep.equal([])
    const unknown = (await fleet.api.receipts(key)).flatMap(({ channels }, index) =>
      channels.sms?.state === 'unknown' ? [students[index]?.contacts.sms] : [],
    )
    expect(unknown.length).to.be.within(10, window)
    const missing = reachable.filter((address) => !reached.has(address))
    expect(unknown, 'whoever has nothing is said to be in doubt').to.include.members(missing)
    expect((await fleet.api.recount(key)).balanced).to.equal(true)
  })

  it('operators see which works and who was taken over, and that the first is back', async () => {
    const [first, second] = await until(async () => {
      const found = await accounts()
      return found[0]?.trouble && found[1]?.state === 'works' && found
    }, 'the courier has told of both')
    expect(first).to.deep.include({ name: 'first', prefixes: [], perSecond: 15, state: 'not-connected' })
    expect(first?.trouble?.why).to.be.a('string')
    expect(second).to.deep.equal({ name: 'second', prefixes: [prefix], perSecond: 15, state: 'works' })
    const taken = /^fleet_account_people_total\{channel="sms",account="second",how="taken-over"\} (\d+)$/m
    const metrics = async () => (await fetch(`${fleet.apiUrl}/metrics`)).text()
    await until(async () => Number(taken.exec(await metrics())?.[1] ?? 0) > 0, 'it is counted')
    await fleet.sandbox.clearFaults()
    await until(async () => (await accounts())[0]?.state === 'works', 'the first is back')
    const text = 'снова первый'
    await fleet.api.deliver({ to: ['group:ivt-101'], text, channels: ['sms'] })
    for (const { address, centre } of await fleet.sandbox.accepted(text))
      expect(centre === 'second', address).to.equal(isOfSecond(address))
  })
})
