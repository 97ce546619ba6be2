import type { FleetSettingsInput, HistoryRef, OwnQuietHours } from '@courier-fleet/api-types'
import { bucketOf, keys, type Snapshot, writeSettings } from '@courier-fleet/store'
import { redisGate, startMonitor, until } from '@courier-fleet/testkit'
import { expect } from 'chai'
import type { Outcome } from '../../src/courier.ts'
import { type FakeCourier, fakeCourier } from './fake-courier.ts'
import { createFixture, type Fixture } from './fixture.ts'

const minuteMs = 60_000
const hourMs = 3_600_000
const moscow = 'Europe/Moscow'

/** What the clock on a wall of this zone shows. */
const clockIn = (atMs: number, timeZone = moscow) =>
  new Date(atMs).toLocaleTimeString('en-GB', { timeZone, hour: '2-digit', minute: '2-digit' })

/** as each test begins: the file may have been loaded long before */
let now: number

/** Hours around this moment, by the clock of Moscow: quiet since so many hours, and for so many more. */
const hoursAround = (before: number, after: number) => ({
  from: clockIn(now - before * hourMs),
  to: clockIn(now + after * hourMs),
})

describe('engine: quiet hours', () => {
  let fixture: Fixture
  let version: number
  let closeGate = async () => {}
  beforeEach(async () => {
    now = Date.now()
    fixture = await createFixture()
    version = 0
  })
  afterEach(async () => {
    await fixture.stop()
    await closeGate()
    closeGate = async () => {}
  })

  const set = async (stored: FleetSettingsInput) => {
    await writeSettings(fixture.redis, {
      expected: version,
      by: 'operator-1',
      stored: { quietJitterSeconds: 0, ...stored },
    })
    version += 1
  }
  const moveTo = async (person: string, timeZone: string) =>
    fixture.directory.putPerson({ id: person, name: person, role: 'student', timeZone, language: 'ru' })
  const wish = (person: string, quiet: OwnQuietHours) =>
    fixture.directory.changeWishes(person, () => ({ off: [], quiet }))
  const waiting = async (ref: HistoryRef) => (await fixture.get(ref)).waiting ?? []
  const waitingPeople = async (ref: HistoryRef) => (await waiting(ref)).reduce((sum, { people }) => sum + people, 0)
  const held = (ref: HistoryRef, people: number) =>
    until(async () => (await waitingPeople(ref)) === people, `${people} are held`)
  const addresses = ({ handed }: FakeCourier) =>
    handed.map(({ address }) => Number(address) - 1001).sort((a, b) => a - b)
  const fates = async (ref: HistoryRef) =>
    (await fixture.receipts(ref)).map(({ channels: { vk } }) => vk?.reason ?? vk?.state ?? 'pending')
  const waits = async (ref: HistoryRef) => (await fixture.receipts(ref)).map(({ channels: { vk } }) => vk?.waiting)
  const balanced = async (ref: HistoryRef) =>
    expect((await fixture.histories.recount(ref)).every((each) => each.balanced)).to.equal(true)

  it('hold those in whose zone it is night until their morning, and nobody else', async () => {
    await set({ quiet: hoursAround(1, 2) })
    const courier = fakeCourier()
    await fixture.run(courier)
    const people = await fixture.people(6)
    // nine hours ahead of Moscow, and two behind
    await moveTo(people[1] as string, 'Asia/Kamchatka')
    await moveTo(people[4] as string, 'Atlantic/Azores')
    const ref = await fixture.put(people)
    await held(ref, 4)
    await until(() => courier.handed.length === 2, 'the others have it')
    expect(addresses(courier)).to.deep.equal([1, 4])
    const waves = await waiting(ref)
    const opensAt = Math.floor((now + 2 * hourMs) / minuteMs) * minuteMs
    for (const { at, cause } of waves) expect([at, cause]).to.deep.equal([new Date(opensAt).toISOString(), 'quiet'])
    expect((await fixture.get(ref)).state).to.equal('running')
    const wait = { at: new Date(opensAt).toISOString(), cause: 'quiet' }
    expect(await waits(ref)).to.deep.equal([wait, undefined, wait, wait, undefined, wait])
    await balanced(ref)
  })

  it('are said of each who waits for them, on every page of the receipts, and of nobody once they are sent to', async () => {
    await set({ quiet: hoursAround(1, 2) })
    const courier = fakeCourier()
    await fixture.run(courier)
    const people = await fixture.people(9)
    for (const [index, person] of people.entries()) if (index % 3 === 1) await wish(person, hoursAround(1, 3))
    const ref = await fixture.put(people)
    await held(ref, 9)
    const hours = [2, 3, 2, 2, 3, 2, 2, 3, 2].map((each) => {
      return new Date(Math.floor((now + each * hourMs) / minuteMs) * minuteMs).toISOString()
    })
    expect((await waits(ref)).map((each) => each?.at)).to.deep.equal(hours)
    const snapshot = async () => (await fixture.histories.snapshot(ref)) as Snapshot
    for (const [from, limit] of [
      [0, 2],
      [2, 3],
      [7, 9],
    ] as const) {
      for (const filter of [{}, { state: 'pending' as const }]) {
        const { rows } = await fixture.histories.receipts(await snapshot(), { from, limit, ...filter })
        expect(rows.map(({ channels: { vk } }) => vk?.waiting?.at)).to.deep.equal(hours.slice(from, from + limit))
      }
    }
    await fixture.histories.callForward(ref, 'quiet', 'dean')
    await until(() => courier.handed.length === 6, 'all are sent to but those whose own hours hold')
    await held(ref, 3)
    const own = hours.map((each, index) => (index % 3 === 1 ? each : undefined))
    expect((await waits(ref)).map((each) => each?.at)).to.deep.equal(own)
  })

  it('that hold nobody cost the receipts no command', async () => {
    await set({ quiet: hoursAround(1, 2) })
    await fixture.run(fakeCourier())
    const ref = await fixture.put(await fixture.people(3), { class: 'urgent' })
    await fixture.settled(ref)
    const watcher = await startMonitor(fixture.redis)
    const asked: string[] = []
    watcher.on('monitor', (_time: string, args: string[]) => asked.push(args.join(' ')))
    await waits(ref)
    await until(() => asked.some((each) => each.includes('receipts:')), 'the receipts are read')
    watcher.disconnect()
    expect(asked.filter((each) => /pieces:|presence:/.test(each))).to.deep.equal([])
  })

  it('end when the wave is due, and each of them has it once', async () => {
    await set({ quiet: hoursAround(1, 2) })
    const courier = fakeCourier()
    await fixture.run(courier)
    const ref = await fixture.put(await fixture.people(30))
    await held(ref, 30)
    await set({ quiet: hoursAround(3, -1) })
    await until(async () => {
      // the couriers use the new version by then, or hold them again
      await fixture.histories.callForward(ref, 'quiet')
      return courier.handed.length === 30
    }, 'they are decided anew')
    await fixture.settled(ref)
    expect(addresses(courier)).to.deep.equal([...Array(30).keys()])
    await balanced(ref)
  })

  it('of a message that expires in them are said to have expired now, and not then', async () => {
    await set({ quiet: hoursAround(1, 2) })
    const courier = fakeCourier()
    await fixture.run(courier)
    const ref = await fixture.put(await fixture.people(3), { expiresMs: Date.now() + hourMs })
    const history = await fixture.settled(ref)
    expect(await fates(ref)).to.deep.equal(['quiet', 'quiet', 'quiet'])
    expect(history.channels.vk).to.include({ expired: 3 })
    expect(courier.handed).to.deep.equal([])
    await balanced(ref)
  })

  it('hold nobody of an urgent message, nor of a type that ignores them; a person’s own hold but for the urgent', async () => {
    const type = { id: 'alarms', number: 9, name: { ru: 'т', en: 't' }, level: 5, quiet: 'ignore' as const }
    await set({ quiet: hoursAround(1, 2), types: [{ ...type, optOut: 'allowed', caps: [], senders: [] }] })
    const courier = fakeCourier()
    await fixture.run(courier)
    const people = await fixture.people(3)
    await wish(people[0] as string, hoursAround(2, 3))
    await wish(people[1] as string, 'never')
    const urgent = await fixture.put(people, { class: 'urgent' })
    await fixture.settled(urgent)
    for (const rules of [{ type: 'alarms' }, { quiet: 'ignore' as const }]) {
      const ref = await fixture.put(people, { rules })
      await held(ref, 1)
      await until(async () => (await fates(ref)).join() === 'pending,sent,sent', 'all but the one')
    }
    const heeding = await fixture.put(people, { rules: { type: 'alarms', quiet: 'respect' } })
    await held(heeding, 2)
    await until(async () => (await fates(heeding)).join() === 'pending,sent,pending', 'who wants no quiet hours')
    const waves = await waiting(heeding)
    expect(waves.map(({ at }) => new Date(at).getUTCHours())).to.deep.equal(
      [2, 3].map((hours) => new Date(now + hours * hourMs).getUTCHours()),
    )
  })

  /** A job that runs into the night: its clock measures how long it has been running. */
  function lateClock() {
    let lateMs = 0
    return {
      now: () => performance.now() + lateMs,
      twoHoursLater() {
        lateMs += 2 * hourMs
      },
    }
  }

  for (const [kind, settings] of [
    ['each as there is a slot', { window: 2, foldsResends: false }],
    ['a few at a time', { batchSize: 2, concurrency: 1 }],
  ] as const)
    it(`that begin while it is being sent, ${kind}, hold the rest, and who is marked by then goes out`, async () => {
      await set({ quiet: hoursAround(-1, 6) })
      const clock = lateClock()
      let answer = (_outcome: Outcome) => {}
      const answered = new Promise<Outcome>((resolve) => {
        answer = resolve
      })
      const courier = fakeCourier({ ...settings, answer: () => answered })
      await fixture.run(courier, { clock })
      const ref = await fixture.put(await fixture.people(6))
      await until(() => courier.handed.length === 2, 'the first two are under way')
      if (settings.window) clock.twoHoursLater()
      else await set({ quiet: hoursAround(1, 6) })
      await fixture.settingsAreKnown()
      answer({ kind: 'sent', providerId: '7' })
      await held(ref, 4)
      expect((await fates(ref)).join()).to.equal('sent,sent,pending,pending,pending,pending')
      expect(courier.handed).to.have.length(2)
      await balanced(ref)
    })

  /** … and one for which Redis takes two hours to say what time it is. */
  async function slowAnswer() {
    const clock = lateClock()
    const gate = await redisGate(fixture.url)
    closeGate = gate.close
    gate.arm({
      matches: (sent) => /\$4\r\ntime\r\n/i.test(sent.toString('latin1')),
      moment: 'before',
      spring() {
        clock.twoHoursLater()
        return 'forward'
      },
    })
    return { clock, url: gate.url }
  }

  it('that may have begun while Redis says what time it is hold everybody, until they are over by its clock', async () => {
    await set({ quiet: hoursAround(-1, 6) })
    const courier = fakeCourier()
    await fixture.run(courier, await slowAnswer())
    const ref = await fixture.put(await fixture.people(3))
    await held(ref, 3)
    const opensAt = Math.floor((now + 6 * hourMs) / minuteMs) * minuteMs
    expect((await waiting(ref)).map(({ at }) => at)).to.deep.equal([new Date(opensAt).toISOString()])
    expect(courier.handed).to.deep.equal([])
    await balanced(ref)
  })

  it('that may not be over yet while Redis says what time it is hold everybody', async () => {
    await set({ quiet: hoursAround(1, 1) })
    const courier = fakeCourier()
    await fixture.run(courier, await slowAnswer())
    const ref = await fixture.put(await fixture.people(3))
    await held(ref, 3)
    const opensAt = Math.floor((now + hourMs) / minuteMs) * minuteMs
    expect((await waiting(ref)).map(({ at }) => at)).to.deep.equal([new Date(opensAt).toISOString()])
    expect(courier.handed).to.deep.equal([])
  })

  it('begin no later for what Redis took to say what time it was', async () => {
    await set({ quiet: hoursAround(-3, 6) })
    const slow = await slowAnswer()
    let answer = (_outcome: Outcome) => {}
    const answered = new Promise<Outcome>((resolve) => {
      answer = resolve
    })
    const courier = fakeCourier({ window: 2, foldsResends: false, answer: () => answered })
    await fixture.run(courier, slow)
    const ref = await fixture.put(await fixture.people(6))
    await until(() => courier.handed.length === 2, 'the first two are under way')
    // since Redis said what time it was, or four
    slow.clock.twoHoursLater()
    answer({ kind: 'sent', providerId: '7' })
    await held(ref, 4)
    expect((await fates(ref)).join()).to.equal('sent,sent,pending,pending,pending,pending')
    await balanced(ref)
  })

  it('that begin while somebody is put off by the provider hold them, too', async () => {
    await set({ quiet: hoursAround(-1, 6) })
    const clock = lateClock()
    const courier = fakeCourier({
      answer: ({ address }) => {
        if (address !== '1002') return { kind: 'sent', providerId: address }
        clock.twoHoursLater()
        return { kind: 'throttled', retryAfterMs: 1, scope: 'recipient', reason: 'later' }
      },
    })
    await fixture.run(courier, { clock })
    const ref = await fixture.put(await fixture.people(3))
    await held(ref, 1)
    expect((await fates(ref)).join()).to.equal('sent,pending,sent')
    expect(courier.handed).to.have.length(3)
    expect((await waiting(ref)).map(({ cause }) => cause)).to.deep.equal(['quiet'])
  })

  it('are counted by the clock of the fleet where a zone is not known', async () => {
    await set({ quiet: hoursAround(1, 2) })
    const courier = fakeCourier()
    const runner = await fixture.run(courier)
    const people = await fixture.people(2)
    const bucketKeys = await fixture.redis.keys('people:*')
    for (const key of bucketKeys)
      for (const [person, text] of Object.entries(await fixture.redis.hgetall(key)))
        if (person === people[0]) await fixture.redis.hset(key, person, text.replace(moscow, 'MSK?'))
    const ref = await fixture.put(people)
    await held(ref, 2)
    await runner.stop(500)
  })

  it('who is held may be sent to now, once somebody says so; those with hours of their own stay', async () => {
    await set({ quiet: hoursAround(1, 2) })
    const courier = fakeCourier()
    await fixture.run(courier)
    const people = await fixture.people(5)
    await wish(people[2] as string, hoursAround(2, 4))
    const ref = await fixture.put(people)
    await held(ref, 5)
    expect(await fixture.histories.callForward(ref, 'quiet', 'dean')).to.equal(5)
    await until(() => courier.handed.length === 4, 'the four have it')
    await held(ref, 1)
    expect(addresses(courier)).to.deep.equal([0, 1, 3, 4])
    expect(await fixture.histories.cancelHeld(ref, 'quiet', 'dean')).to.equal(1)
    const history = await fixture.settled(ref)
    expect(history.channels.vk).to.include({ sent: 4, cancelled: 1 })
    await balanced(ref)
  })

  it('cancelled while a courier decides: nobody of them is sent it, whatever the time is when they are due', async () => {
    await set({ quiet: hoursAround(1, 2) })
    const people = await fixture.people(4)
    const ref = await fixture.put(people)
    // before any courier has looked at it
    expect(await fixture.histories.cancelHeld(ref, 'quiet', 'dean')).to.equal(0)
    const courier = fakeCourier()
    await fixture.run(courier)
    const history = await fixture.settled(ref)
    expect(history.channels.vk).to.include({ cancelled: 4 })
    expect(courier.handed).to.deep.equal([])
    await balanced(ref)
  })

  for (const batchSize of [100, 10])
    it(`hold 20 000 people of nine zones, in claims of ${batchSize}, in at most 64 waves and for two bytes a person`, async () => {
      await set({ quiet: { from: clockIn(now - 14 * hourMs), to: clockIn(now + 5 * hourMs) } })
      const people = await manyPeople(20_000)
      const couriers = [1, 2].map(() => fakeCourier({ batchSize, concurrency: 4 }))
      for (const courier of couriers) await fixture.run(courier)
      const ref = await fixture.put(people)
      // not by fixture.get(): it counts everybody each time
      const isAllHeld = async () => {
        const hash = await fixture.redis.hgetall(keys.history(ref))
        const waves = Object.entries(hash).filter(([field]) => field.startsWith('wave:'))
        const inWaves = waves.reduce((sum, [, wave]) => sum + Number(wave.split(' ')[3]), 0)
        return inWaves + Number(hash['vk:s'] ?? 0) === people.length
      }
      await until(isAllHeld, 'all are held')
      const hash = await fixture.redis.hgetall(keys.history(ref))
      const numbers = (hash.waiting ?? '').split(' ')
      expect(numbers.length).to.be.within(1, 64)
      const bytes = await Promise.all(
        numbers.map((number) =>
          fixture.redis.call('MEMORY', 'USAGE', keys.pieces(ref, Number(number)), 'SAMPLES', '0'),
        ),
      )
      const fields = numbers.reduce((sum, number) => sum + (hash[`wave:${number}`]?.length ?? 0) + 40, 0)
      const all = bytes.reduce<number>((sum, each) => sum + Number(each), fields)
      expect(all / people.length).to.be.below(2)
      await balanced(ref)
    })

  const nineZones = ['Kaliningrad', 'Moscow', 'Samara'].map((name) => `Europe/${name}`)
  nineZones.push(
    ...['Yekaterinburg', 'Omsk', 'Krasnoyarsk', 'Irkutsk', 'Yakutsk', 'Vladivostok'].map((name) => `Asia/${name}`),
  )
  /** Straight into Redis: neighbours are in other zones. */
  async function manyPeople(count: number): Promise<string[]> {
    const ids = Array.from({ length: count }, (_unused, index) => `p${String(index).padStart(5, '0')}`)
    const writes = fixture.redis.pipeline()
    for (const [index, id] of ids.entries()) {
      const zone = nineZones[index % nineZones.length]
      writes.hset(keys.people(bucketOf(id)), id, JSON.stringify([id, 'student', zone, 'ru']))
      writes.hset(keys.contacts(bucketOf(id), 'vk'), id, String(1001 + index))
    }
    await writes.exec()
    return ids
  }

  it('cost no command where none are set and nobody has their own', async () => {
    const courier = fakeCourier()
    await fixture.run(courier)
    const people = await fixture.people(20)
    const monitor = await startMonitor(fixture.redis)
    const asked: string[] = []
    monitor.on('monitor', (_time: string, args: string[]) => asked.push(args.join(' ')))
    await fixture.settled(await fixture.put(people))
    const zonesAsked = () => asked.filter((line) => /^hmget people:\{/.test(line)).length
    const termsAsked = () => asked.filter((line) => /^hmget history:.* sent-now:quiet/.test(line)).length
    const finished = await fixture.redis.ping('heard')
    await until(() => asked.some((line) => line === `ping ${finished}`), 'the monitor has heard all of it')
    expect([zonesAsked(), termsAsked()]).to.deep.equal([0, 0])

    await set({ quiet: hoursAround(-1, 2) })
    await until(async () => {
      await fixture.settled(await fixture.put(people))
      return zonesAsked() > 0 && termsAsked() > 0
    }, 'zones and terms are read once hours are set')
    monitor.disconnect()
  })
})
