import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { commandLineOf } from '../../src/command-line.ts'
import { createExpectations } from '../../src/expectations.ts'
import { freezeReader } from '../../src/faults/freeze-reader.ts'
import { type Fleet, startFleet } from '../../src/fleet.ts'
import { createOracle } from '../../src/oracle/index.ts'
import { seededRandom } from '../../src/random.ts'
import { importRoster, linkNextPhones, linkUrls } from '../../src/run.ts'
import { createShapedMessages } from '../../src/shaped-messages.ts'
import { createPeople, createTraffic } from '../../src/traffic/index.ts'
import { createShapedTraffic } from '../../src/traffic/shaped.ts'
import { createShapedPeople, urlsOf } from '../../src/traffic/shaped-people.ts'

/** of which the third sends to three hundred people on all channels, the fifth to everyone on VK */
const rounds = 5

describe('traffic and oracle beside a fleet in good health', function () {
  this.timeout(900_000)
  let fleet: Fleet
  let dir: string

  before(async () => {
    dir = mkdtempSync(join(tmpdir(), 'courier-fleet-oracle-'))
    fleet = await startFleet({
      dir,
      redisServer: process.env.REDIS_SERVER ?? 'redis-server',
      redis: 'one',
      couriers: { telegram: 1, vk: 1, sms: 1, http: 1 },
      leaseMs: 3000,
      smsWindow: 10,
    })
  })
  after(async () => {
    await fleet?.stop()
    rmSync(dir, { recursive: true, force: true })
  })

  it('finds nothing wrong, and counts everything', async () => {
    const { apiUrl, apiKey, sandbox } = fleet
    const people = createPeople({ everyone: 4_000, first: 300, callsUrl: fleet.callsUrl })
    const expectations = createExpectations(people)
    const shaped = createShapedMessages(createShapedPeople(fleet.callsUrl))
    const traffic = createTraffic({ apiUrl, apiKey, people, expectations })
    const { killInbound } = fleet
    const shapedTraffic = createShapedTraffic({
      apiUrl,
      apiKey,
      shaped,
      sandbox,
      killInbound,
      freezeReader: (reading, meanwhile) => freezeReader(fleet, reading, meanwhile),
    })
    const oracle = createOracle({
      apiUrl,
      apiKey,
      sandboxUrl: sandbox.url,
      expectations,
      shaped,
      failFast: false,
      askCommandLine: commandLineOf(fleet),
    })
    await sandbox.phones(traffic.phones)
    // some are there already where an import was answered "try again soon"
    const { created, updated, unchanged, rejected } = await importRoster(fleet, traffic)
    expect([Number(created) + Number(updated) + Number(unchanged), rejected]).to.deep.equal([4_000, 0])

    await importRoster(fleet, shapedTraffic)
    await shapedTraffic.prepare()
    await linkUrls(fleet, [...people.called, ...urlsOf(shaped.people)])
    await linkNextPhones(fleet, people.nextPhones)
    for (let index = 0; index < rounds; index += 1) {
      const random = seededRandom(`truthful ${index}`)
      // without steps, which would be waited for: those are judged in every run of the suite
      await Promise.all([traffic.round(index, random), shapedTraffic.round(index, random.fork('shaped'), true)])
      const settledMs = await oracle.untilSettled(Date.now(), 120_000)
      expect(settledMs, 'settled in time').to.be.a('number')
    }
    const verdict = await oracle.verdict()
    expect(verdict.violations).to.deep.equal([])
    expect(verdict).to.deep.include({
      messages: [...expectations.messages, ...shaped.messages].filter(({ standing }) => standing === 'accepted').length,
      lost: 0,
      toldFalsely: 0,
      duplicated: { telegram: 0, vk: 0, sms: 0, http: 0 },
      unknown: { telegram: 0, vk: 0, sms: 0, http: 0 },
      ledgerImbalances: 0,
    })
    expect(verdict.shaped).to.include({ messages: shaped.messages.length, personal: rounds })
    expect(verdict.shaped.corrections + verdict.shaped.recalls).to.be.at.least(2 * rounds)
    expect(verdict.shaped.joined).to.be.above(rounds)
    // two first phones refuse, whose next ones are in order; one that is known to refuse is passed over
    expect(verdict.nextPhones.reached).to.be.above(0)
    expect(verdict.nextPhones.wentOn).to.be.at.least(verdict.nextPhones.reached)
    expect(verdict.calls.changed).to.equal(0)
    expect(verdict.calls.came).to.be.above(60)
    expect(verdict.messages).to.be.above(rounds * 40)
    expect(verdict.recipients).to.be.above(4_000 + 3 * 300)
    expect(verdict.startLatenessMs?.p50).to.be.at.least(0)
    for (const { standing } of expectations.messages) expect(standing).to.be.oneOf(['accepted', 'refused'])
    const cancelled = expectations.messages.map(({ cancellation }) => cancellation)
    expect(cancelled).to.include.members(['cancelled'])
  })
})
