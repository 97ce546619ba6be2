import { vkApiUrl } from '@courier-fleet/channels/vk/descriptor'
import { silentLog, systemClock } from '@courier-fleet/process'
import { World } from '@courier-fleet/sandbox'
import { startStandIn } from '@courier-fleet/sandbox/vk'
import { noUploads, until } from '@courier-fleet/testkit'
import { expect } from 'chai'
import { createCourier } from '../../src/vk/index.ts'
import { type Fixture, items, neverAborted, startFixture } from './fixture.ts'

/** What vk-io does by itself and must not do here; each of these fails when requests go through its own queue. */
describe('vk: what vk-io is kept from', () => {
  let fixture: Fixture
  beforeEach(async () => {
    fixture = await startFixture()
  })
  afterEach(() => fixture.stop())

  it('sending again by itself when there are too many calls', async () => {
    fixture.world.addFault({ channel: 'vk', kind: 'throttle' })
    const [outcome] = await fixture.courier.send(items(1, 'а'), neverAborted)
    expect(outcome?.kind).to.equal('throttled')
    expect(fixture.requests).to.have.length(1)
  })

  it('sending again by itself when no answer came', async () => {
    const hurried = await startFixture({}, { VK_DEADLINE_MS: '2000' })
    hurried.world.addFault({ channel: 'vk', kind: 'hang' })
    const outcome = await until(async () => {
      const [each] = await hurried.courier.send(items(1, 'а'), neverAborted)
      // who could not begin in a quarter of that time was not sent to at all
      return each?.kind !== 'throttled' && each
    }, 'it has begun to send')
    expect(outcome.kind).to.equal('unknown')
    expect(hurried.requests).to.have.length(1)
    await hurried.stop()
  })

  it("taking a gateway's error page for a crash: it may have been sent, and a resend is folded", async () => {
    fixture.world.addFault({ channel: 'vk', kind: 'reply-lost', code: '502', count: 1 })
    expect((await fixture.courier.send(items(3, 'а'), neverAborted)).map(({ kind }) => kind)).to.deep.equal(
      Array(3).fill('unknown'),
    )
    expect((await fixture.courier.send(items(3, 'а'), neverAborted)).map(({ kind }) => kind)).to.deep.equal(
      Array(3).fill('sent'),
    )
    expect(fixture.world.accepted).to.have.length(3)
  })

  it('pacing by the process: calls come from the pacer alone', async () => {
    const calls = 40
    const patient = await startFixture({}, { VK_DEADLINE_MS: '60000' })
    // as many different texts as one call carries
    const send = (call: number) =>
      patient.courier.send(
        items(25, (i) => `${call} ${i}`, BigInt(call) * 100n + 1n, 1),
        neverAborted,
      )
    await Promise.all(Array.from({ length: calls }, (_unused, call) => send(call)))
    expect(patient.calls()).to.equal(calls)
    expect(patient.requests).to.have.length(calls)
    // vk-io's queue spaces calls by 378 ms as it comes: then nearly all would be so far apart
    const close = patient.requests.filter(({ atMs }, i, all) => i > 0 && atMs - (all[i - 1]?.atMs ?? 0) < 378 / 2)
    expect(close.length).to.be.at.least(calls / 2)
    await patient.stop()
  })
})

describe('vk: where nobody listens', () => {
  it('says that it can be sent later, and recovers by itself', async () => {
    const world = new World()
    const first = await startStandIn({ world, log: silentLog })
    await first.stop()
    const courier = createCourier(
      { VK_TOKEN: first.endpoint.token, VK_API_BASE_URL: vkApiUrl(first.endpoint), VK_TARGET: 'sandbox' },
      {
        log: silentLog,
        clock: systemClock,
        pacer: { take: async () => {} },
        uploads: noUploads,
        onReport: async () => {},
      },
    )
    const abort = new AbortController()
    const givingUp = courier.start(abort.signal).catch(() => 'given up')
    await until(() => courier.readiness.notReady()?.why === 'VK cannot be reached (ECONNREFUSED)', 'it says why')
    const [refused] = await courier.send(items(1, 'а'), neverAborted)
    expect(refused).to.deep.equal({ kind: 'not-sent', why: 'VK cannot be reached (ECONNREFUSED)' })
    abort.abort()
    expect(await givingUp).to.equal('given up')

    const again = await startStandIn({ world, log: silentLog, ports: first.ports })
    await courier.start(neverAborted)
    const [sent] = await courier.send(items(1, 'а'), neverAborted)
    expect(sent?.kind).to.equal('sent')
    await courier.stop()
    await again.stop()
  })
})
