/** Rules that count, in whole processes: duplicates, caps, intervals and levels, on a real Redis. */
import type { FleetSettingsInput, HistoryRef, MessageRules } from '@courier-fleet/api-types'
import { textHashOf } from '@courier-fleet/rules'
import { type DiaryEntry, readDiaries, scriptSha, writeSettings } from '@courier-fleet/store'
import { startMonitor, until } from '@courier-fleet/testkit'
import { expect } from 'chai'
import type { Outcome } from '../../src/courier.ts'
import { bindDiaryScripts, type Counting } from '../../src/engine/rules/diary-scripts.ts'
import { fakeCourier } from './fake-courier.ts'
import { createFixture, type Fixture } from './fixture.ts'

const hourMs = 3_600_000
const dayMs = 24 * hourMs
const name = { ru: 'Новости', en: 'News' }
const news: MessageRules = { type: 'news' }
const refused: Outcome = { kind: 'rejected', class: 'blocked', detail: '901' }

describe('engine: rules that count', () => {
  let fixture: Fixture
  let version: number
  beforeEach(async () => {
    fixture = await createFixture()
    version = 0
  })
  afterEach(() => fixture.stop())

  const set = async (stored: FleetSettingsInput) => {
    await writeSettings(fixture.redis, { expected: version, by: 'operator-1', stored })
    version += 1
  }
  const setType = (rules: object) => set({ types: [{ id: 'news', number: 7, name, ...rules }] })
  const diaryOf = async (person: string) =>
    (await readDiaries(fixture.redis, [person], Date.now() - 3 * dayMs, Date.now()))[0] as DiaryEntry[]
  /** Counts a message of long ago, or of this moment, that the fleet never had. */
  const plant = (people: readonly string[], atMs: number, text: string) => {
    const message: Counting = {
      ref: { shard: '00', sender: 'dean', id: `planted-${atMs}` },
      policy: { number: 7, rules: [], keptMs: 31 * dayMs, version: 0 },
      channelBit: 2,
      textHash: textHashOf({ text }),
    }
    const day = { fromMs: atMs, toMs: atMs }
    return bindDiaryScripts(fixture.redis).allow(
      message,
      people.map((person, ordinal) => ({ person, ordinal })),
      people.map(() => day),
      atMs,
    )
  }
  const put = (people: readonly string[], text: string, more: object = {}) =>
    fixture.put(people, { text, rules: news, channels: ['vk'], ...more })
  const fateOf = async (ref: HistoryRef, row = 0, channel = 'vk') =>
    (await fixture.receipts(ref))[row]?.channels[channel] ?? { state: 'pending' }
  const reasonOf = async (ref: HistoryRef) => {
    await fixture.settled(ref)
    const { reason, state } = await fateOf(ref)
    return reason ?? state
  }
  const waitsFor = (ref: HistoryRef, cause: string) =>
    until(async () => ((await fixture.get(ref)).waiting ?? []).some((wave) => wave.cause === cause), `waits: ${cause}`)
  const balanced = async (ref: HistoryRef) =>
    expect((await fixture.histories.recount(ref)).every((each) => each.balanced)).to.equal(true)

  it('nothing is asked or written where nobody made any', async () => {
    await set({ types: [{ id: 'news', number: 7, name, optOut: 'mandatory', level: 5 }], quietJitterSeconds: 0 })
    await fixture.redis.script('FLUSH')
    await fixture.run(fakeCourier())
    const ref = await put(await fixture.people(3), 'Free')
    await fixture.settled(ref)
    expect(await fixture.redis.keys('diary:*')).to.deep.equal([])
    expect(await fixture.redis.script('EXISTS', scriptSha('allow'))).to.deep.equal([0])
  })

  it('the time they are counted at is asked for with their contacts: nobody waits for it', async () => {
    await setType({ caps: [{ n: 9, per: 'PT1H' }] })
    const people = await fixture.people(3)
    const runner = await fixture.run(fakeCourier(), { consumer: 'in-time' })
    await fixture.settled(await put(people, 'Scripts are loaded'))
    const own = / addr=(\S+) .* name=in-time /.exec(String(await fixture.redis.client('LIST')))?.[1]
    const monitor = await startMonitor(fixture.redis)
    const seen: string[] = []
    monitor.on('monitor', (_time: string, [command = '', first = '']: string[], source: string) => {
      if (source === own) seen.push(command === 'evalsha' ? first : `${command} ${first.replace(/:.*/, '')}`)
    })
    await fixture.settled(await put(people, 'In time'))
    await until(() => runner.inFlight() === 0 && seen.includes(scriptSha('allow')), 'all of it was heard')
    monitor.disconnect()
    const job = seen.slice(0, seen.indexOf(scriptSha('allow')))
    expect(job.lastIndexOf('time ')).to.be.within(0, job.lastIndexOf('hmget contacts'))
    const [entry] = await diaryOf(people[0] as string)
    expect(Date.now() - (entry?.atMs ?? 0)).to.be.within(0, 60_000)
  })

  it('while people are counted another job begins', async () => {
    await setType({ caps: [{ n: 9, per: 'PT1H' }] })
    let answer = () => {}
    const answered = new Promise<void>((resolve) => {
      answer = resolve
    })
    const courier = fakeCourier({
      batchSize: 5,
      concurrency: 2,
      answer: async () => {
        await answered
        return { kind: 'sent', providerId: '1' }
      },
    })
    await fixture.run(courier)
    const people = await fixture.people(20)
    const counted = await put(people, 'Counted')
    await until(() => courier.handed.length === 10, 'two jobs send at once')
    answer()
    await fixture.settled(counted)
  })

  it('two processes, two messages of one text, one instant: one goes', async () => {
    await setType({ duplicates: {} })
    const couriers = [fakeCourier(), fakeCourier()]
    for (const courier of couriers) await fixture.run(courier)
    const people = await fixture.people(40)
    const refs = await Promise.all([put(people, 'No  classes '), put(people, 'No classes')])
    // while one is on its way the other waits: every 30 s it looks again
    await until(async () => {
      const views = await Promise.all(refs.map(fixture.get))
      const waiting = views.flatMap((view) => view.waiting ?? []).reduce((sum, wave) => sum + wave.people, 0)
      const open = views.reduce((sum, { channels }) => sum + (channels.vk?.pending ?? 40), 0)
      return open === waiting
    }, 'everybody has it, or waits, or is told that it is a duplicate')
    const handed = couriers.flatMap((courier) => courier.handed.map(({ address }) => address))
    expect(new Set(handed).size).to.equal(40)
    expect(handed).to.have.length(40)
    for (const ref of refs) await balanced(ref)
  })

  it('the same text again is told with its time and its history; other words go', async () => {
    await setType({ duplicates: {} })
    await fixture.run(fakeCourier())
    const people = await fixture.people(2)
    const first = await put(people, 'No classes')
    await fixture.settled(first)
    const again = await put(people, ' No\n classes ')
    expect(await reasonOf(again)).to.equal('duplicate')
    const [entry] = await diaryOf('p00000')
    expect((await fateOf(again)).limit).to.deep.equal({
      settings: 1,
      n: 1,
      per: 'P1D',
      until: new Date((entry?.atMs ?? 0) + dayMs).toISOString(),
      earlier: { at: new Date(entry?.atMs ?? 0).toISOString(), key: `${first.shard}.${first.sender}.${first.id}` },
    })
    expect(await reasonOf(await put(people, 'Classes'))).to.equal('sent')
    expect(await reasonOf(await put(people, 'No classes', { rules: { ...news, duplicates: 'allow' } }))).to.equal(
      'sent',
    )
    expect(await reasonOf(await put(people, 'No classes', { rules: undefined }))).to.equal('sent')
  })

  it('where the first was refused by the provider the second goes, and nothing of the first is counted', async () => {
    await setType({ duplicates: {} })
    const answers = [{ ...refused, class: 'refused' } as Outcome]
    await fixture.run(fakeCourier({ answer: () => answers.shift() ?? { kind: 'sent', providerId: '1' } }))
    const people = await fixture.people(1)
    expect(await reasonOf(await put(people, 'No classes'))).to.equal('refused')
    await until(async () => (await diaryOf('p00000')).length === 0, 'it is given back')
    expect(await reasonOf(await put(people, 'No classes'))).to.equal('sent')
  })

  it('where it is unknown whether the first arrived the second does not go', async () => {
    await setType({ duplicates: {} })
    await fixture.run(fakeCourier({ foldsResends: false, answer: () => ({ kind: 'unknown', why: 'no answer' }) }))
    const people = await fixture.people(1)
    expect(await reasonOf(await put(people, 'No classes'))).to.equal('no-answer')
    expect(await reasonOf(await put(people, 'No classes'))).to.equal('duplicate')
  })

  it('a count that a crash has left of somebody who got nothing is forgotten when it is in the way', async () => {
    await setType({ caps: [{ n: 1, per: 'P7D' }] })
    const answers: Outcome[] = [{ ...refused, class: 'refused' }]
    await fixture.run(fakeCourier({ answer: () => answers.shift() ?? { kind: 'sent', providerId: '1' } }))
    const people = await fixture.people(1)
    const first = await put(people, 'One')
    expect(await reasonOf(first)).to.equal('refused')
    // as if it had died before it gave back
    await until(async () => (await diaryOf('p00000')).length === 0, 'it is given back')
    const message: Counting = {
      ref: first,
      policy: { number: 7, rules: [], keptMs: 7 * dayMs, version: 0 },
      channelBit: 2,
      textHash: textHashOf({ text: 'One' }),
    }
    const atMs = Date.now()
    await bindDiaryScripts(fixture.redis).allow(
      message,
      [{ person: 'p00000', ordinal: 0 }],
      [{ fromMs: atMs, toMs: atMs }],
      atMs,
    )
    expect(await reasonOf(await put(people, 'Two'))).to.equal('sent')
    expect(await diaryOf('p00000')).to.have.length(1)
    expect(await reasonOf(await put(people, 'Three'))).to.equal('capped')
  })

  it('caps are told with the rule and when there is room, and hold for all processes together', async () => {
    await setType({ caps: [{ n: 3, per: 'P1D' }] })
    const couriers = [fakeCourier(), fakeCourier(), fakeCourier()]
    for (const courier of couriers) await fixture.run(courier)
    const people = await fixture.people(2)
    const refs = await Promise.all(Array.from({ length: 30 }, (_unused, i) => put(people, `Message ${i}`)))
    await until(async () => {
      const views = await Promise.all(refs.map((ref) => fixture.get(ref)))
      return views.every((view) => view.state === 'settled' || (view.waiting?.length ?? 0) > 0)
    }, 'all are settled, or wait for those on their way')
    const perAddress = new Map<string, number>()
    for (const { handed } of couriers)
      for (const { address } of handed) perAddress.set(address, (perAddress.get(address) ?? 0) + 1)
    expect([...perAddress.values()]).to.deep.equal([3, 3])
    // who was refused while those were on their way waits to see: of them it is known by now
    const late = await put(people, 'One more')
    expect(await reasonOf(late)).to.equal('capped')
    expect((await fateOf(late)).limit).to.include({ n: 3, per: 'P1D', type: 'news', settings: 1 })
  })

  it('a window ends to the millisecond', async () => {
    await setType({ caps: [{ n: 1, per: 'PT1H' }] })
    await fixture.run(fakeCourier())
    const people = await fixture.people(2)
    await plant(['p00000'], Date.now() - hourMs + 60_000, 'Earlier')
    await plant(['p00001'], Date.now() - hourMs, 'Earlier')
    const ref = await put(people, 'Now')
    await fixture.settled(ref)
    expect([(await fateOf(ref, 0)).reason, (await fateOf(ref, 1)).state]).to.deep.equal(['capped', 'sent'])
  })

  it('who waits for room is held until then, and sent to when it is there', async () => {
    await setType({ caps: [{ n: 1, per: 'PT1H', over: 'wait' }] })
    let handedMs = 0
    const answer = (): Outcome => {
      handedMs = Date.now()
      return { kind: 'sent', providerId: '1' }
    }
    await fixture.run(fakeCourier({ answer }))
    const people = await fixture.people(1)
    const roomMs = Date.now() + 1_500
    await plant(people, roomMs - hourMs, 'Earlier')
    const ref = await put(people, 'Now')
    expect(await reasonOf(ref)).to.equal('sent')
    expect(handedMs).to.be.at.least(roomMs)
    await balanced(ref)
  })

  it('who waits until it has expired is told so at once', async () => {
    await setType({ interval: 'PT30M' })
    await fixture.run(fakeCourier())
    const people = await fixture.people(1)
    await plant(people, Date.now() - 60_000, 'Earlier')
    const ref = await put(people, 'Now', { expiresMs: Date.now() + 10 * 60_000 })
    expect(await reasonOf(ref)).to.equal('too-soon')
    const patient = await put(people, 'Later')
    await waitsFor(patient, 'too-soon')
  })

  it('a message to two channels is one, and what one of them was refused stays with the other', async () => {
    await setType({ caps: [{ n: 1, per: 'P1D' }] })
    const vk = fakeCourier({ answer: () => refused })
    const sms = fakeCourier({ channel: 'sms', foldsResends: false })
    await fixture.run(vk)
    await fixture.run(sms)
    const people = await fixture.people(1)
    await fixture.people(1, 'sms')
    const ref = await put(people, 'Both', { channels: ['vk', 'sms'] })
    await fixture.settled(ref)
    expect([(await fateOf(ref)).reason, (await fateOf(ref, 0, 'sms')).state]).to.deep.equal(['blocked', 'sent'])
    expect(await diaryOf('p00000')).to.have.length(1)
    const next = await put(people, 'Next', { channels: ['sms'] })
    await fixture.settled(next)
    expect((await fateOf(next, 0, 'sms')).reason).to.equal('capped')
  })

  it('by the day of each: what was yesterday in Kiritimati is today in Honolulu', async () => {
    await setType({ caps: [{ n: 1, per: 'day' }] })
    await fixture.run(fakeCourier())
    const zones = ['Pacific/Kiritimati', 'Pacific/Honolulu']
    const people = await fixture.people(2)
    for (const [row, timeZone] of zones.entries())
      await fixture.directory.putPerson({
        id: people[row] as string,
        name: 'x',
        role: 'student',
        timeZone,
        language: 'ru',
      })
    const dateIn = (atMs: number, timeZone: string) => new Intl.DateTimeFormat('en-CA', { timeZone }).format(atMs)
    for (const hoursAgo of [2, 9, 16, 23]) {
      const atMs = Date.now() - hoursAgo * hourMs
      await fixture.redis.del(...(await fixture.redis.keys('diary:*')), 'none')
      await plant(people, atMs, 'Earlier')
      const ref = await put(people, `Now ${hoursAgo}`)
      await fixture.settled(ref)
      for (const [row, zone] of zones.entries()) {
        const isToday = dateIn(atMs, zone) === dateIn(Date.now(), zone)
        const { reason, state } = await fateOf(ref, row)
        expect(reason ?? state, `${zone}, ${hoursAgo} h ago`).to.equal(isToday ? 'capped' : 'sent')
      }
    }
  })

  it('after so many in a day only what is important goes, on whatever channel it was', async () => {
    await set({
      types: [
        { id: 'news', number: 7, name, level: 3 },
        { id: 'exam', number: 8, name, level: 4 },
      ],
      levels: [{ after: 2, least: 4 }],
    })
    await fixture.run(fakeCourier())
    const people = await fixture.people(1)
    await fixture.directory.putPerson({ id: 'p00000', name: 'x', role: 'student', timeZone: 'UTC', language: 'ru' })
    for (const text of ['One', 'Two'])
      expect(await reasonOf(await put(people, text, { rules: undefined }))).to.equal('sent')
    expect(await reasonOf(await put(people, 'Three'))).to.equal('not-important')
    expect(await reasonOf(await put(people, 'Four', { rules: { type: 'exam' } }))).to.equal('sent')
    expect(await diaryOf('p00000')).to.have.length(3)
  })

  it('urgent ones are never too many, and count', async () => {
    await setType({ caps: [{ n: 1, per: 'P1D' }] })
    await fixture.run(fakeCourier())
    const people = await fixture.people(1)
    for (const text of ['One', 'Two'])
      expect(await reasonOf(await put(people, text, { class: 'urgent' }))).to.equal('sent')
    expect(await reasonOf(await put(people, 'Three'))).to.equal('capped')
  })

  it('the rule of the moment decides', async () => {
    await setType({ caps: [{ n: 1, per: 'P1D' }] })
    await fixture.run(fakeCourier())
    const people = await fixture.people(1)
    expect(await reasonOf(await put(people, 'One'))).to.equal('sent')
    expect(await reasonOf(await put(people, 'Two'))).to.equal('capped')
    await setType({ caps: [{ n: 2, per: 'P1D' }] })
    await until(async () => (await reasonOf(await put(people, 'Three'))) === 'sent', 'the new rule holds')
    const last = await put(people, 'Four')
    expect(await reasonOf(last)).to.equal('capped')
    expect((await fateOf(last)).limit).to.include({ n: 2, settings: 2 })
  })

  it('who was marked by a process that died is not asked about again, and what counts of it stays', async () => {
    await setType({ caps: [{ n: 1, per: 'P1D' }] })
    const people = await fixture.people(1)
    const never = new Promise<Outcome>(() => {})
    let isAsked = false
    const dying = fakeCourier({
      answer: () => {
        isAsked = true
        return never
      },
    })
    const runner = await fixture.run(dying)
    const ref = await put(people, 'One')
    await until(() => isAsked, 'it is handed over')
    await runner.stop(0)
    // the rule has become stricter than what was counted: whoever is marked was allowed before
    await fixture.run(fakeCourier({ answer: () => ({ ...refused, class: 'refused' }) }), { leaseMs: 300 })
    expect(await reasonOf(ref)).to.equal('refused')
    const [entry] = await diaryOf('p00000')
    expect(entry?.isContested).to.equal(true)
    expect(await reasonOf(await put(people, 'Two'))).to.equal('capped')
  })

  it('what was counted of a message that was cancelled is in nobody’s way', async () => {
    await setType({ caps: [{ n: 1, per: 'P1D' }] })
    const people = await fixture.people(1)
    await fixture.run(
      fakeCourier({
        answer: ({ text }) =>
          text === 'One'
            ? { kind: 'throttled', retryAfterMs: 3_600_000, scope: 'recipient', reason: 'wait' }
            : { kind: 'sent', providerId: '1' },
      }),
    )
    const ref = await put(people, 'One')
    await waitsFor(ref, 'throttled')
    expect(await diaryOf('p00000')).to.have.length(1)
    // it is still on its way: whoever comes after it waits to see
    const second = await put(people, 'Two')
    await waitsFor(second, 'capped')
    await fixture.histories.cancel(ref, 'dean')
    await fixture.settled(ref)
    expect(await reasonOf(await put(people, 'Three'))).to.equal('sent')
  })
})
