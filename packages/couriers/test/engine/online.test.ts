/** Messages that go out when people are online: fake couriers, a real Redis, and reports. */
import type { HistoryRef } from '@courier-fleet/api-types'
import {
  bucketOf,
  callOnline,
  defineScript,
  keys,
  listReply,
  reportOnline,
  tagOfBucket,
  textReply,
  writeSettings,
} from '@courier-fleet/store'
import { generatedId, generatePeople, until } from '@courier-fleet/testkit'
import { expect } from 'chai'
import { type FakeCourier, fakeCourier } from './fake-courier.ts'
import { createFixture, type Fixture } from './fixture.ts'

const hourMs = 3_600_000
const dayMs = 24 * hourMs
/** What a wall clock in Moscow shows so many hours from now. */
const wall = (hours: number) => new Date(Date.now() + (hours + 3) * hourMs).toISOString().slice(11, 16)

describe('engine: when people are online', () => {
  let fixture: Fixture
  let people: string[]
  beforeEach(async () => {
    fixture = await createFixture()
    people = await fixture.people(6)
  })
  afterEach(() => fixture.stop())

  const put = (audience: readonly string[], more: Parameters<Fixture['put']>[1] = {}) =>
    fixture.put(audience, { online: true, expiresMs: Date.now() + 7 * dayMs, ...more })
  /** one at once after the other, unless a test is about the time between them */
  const report = (who: readonly string[], intervalMs = 0) => reportOnline(fixture.redis, who, intervalMs)
  const waiting = async (ref: HistoryRef, cause = 'online') => {
    const all = (await fixture.get(ref)).waiting ?? []
    return all.filter((each) => each.cause === cause).reduce((sum, { people: count }) => sum + count, 0)
  }
  const waits = (ref: HistoryRef, count: number, cause = 'online') =>
    until(async () => (await waiting(ref, cause)) === count, `${count} wait`)
  const addressOf = (person: string) => String(1001 + people.indexOf(person))
  const took = (courier: FakeCourier) => courier.handed.map(({ address, text }) => `${address} ${text}`)
  const balanced = async (ref: HistoryRef) =>
    expect((await fixture.histories.recount(ref)).every((each) => each.balanced)).to.equal(true)

  it('each gets it once they are, nobody before, and it settles with the last', async () => {
    const courier = fakeCourier()
    await fixture.run(courier)
    const ref = await put(people)
    await waits(ref, 6)
    const [at] = (await fixture.get(ref)).waiting ?? []
    expect(at?.at).to.equal((await fixture.get(ref)).expires)
    await report([people[2] as string])
    await until(() => courier.handed.length === 1, 'one has it')
    expect(took(courier)).to.deep.equal([`${addressOf(people[2] as string)} Занятия отменены`])
    await waits(ref, 5)
    await report(people)
    const settled = await fixture.settled(ref)
    expect(settled.channels.vk).to.include({ sent: 6, pending: 0 })
    expect(settled.waiting).to.equal(undefined)
    expect(new Set(took(courier)).size).to.equal(6)
    expect(courier.handed).to.have.length(6)
    await balanced(ref)
  })

  it('of three that wait, one a report, soonest due first, and none within the interval', async () => {
    const [anna = ''] = people
    const courier = fakeCourier()
    await fixture.run(courier)
    // accepted first, and due last
    const refs = [await put([anna], { text: 'third', dueMs: Date.now() + hourMs })]
    for (const text of ['first', 'second']) {
      const ref = await put([anna], { text })
      await waits(ref, 1)
      refs.push(ref)
    }
    await fixture.fallDue(refs[0] as HistoryRef)
    await waits(refs[0] as HistoryRef, 1)
    await report([anna], hourMs)
    await until(() => courier.handed.length === 1, 'the first has gone')
    await report([anna], hourMs)
    await report([anna], hourMs)
    expect(await fixture.redis.zcard(keys.waitingOnline(bucketOf(anna), anna))).to.equal(2)
    await report([anna])
    await until(() => courier.handed.length === 2, 'the next has gone')
    await report([anna])
    await until(() => courier.handed.length === 3, 'the last has gone')
    expect(courier.handed.map(({ text }) => text)).to.deep.equal(['first', 'second', 'third'])
    for (const ref of refs) expect((await fixture.settled(ref)).channels.vk).to.include({ sent: 1 })
    expect(await fixture.redis.exists(keys.waitingOnline(bucketOf(anna), anna))).to.equal(0)
  })

  it('a report counts for a minute, for what falls due meanwhile: for one message', async () => {
    const [anna = '', boris = ''] = people
    const courier = fakeCourier()
    await fixture.run(courier)
    await report([anna], hourMs)
    const first = await put([anna, boris], { text: 'first' })
    await until(() => courier.handed.length === 1, 'she has it')
    const second = await put([anna], { text: 'second' })
    await waits(second, 1)
    await waits(first, 1)
    expect(took(courier)).to.deep.equal([`${addressOf(anna)} first`])
  })

  it('who waits for it is said of each, and no more of whoever was called and is not sent to yet', async () => {
    const courier = fakeCourier()
    const runner = await fixture.run(courier)
    const ref = await put(people)
    await waits(ref, 6)
    const expires = (await fixture.get(ref)).expires
    const wait = { at: expires, cause: 'online' }
    const said = async () => (await fixture.receipts(ref)).map(({ channels: { vk } }) => [vk?.state, vk?.waiting])
    expect(await said()).to.deep.equal(new Array(6).fill(['pending', wait]))
    await runner.stop(500)
    await report([people[2] as string])
    await waits(ref, 5)
    expect(await said()).to.deep.equal(people.map((_person, index) => ['pending', index === 2 ? undefined : wait]))
    await fixture.run(courier)
    await until(() => courier.handed.length === 1, 'she has it')
  })

  it('on all channels at once, also on one whose couriers come later', async () => {
    const [anna = ''] = people
    await fixture.directory.linkContact('telegram', anna, '7001')
    await fixture.directory.linkContact('sms', anna, '+79001234567')
    const vk = fakeCourier()
    const telegram = fakeCourier({ channel: 'telegram' })
    await fixture.run(vk)
    await fixture.run(telegram)
    const ref = await put([anna], { channels: ['vk', 'telegram', 'sms'] })
    await waits(ref, 2)
    await report([anna])
    await until(() => vk.handed.length === 1 && telegram.handed.length === 1, 'both have it')
    const sms = fakeCourier({ channel: 'sms' })
    await fixture.run(sms)
    const { channels } = await fixture.settled(ref)
    expect([channels.vk?.sent, channels.telegram?.sent, channels.sms?.sent]).to.deep.equal([1, 1, 1])
    await balanced(ref)
  })

  it('who is not by the time it expires is told so, and who was cancelled, and whoever is sent to now', async () => {
    const courier = fakeCourier()
    await fixture.run(courier)
    const late = await put(people, { expiresMs: Date.now() + hourMs })
    const ref = await put(people, { text: 'cancelled' })
    const now = await put(people, { text: 'now' })
    for (const each of [late, ref, now]) await waits(each, 6)
    await report([people[0] as string])
    await until(() => courier.handed.length === 1, 'one has the first')
    expect(await fixture.histories.cancelHeld(ref, 'online', 'dean')).to.equal(6)
    expect((await fixture.settled(ref)).channels.vk).to.include({ cancelled: 6 })
    expect(await fixture.histories.callForward(now, 'online', 'dean')).to.equal(6)
    expect((await fixture.settled(now)).channels.vk).to.include({ sent: 6 })
    await fixture.hasExpired(late)
    await fixture.fallDue(late)
    expect((await fixture.settled(late)).channels.vk).to.include({ sent: 1, expired: 5 })
    const told = (await fixture.receipts(late)).map(({ channels: { vk } }) => vk?.reason ?? vk?.state)
    expect(told).to.deep.equal(['sent', ...new Array(5).fill('not-online')])
    for (const each of [late, ref, now]) await balanced(each)
    // what is over does not keep the next from going out with the same report
    const next = await put(people, { text: 'next' })
    await waits(next, 6)
    await report(people)
    expect((await fixture.settled(next)).channels.vk).to.include({ sent: 6 })
    expect(courier.handed).to.have.length(13)
  })

  it('a message that is stopped waits for nobody', async () => {
    const courier = fakeCourier()
    await fixture.run(courier)
    const ref = await put(people)
    await waits(ref, 6)
    await fixture.histories.cancel(ref, 'dean')
    expect((await fixture.settled(ref)).channels.vk).to.include({ cancelled: 6 })
    await report(people)
    await fixture.settled(await put(people, { online: undefined, text: 'another' }))
    expect(courier.handed).to.have.length(6)
    await balanced(ref)
  })

  it('quiet hours hold whoever is online', async () => {
    const stored = { quiet: { from: wall(-1), to: wall(2) }, quietJitterSeconds: 0 }
    const courier = fakeCourier()
    await fixture.run(courier)
    const before = await put(people, { text: 'before' })
    await waits(before, 6)
    await writeSettings(fixture.redis, { expected: 0, by: 'operator', stored })
    await until(async () => {
      const probe = await put(people, { text: 'probe', online: undefined })
      const isHeld = async () => (await waiting(probe, 'quiet')) === 6
      await until(async () => (await isHeld()) || (await fixture.get(probe)).state === 'settled', 'it was decided')
      return isHeld()
    }, 'the couriers know of them')
    const sent = courier.handed.length
    await report(people)
    await waits(before, 6, 'quiet')
    expect(await waiting(before)).to.equal(0)
    const causes = (await fixture.receipts(before)).map(({ channels: { vk } }) => vk?.waiting?.cause)
    expect(causes).to.deep.equal(new Array(6).fill('quiet'))
    expect(courier.handed).to.have.length(sent)
  })

  it('caps hold for whoever is called, and intervals do not; who waits takes no room', async () => {
    const [anna = '', boris = ''] = people
    const name = { ru: 'Новости', en: 'News' }
    const news = { id: 'news', number: 7, name, caps: [{ n: 3, per: 'P1D' }], interval: 'PT30M' }
    await writeSettings(fixture.redis, { expected: 0, by: 'operator', stored: { types: [news] } })
    const courier = fakeCourier()
    await fixture.run(courier)
    const rules = { type: 'news' }
    const refs: HistoryRef[] = []
    for (const text of ['first', 'second', 'third', 'fourth']) {
      const ref = await put([anna, boris], { text, rules })
      await waits(ref, 2)
      refs.push(ref)
    }
    const calls = async (who: string, count: number) => {
      await report([who])
      await until(() => courier.handed.length === count, `${count} have gone`)
    }
    const reasonOf = async (ref: HistoryRef) => (await fixture.receipts(ref))[0]?.channels.vk?.reason
    await calls(anna, 1)
    await calls(anna, 2)
    // the interval holds for a message that waits for nobody's presence
    const soon = { text: 'at once', rules, online: undefined, expiresMs: Date.now() + 600_000 }
    const atOnce = await put([anna], soon)
    await fixture.settled(atOnce)
    expect(await reasonOf(atOnce)).to.equal('too-soon')
    await calls(anna, 3)
    const last = refs.at(-1) as HistoryRef
    await report([anna])
    await until(async () => (await reasonOf(last)) === 'capped', 'the fourth is too much for her')
    expect(await waiting(last)).to.equal(1)
    await calls(boris, 4)
    const mine = ['first', 'second', 'third'].map((text) => `${addressOf(anna)} ${text}`)
    expect(took(courier)).to.deep.equal([...mine, `${addressOf(boris)} first`])
    await until(async () => (await fixture.get(refs[0] as HistoryRef)).channels.vk?.sent === 2, 'that is written')
    for (const ref of [...refs, atOnce]) await balanced(ref)
  })

  it('whoever crashes between the three steps: nobody is lost, and nobody gets it twice', async () => {
    const [anna = '', boris = '', clara = ''] = people
    const bucket = bucketOf(anna)
    const courier = fakeCourier()
    await fixture.run(courier)
    const taken = async (person: string) => (await fixture.redis.get(keys.online(bucketOf(person), person))) ?? ''
    const listed = (person: string) => fixture.redis.zcard(keys.waitingOnline(bucketOf(person), person))
    const ref = await put([anna, boris, clara])
    await waits(ref, 3)
    // taken, and the queue ended: the next report takes the same
    const script = defineScript('take-online', {
      keys: ['people'],
      args: ['tag', 'report', 'intervalMs'],
      reply: listReply(textReply),
    })
    const at = { people: keys.people(bucket) }
    const args = { tag: tagOfBucket(bucket), report: 'died', intervalMs: hourMs }
    const [member = ''] = await script(fixture.redis, at, args, [anna, ''])
    expect(await script(fixture.redis, at, args, [anna, '']), 'the reply was lost').to.deep.equal([member])
    expect(await taken(anna)).to.match(/^\d+ died \d+-\d+ /)
    await report([anna], hourMs)
    expect([courier.handed.length, await listed(anna)], 'within the interval').to.deep.equal([0, 1])
    await report([anna])
    await until(() => courier.handed.length === 1, 'she has it')
    // called, and the queue ended: the next report finds that, and calls nobody else
    const second = await put([boris], { text: 'second' })
    await waits(second, 1)
    expect(await callOnline(fixture.redis, ref, [1])).to.deep.equal([true])
    await until(() => courier.handed.length === 2, 'he has it')
    expect(await listed(boris)).to.equal(2)
    await report([boris])
    expect([await listed(boris), await waiting(second)]).to.deep.equal([1, 1])
    await report([boris])
    expect((await fixture.settled(second)).channels.vk).to.include({ sent: 1 })
    // two who report at once
    await Promise.all([report([clara], hourMs), report([clara], hourMs)])
    expect((await fixture.settled(ref)).channels.vk).to.include({ sent: 3 })
    expect(courier.handed).to.have.length(4)
    await balanced(ref)
  })

  it('ten thousand people who are online at once have it, each once', async () => {
    const size = 10_000
    await fixture.directory.importCsv(generatePeople(size, { channels: ['telegram'], groupSize: 5000 }))
    const everyone = Array.from({ length: size }, (_unused, index) => generatedId(index)).sort()
    const courier = fakeCourier({ channel: 'telegram', batchSize: 500 })
    await fixture.run(courier)
    const ref = await put(everyone, { channels: ['telegram'] })
    await until(async () => (await waiting(ref)) === size, 'all wait')
    const calls = Array.from({ length: 10 }, (_unused, index) => everyone.filter((_person, at) => at % 10 === index))
    await Promise.all(calls.map((who) => report(who)))
    await until(async () => (await fixture.get(ref)).state === 'settled', 'all have it')
    expect((await fixture.get(ref)).channels.telegram).to.include({ sent: size, pending: 0 })
    expect(new Set(courier.handed.map(({ address }) => address)).size).to.equal(size)
    expect(courier.handed).to.have.length(size)
    await balanced(ref)
  })
})
