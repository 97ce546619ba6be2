/** Two SMS centres behind the channel: over real sockets, through the whole engine, on a real Redis. What each centre took is in its own log. */
import type { EndpointOf } from '@courier-fleet/channels'
import { silentLog, systemClock } from '@courier-fleet/process'
import { type Fault, noLimits, type StandIn, World } from '@courier-fleet/sandbox'
import { startStandIn } from '@courier-fleet/sandbox/sms'
import { keys } from '@courier-fleet/store'
import { noUploads, until } from '@courier-fleet/testkit'
import { expect } from 'chai'
import type { Courier, DeliveryReport, Pacer } from '../../src/courier.ts'
import { createDeliveryReports } from '../../src/engine/delivery-reports.ts'
import { smsConfig } from '../../src/sms/config.ts'
import { buildSmsCourier } from '../../src/sms/courier.ts'
import type { SmsTiming } from '../../src/sms/timing.ts'
import { createFixture, type Fixture } from '../engine/fixture.ts'
import { environment, password, quickTiming, type TransportName } from './fixture.ts'

const window = 20
const timing: SmsTiming = {
  ...quickTiming,
  // nobody exceeds it, but who is silent and has less: with hundreds under way on a busy machine an answer takes a second
  deadlineMs: 60_000,
  failAfterMs: 300,
  restMs: 200,
  maxRestMs: 400,
  awayMs: 300,
}
/** of the addresses that the fixture gives */
const oddNumbers = '+79000001001,+79000001003,+79000001005'

for (const kind of ['SMPP', 'HTTP'] as const satisfies readonly TransportName[])
  describe(`two SMS centres by ${kind}`, () => {
    let fixture: Fixture
    let world: World
    let smsc: StandIn<EndpointOf<'sms'>>
    let env: Record<string, string>
    let reports: DeliveryReport[]
    let number = 0

    beforeEach(async () => {
      fixture = await createFixture()
      world = new World()
      world.limits = noLimits()
      // both give the same ids
      smsc = await startStandIn({ world, password, retryMs: 30, firstId: 0xc0_0000_0000, log: silentLog })
      env = { ...(await environment(kind, smsc.endpoint)), SMS_WINDOW: String(window), ...(await secondEnvironment()) }
      reports = []
    })
    afterEach(async () => {
      await fixture.stop()
      await smsc.stop()
    })

    async function secondEnvironment(): Promise<Record<string, string>> {
      const second = { ...smsc.endpoint, ...smsc.endpoint.second }
      const own = Object.entries(await environment(kind, second)).filter(([name]) => /URL|PORT/.test(name))
      const named = own.map(([name, value]) => [name.replace('SMS_', 'SMS_SECOND_'), value])
      return { ...Object.fromEntries(named), SMS_SECOND_PER_SECOND: 'off' }
    }

    /** A process of the channel. */
    async function run(settings: Record<string, string> = {}, own: Partial<SmsTiming> = {}) {
      const received = createDeliveryReports({ redis: fixture.redis, channel: 'sms' })
      let pacer: Pacer | undefined
      const deps = {
        log: silentLog,
        clock: systemClock,
        pacer: { take: async (...asked: Parameters<Pacer['take']>) => await pacer?.take(...asked) },
        uploads: noUploads,
        async onReport(report: DeliveryReport) {
          reports.push(report)
          await received.receive(report)
        },
      }
      const courier = buildSmsCourier(smsConfig({ ...env, ...settings }), deps, { ...timing, ...own })
      number += 1
      const runner = await fixture.run(courier, {
        consumer: `sms-${number}`,
        leaseMs: 1500,
        onPacer: (made) => {
          pacer = made
        },
      })
      await until(() => courier.accounts?.every(({ state }) => state().is === 'works'), 'both are connected')
      return { courier, runner }
    }

    const put = async (people: number, text: string) =>
      fixture.put(await fixture.people(people, 'sms'), { text, channels: ['sms'] })
    const fault = (centre: Fault['centre'], more: Pick<Fault, 'kind'> & Partial<Fault>) =>
      world.addFault({ channel: 'sms', ...(centre ? { centre } : {}), ...more })
    const takenBy = (centre: 'first' | 'second') =>
      world.accepted.filter((row) => (row.centre ?? 'first') === centre).map(({ address }) => address)
    const stateOf = (courier: Courier, name: string) => courier.accounts?.find((each) => each.name === name)?.state().is
    /** By the logs of both. */
    function expectNobodyTwice(text: string): void {
      const all = world.accepted.filter((row) => row.text === text).map(({ address }) => address)
      expect(new Set(all).size, 'nobody has it twice').to.equal(all.length)
    }

    it('each number by its own, and reports with the same ids each to whom it is for', async () => {
      await run({ SMS_SECOND_PREFIXES: oddNumbers })
      fault('second', { kind: 'reports', mode: 'failed' })
      const ref = await put(6, 'каждому своё')
      await fixture.settled(ref)
      await until(() => reports.length === 6, 'all reports came')
      expect(takenBy('second')).to.have.members(oddNumbers.split(','))
      expect(takenBy('first')).to.have.length(3)
      const ids = world.accepted.map(({ providerId }) => providerId)
      if (kind === 'SMPP') expect(new Set(ids).size, 'each id was given twice').to.equal(3)
      const states = async () => (await fixture.receipts(ref)).map(({ channels }) => channels.sms?.state)
      await until(async () => !(await states()).includes('sent'), 'all are told')
      expect(await states()).to.deep.equal(['failed', 'delivered', 'failed', 'delivered', 'failed', 'delivered'])
    })

    it('all by the other while the first is down, and by the first when it is back', async () => {
      const { courier } = await run()
      fault('first', { kind: 'down' })
      // by HTTP that is noticed by the first who is to go by it
      if (kind === 'SMPP') await until(() => stateOf(courier, 'first') === 'not-connected', 'it is seen')
      await fixture.settled(await put(200, 'через второй'))
      expect([takenBy('first').length, takenBy('second').length]).to.deep.equal([0, 200])
      world.clearFaults('sms')
      await until(() => stateOf(courier, 'first') === 'works', 'it is back')
      await fixture.settled(await put(20, 'снова через первый'))
      expect(takenBy('first')).to.have.length(20)
      const { unknown = 0 } = (await fixture.get(await put(1, 'ещё'))).channels.sms ?? {}
      expect(unknown).to.equal(0)
    })

    it('the rest by the other where the first falls silent in the middle of 500; who is in doubt is unknown', async () => {
      const { courier } = await run({}, { deadlineMs: 5000 })
      world.on('accepted', () => {
        if (world.accepted.length === 150) fault('first', { kind: 'hang' })
      })
      const ref = await put(500, 'посередине')
      const { channels } = await fixture.settled(ref)
      expectNobodyTwice('посередине')
      const { unknown = 0 } = channels.sms ?? {}
      expect(unknown, 'some are in doubt, and no more than a window and those who tried it again').to.be.within(
        1,
        window + 10,
      )
      expect(takenBy('first').length + takenBy('second').length + unknown).to.equal(500)
      expect(takenBy('second').length).to.be.at.least(250)
      const reached = new Set(world.accepted.map(({ address }) => address))
      for (const [index, receipt] of (await fixture.receipts(ref)).entries())
        expect(receipt.channels.sms?.state === 'unknown', `p${index}`).to.equal(!reached.has(`+7900000${1001 + index}`))
      expect(stateOf(courier, 'first')).to.equal('left-alone')
      world.clearFaults('sms')
      const before = takenBy('first').length
      await until(async () => {
        await fixture.settled(await put(1, 'попробовать'))
        return takenBy('first').length > before
      }, 'it is tried again')
      expect(stateOf(courier, 'first')).to.equal('works')
      expect(courier.accounts?.[0]?.lastLeftAlone()?.why).to.be.a('string')
    })

    // how the line is made does not matter to these
    if (kind === 'HTTP') return

    it('waits while the first asks for a moment, and goes by the other when it asks for long', async () => {
      const patient = await run({}, { failAfterMs: 600_000 })
      fault('first', { kind: 'throttle', count: 1 })
      await fixture.settled(await put(1, 'на миг'))
      expect([takenBy('first').length, takenBy('second').length]).to.deep.equal([1, 0])
      await patient.runner.stop(60_000)
      await run({}, { failAfterMs: 1500 })
      fault('first', { kind: 'throttle' })
      const ref = await put(60, 'надолго')
      const { channels } = await fixture.settled(ref)
      expectNobodyTwice('надолго')
      expect(channels.sms?.unknown ?? 0).to.equal(0)
      expect(takenBy('second')).to.have.length(60)
      const paused = (account = '') => fixture.redis.exists(keys.pause('sms', account))
      const accounts = smsConfig(env).centres.map((each) => each?.account)
      expect(await paused(accounts[1]), 'the other was not asked to wait').to.equal(0)
    })

    it('nobody of another country by a centre that may not take over there', async () => {
      const { courier } = await run({ SMS_SECOND_PREFIXES: oddNumbers, SMS_TAKE_OVER: '+375' })
      fault('second', { kind: 'down' })
      await until(() => stateOf(courier, 'second') === 'not-connected', 'it is seen')
      const ref = await put(6, 'не подменять')
      await until(() => takenBy('first').length === 3, 'those of the first have it')
      expect(world.accepted).to.have.length(3)
      world.clearFaults('sms')
      await until(() => stateOf(courier, 'second') === 'works', 'it is back')
      await fixture.settled(ref)
      expect(takenBy('second')).to.have.members(oddNumbers.split(','))
      expect(takenBy('first')).to.have.length(3)
    })
  })
