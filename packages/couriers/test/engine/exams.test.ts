/** A courier of VK, its stand-in, and groups that sit exams. */
import type { FleetSettingsInput, HistoryRef } from '@courier-fleet/api-types'
import { vkApiUrl } from '@courier-fleet/channels/vk/descriptor'
import { silentLog, steadyClock } from '@courier-fleet/process'
import { World } from '@courier-fleet/sandbox'
import { startStandIn } from '@courier-fleet/sandbox/vk'
import { writeSettings } from '@courier-fleet/store'
import { noUploads, startMonitor, until } from '@courier-fleet/testkit'
import { expect } from 'chai'
import { createPacer } from '../../src/engine/pace/pacer.ts'
import { createCourier } from '../../src/vk/index.ts'
import { fakeCourier } from './fake-courier.ts'
import { createFixture, type Fixture } from './fixture.ts'

const hourMs = 3_600_000
/** as each test begins: the file may have been loaded long before */
let now: number
/** What the wall clock of a zone so far ahead of UTC shows, so many hours from now, to the minute. */
const wall = (hours: number, aheadHours = 3) => new Date(now + (hours + aheadHours) * hourMs).toISOString().slice(0, 16)
/** on the clock of Moscow */
const exam = (group: string, from: number, to: number) => ({ group, from: wall(from), to: wall(to) })
const endOf = (hours: number) => `${new Date(now + hours * hourMs).toISOString().slice(0, 16)}:00.000Z`

describe('engine: exams', () => {
  let fixture: Fixture
  let people: string[]
  const world = new World()
  let stopCourier = async () => {}
  let version: number
  beforeEach(async () => {
    now = Date.now()
    fixture = await createFixture()
    version = 0
    people = await fixture.people(6)
    for (const [group, members] of [
      ['ivt-101', people.slice(0, 2)],
      ['ivt-102', people.slice(1, 3)],
      ['ivt-103', people.slice(3, 4)],
    ] as const) {
      await fixture.directory.putGroup({ id: group, name: group, owners: [] })
      await fixture.directory.addMembers(group, members)
    }
  })
  afterEach(async () => {
    await fixture.stop()
    await stopCourier()
    stopCourier = async () => {}
    world.accepted.length = 0
  })

  const set = async (stored: FleetSettingsInput) => {
    await writeSettings(fixture.redis, { expected: version, by: 'operator-1', stored })
    version += 1
  }
  async function runVk(): Promise<void> {
    world.limits.vk.callsPerSecond = null
    const vk = await startStandIn({ world, log: silentLog })
    stopCourier = () => vk.stop()
    const env = { VK_TOKEN: vk.endpoint.token, VK_API_BASE_URL: vkApiUrl(vk.endpoint), VK_TARGET: 'sandbox' }
    const pacer = { take: async () => {} }
    await fixture.run(
      createCourier(env, { log: silentLog, clock: steadyClock, pacer, uploads: noUploads, onReport: async () => {} }),
    )
  }
  const took = () => world.accepted.map(({ address }) => Number(address) - 1001).sort()
  const waiting = async (ref: HistoryRef) =>
    ((await fixture.get(ref)).waiting ?? []).map(({ at, people: count, cause }) => `${cause} ${count} ${at}`).sort()
  /** said of the others, too: what is being written is no time for a recount */
  const haveIt = (ref: HistoryRef, count: number) =>
    until(async () => (await fixture.get(ref)).channels.vk?.sent === count, 'the others have it')
  const balanced = async (ref: HistoryRef) =>
    expect((await fixture.histories.recount(ref)).every((each) => each.balanced)).to.equal(true)

  it('hold the members until theirs ends, nobody else, and nobody of what is urgent', async () => {
    await set({ exams: [exam('ivt-101', -1, 1), exam('ivt-102', -1, 2), exam('ivt-103', 1, 2)] })
    await runVk()
    const ref = await fixture.put(people)
    await until(async () => (await waiting(ref)).length === 2, 'two waves wait')
    // 1 sits both
    expect(await waiting(ref)).to.deep.equal([`exam 1 ${endOf(1)}`, `exam 2 ${endOf(2)}`])
    await haveIt(ref, 3)
    expect(took()).to.deep.equal([3, 4, 5])
    await balanced(ref)
    await fixture.settled(await fixture.put(people, { class: 'urgent' }))
    expect(world.accepted).to.have.length(9)
  })

  it('that are called off hold nobody any more, and each has it once', async () => {
    await set({ exams: [exam('ivt-101', -1, 1)] })
    await runVk()
    const ref = await fixture.put(people)
    await until(async () => (await waiting(ref)).length === 1, 'two are held')
    await set({ exams: [] })
    await until(async () => {
      await fixture.histories.callForward(ref, 'exam')
      return world.accepted.length === 6
    }, 'they are decided anew')
    await fixture.settled(ref)
    expect(took()).to.deep.equal([0, 1, 2, 3, 4, 5])
    await balanced(ref)
  })

  it('of a message that expires in them are said to, and who is cancelled is', async () => {
    await set({ exams: [exam('ivt-101', -1, 2)] })
    await runVk()
    const late = await fixture.put(people, { expiresMs: Date.now() + hourMs })
    expect((await fixture.settled(late)).channels.vk).to.include({ sent: 4, expired: 2 })
    const [first] = await fixture.receipts(late)
    expect(first?.channels.vk?.reason).to.equal('exam')
    const ref = await fixture.put(people)
    await until(async () => (await waiting(ref)).length === 1, 'two are held')
    expect(await fixture.histories.cancelHeld(ref, 'exam', 'dean')).to.equal(2)
    expect((await fixture.settled(ref)).channels.vk).to.include({ sent: 4, cancelled: 2 })
    await balanced(ref)
  })

  it('that begin while it is being sent hold whoever is not marked by then', async () => {
    await set({ exams: [exam('ivt-101', 1, 3)] })
    let lateMs = 0
    let answer = () => {}
    const answered = new Promise<{ kind: 'sent'; providerId: string }>((resolve) => {
      answer = () => resolve({ kind: 'sent', providerId: '7' })
    })
    const courier = fakeCourier({ window: 1, foldsResends: false, answer: () => answered })
    await fixture.run(courier, { clock: { now: () => performance.now() + lateMs } })
    const ref = await fixture.put(people)
    await until(() => courier.handed.length === 1, 'the first is under way')
    lateMs = 2 * hourMs
    answer()
    await until(async () => (await waiting(ref)).length === 1, 'the second is held')
    expect((await fixture.receipts(ref)).map(({ channels: { vk } }) => vk?.state ?? 'pending')).to.deep.equal([
      'sent',
      'pending',
      'sent',
      'sent',
      'sent',
      'sent',
    ])
  })

  it('that begin while the provider has a pause hold their people, and the others of the batch have it', async () => {
    await set({ exams: [exam('ivt-101', 1, 3)] })
    let lateMs = 0
    const courier = fakeCourier()
    await fixture.run(courier, {
      clock: { now: () => performance.now() + lateMs },
      onPacer(pacer) {
        const ask = pacer.pausedForMs
        // between that a job has heard of the pause and that it waits for its end
        pacer.pausedForMs = async () => {
          const pausedMs = await ask.call(pacer)
          lateMs = 2 * hourMs
          return pausedMs
        }
      },
    })
    await createPacer({
      redis: fixture.redis,
      courier: () => courier,
      weights: () => ({ urgent: 4, normal: 2, bulk: 1 }),
    }).pause(1_500)
    const ref = await fixture.put(people)
    await until(async () => (await waiting(ref)).length === 1, 'two are held')
    await haveIt(ref, 4)
    await balanced(ref)
  })

  it('cost no command where none is set, and one a group where some are about now', async () => {
    const asked: string[] = []
    const monitor = await startMonitor(fixture.redis)
    monitor.on('monitor', (_time: string, args: string[]) => asked.push(args.slice(0, 2).join(' ').toLowerCase()))
    await fixture.run(fakeCourier())
    await fixture.settled(await fixture.put(people))
    await fixture.redis.echo('none')
    await until(() => asked.includes('echo none'), 'the monitor has heard all of it')
    expect(asked.filter((line) => /^(smismember members|hmget people):/.test(line))).to.deep.equal([])
    await set({ exams: [exam('ivt-101', -1, 1), exam('ivt-101', 2, 3), exam('ivt-102', 200, 201)] })
    await until(async () => {
      asked.length = 0
      const ref = await fixture.put(people)
      const isHeld = async () => (await waiting(ref)).length === 1
      await until(async () => (await isHeld()) || (await fixture.get(ref)).state === 'settled', 'it was decided')
      return isHeld()
    }, 'the couriers know of them')
    await fixture.redis.echo('some')
    await until(() => asked.includes('echo some'), 'the monitor has heard all of it')
    expect(asked.filter((line) => line.startsWith('smismember members:'))).to.deep.equal(['smismember members:ivt-101'])
    monitor.disconnect()
  })
})
