/** Events and the messages that hang on them, over HTTP, with couriers that work. */
import { randomUUID } from 'node:crypto'
import { type MessageInput, parseHistoryKey } from '@courier-fleet/api-types'
import { keys } from '@courier-fleet/store'
import { until } from '@courier-fleet/testkit'
import { expect } from 'chai'
import { purge } from '../../timekeeper/src/retention.ts'
import { createClient } from '../src/index.ts'
import { startFleet } from './fleet.ts'

const secondMs = 1000
const hourMs = 3600 * secondMs
const dayMs = 24 * hourMs

const inMoscow = (ms: number) =>
  new Date(Date.now() + ms).toLocaleTimeString('en-GB', { timeZone: 'Europe/Moscow', timeStyle: 'short' })

describe('an event, and the messages that hang on it', () => {
  let fleet: Awaited<ReturnType<typeof startFleet>>
  let event: string
  before(async () => {
    fleet = await startFleet()
    await fleet.linkPeople()
  })
  beforeEach(() => {
    event = `exam-${randomUUID().slice(0, 8)}`
  })
  after(() => fleet.stop())

  const at = (ms: number) => new Date(Date.now() + ms).toISOString()
  const put = (ms: number, more: object = {}) => fleet.client.putEvent(event, { at: at(ms), ...more })
  const hang = (offset: number, more: Partial<MessageInput> = {}) =>
    fleet.client.send({ to: ['user:anna'], text: `Exam, ${offset} s`, event, offset, ...more })
  const dueOf = async (key: string) => Date.parse((await fleet.client.history(key)).at ?? '')
  const refused = async (call: Promise<unknown>) => {
    const error = (await call.then(
      () => undefined,
      (found: unknown) => found,
    )) as { problem?: { status: number; code: string; field?: string; detail: string } } | undefined
    return error?.problem
  }

  it('is due as long before or after it as the message says, and says on what it hangs', async () => {
    const { at: time, reminders } = await put(dayMs, { name: 'Mathematics' })
    expect(reminders).to.deep.equal([])
    const before = await hang(-3600)
    const after = await hang(60)
    expect([Date.parse(before.at), Date.parse(after.at)]).to.deep.equal([
      Date.parse(time) - hourMs,
      Date.parse(time) + 60 * secondMs,
    ])
    expect((await fleet.client.history(before.key)).event).to.deep.equal({ id: event, offset: -3600 })
    expect(await fleet.client.event(event)).to.deep.equal({
      id: event,
      at: time,
      name: 'Mathematics',
      reminders: [
        { key: before.key, offset: -3600, at: before.at, state: 'scheduled' },
        { key: after.key, offset: 60, at: after.at, state: 'scheduled' },
      ],
    })
  })

  it('moves all that have not started, in one step, and says of each what became of it', async () => {
    await put(2 * hourMs)
    const early = await hang(-3600)
    const later = await hang(-60)
    await fleet.fixture.fallDue(parseHistoryKey(early.key))
    await until(async () => (await fleet.client.history(early.key)).state === 'settled', 'the first has gone out')
    const own = await hang(-120, { expires: at(2 * hourMs) })
    const expiresBefore = Date.parse((await fleet.client.history(own.key)).expires ?? '')
    const moved = await put(2 * dayMs)
    const became = Object.fromEntries(moved.reminders.map((each) => [each.key, each.became]))
    expect(became).to.deep.equal({ [early.key]: 'already-over', [later.key]: 'moved', [own.key]: 'moved' })
    expect(await dueOf(later.key)).to.equal(Date.parse(moved.at) - 60 * secondMs)
    const { expires, at: due } = await fleet.client.history(own.key)
    expect(Date.parse(expires ?? '') - expiresBefore, 'it expires as long after it is due as before').to.equal(
      Date.parse(due ?? '') - Date.parse(own.at),
    )
    const again = await fleet.client.putEvent(event, { at: moved.at })
    expect(again.reminders.map((each) => each.became)).to.deep.equal(['already-over', 'unchanged', 'unchanged'])
    expect(again.reminders.map((each) => each.at)).to.deep.equal(moved.reminders.map((each) => each.at))
  })

  it('goes out at the new time, and not at the old one', async () => {
    await put(2 * hourMs)
    const { key } = await hang(-3600)
    const { at: time } = await fleet.client.putEvent(event, { at: at(hourMs + 4 * secondMs) })
    await until(async () => (await fleet.client.history(key)).state === 'settled', 'it has gone out')
    const { startedAt = '' } = await fleet.client.history(key)
    const lateMs = Date.parse(startedAt) - (Date.parse(time) - hourMs)
    expect(lateMs, 'not an hour late').to.be.within(0, hourMs / 2)
  })

  it('moves nothing where one would have been due by now, and says how to send it at once', async () => {
    const first = await put(dayMs)
    const far = await hang(-60)
    const near = await hang(-7200)
    expect(await refused(put(hourMs))).to.deep.include({ status: 409, code: 'late-reminders', field: 'late' })
    expect((await fleet.client.event(event)).at).to.equal(first.at)
    expect(await dueOf(far.key)).to.equal(Date.parse(far.at))
    const moved = await put(hourMs, { late: 'send' })
    expect(moved.reminders.map(({ key, became }) => [key, became])).to.deep.equal([
      [near.key, 'sent-now'],
      [far.key, 'moved'],
    ])
    await until(async () => (await fleet.client.history(near.key)).state === 'settled', 'it has gone out')
  })

  it('cancels all of them with it, gives them back, and says so again when asked again', async () => {
    await put(2 * hourMs)
    const early = await hang(-3600)
    const later = await hang(0)
    await fleet.fixture.fallDue(parseHistoryKey(early.key))
    await until(async () => (await fleet.client.history(early.key)).state === 'settled', 'the first has gone out')
    const cancelled = await fleet.client.cancelEvent(event)
    expect(cancelled.cancelledAt).to.be.a('string')
    expect(cancelled.reminders.map(({ key, state, became }) => [key, state, became])).to.deep.equal([
      [early.key, 'settled', 'already-over'],
      [later.key, 'cancelled', 'cancelled'],
    ])
    expect(await fleet.client.cancelEvent(event)).to.deep.equal(cancelled)
    expect(await fleet.client.history(later.key))
      .to.include({ cancelledBy: 'trainer-1' })
      .and.not.have.property('text')
    expect((await fleet.client.recount(later.key)).balanced).to.equal(true)
    expect(await refused(hang(0))).to.deep.include({ status: 422, code: 'unknown-event', field: 'event' })
    const anew = await put(hourMs)
    expect(anew).not.to.have.property('cancelledAt')
    expect(anew.reminders.map((each) => each.became)).to.deep.equal(['already-over', 'already-over'])
    await hang(0)
  })

  it('stops what runs: whoever waits for a rule gets nothing of a cancelled event', async () => {
    await put(hourMs)
    await fleet.service.set({ quiet: { from: inMoscow(-hourMs), to: inMoscow(3 * hourMs) } })
    const { key } = await hang(-1800, { expires: at(3 * dayMs) })
    await fleet.fixture.fallDue(parseHistoryKey(key))
    await until(async () => (await fleet.client.history(key)).waiting !== undefined, 'somebody waits')
    const { reminders } = await fleet.client.cancelEvent(event)
    expect(reminders.map((each) => each.became)).to.deep.equal(['cancelled'])
    expect((await fleet.client.history(key)).people).to.deep.include({ notDelivered: 1, sentToChat: 0 })
    await fleet.service.set({})
  })

  it('whatever is accepted while it moves is due by where it ends, and nothing is left at another time', async () => {
    const accepted: string[] = []
    await put(dayMs)
    for (let round = 1; round <= 8; round += 1) {
      const hung = [1, 2, 3].map(async (i) => accepted.push((await hang(-60 * i)).key))
      const [{ at: time }] = await Promise.all([put(dayMs + round * hourMs), ...hung])
      await requireAll(Date.parse(time))
    }
    expect((await fleet.client.event(event)).reminders.map(({ key }) => key)).to.have.members(accepted)
  })

  /** Everything that hangs on it is due by this time of its, and falls due then. */
  async function requireAll(last: number) {
    const { at: time, reminders } = await fleet.client.event(event)
    expect(Date.parse(time)).to.equal(last)
    for (const { key, offset, at: due } of reminders) {
      expect([Date.parse(due), await dueOf(key)], key).to.deep.equal([
        last + offset * secondMs,
        last + offset * secondMs,
      ])
      const ref = parseHistoryKey(key)
      const [score, leftMs] = await Promise.all([
        fleet.fixture.redis.zscore(keys.due(ref.shard), `${ref.sender}:${ref.id}:0`),
        fleet.fixture.redis.pexpiretime(keys.delivery(ref, 0)),
      ])
      expect([Number(score), leftMs], 'it falls due then').to.deep.equal(Array(2).fill(last + offset * secondMs))
    }
  }

  it('is moved and cancelled once however often, also by calls at once', async () => {
    await put(dayMs)
    const { key } = await hang(0)
    const time = at(2 * dayMs)
    const moved = await Promise.all(Array.from({ length: 8 }, () => fleet.client.putEvent(event, { at: time })))
    expect(moved.flatMap(({ reminders }) => reminders.map((each) => each.became)).sort()).to.deep.equal([
      'moved',
      ...Array(7).fill('unchanged'),
    ])
    const cancelled = await Promise.all(Array.from({ length: 8 }, () => fleet.client.cancelEvent(event)))
    expect(new Set(cancelled.map((each) => JSON.stringify(each))).size).to.equal(1)
    expect((await fleet.client.history(key)).state).to.equal('cancelled')
  })

  it('lets a message go that is given a time of its own', async () => {
    await put(dayMs)
    const { key } = await hang(0)
    const own = at(3 * dayMs)
    expect(await fleet.client.reschedule(key, own)).not.to.have.property('event')
    expect((await put(2 * dayMs)).reminders).to.deep.equal([])
    expect(await dueOf(key)).to.equal(Date.parse(own))
  })

  it('takes many at once, and says the same key again to the same call', async () => {
    await put(dayMs)
    const message = (offset: number) => ({ to: ['user:anna'], text: 'Exam', event, offset })
    const lines = [message(-60), { ...message(-120), event: 'none' }, message(-180)]
    const answers = []
    for await (const line of fleet.client.sendBulk(lines)) answers.push([line.status, line.code])
    expect(answers).to.deep.equal([
      [201, undefined],
      [422, 'unknown-event'],
      [201, undefined],
    ])
    const idempotencyKey = randomUUID()
    const first = await fleet.client.send(message(0), { idempotencyKey })
    await put(2 * dayMs)
    expect((await fleet.client.send(message(0), { idempotencyKey })).key).to.equal(first.key)
    expect((await fleet.client.event(event)).reminders).to.have.length(3)
  })

  it('is the sender’s own; operators see and move those of others, and the audit has it', async () => {
    await put(dayMs, { name: 'Mathematics' })
    const { key } = await hang(0)
    const operator = createClient({ apiUrl: fleet.apiUrl, apiKey: fleet.service.keyOf.operator })
    expect(await refused(operator.event(event))).to.deep.include({ status: 404, code: 'unknown-event' })
    expect((await operator.event(event, 'trainer-1')).reminders).to.have.length(1)
    const { reminders } = await operator.putEvent(event, { at: at(2 * dayMs) }, 'trainer-1')
    expect(reminders.map((each) => [each.key, each.became])).to.deep.equal([[key, 'moved']])
    expect(await refused(fleet.client.event(event, 'staff-1'))).to.deep.include({ status: 403, code: 'not-allowed' })
    await operator.cancelEvent(event, 'trainer-1')
    const { lines } = await operator.audit({ limit: 2 })
    expect(lines.map(({ action, by, person, detail }) => [action, by, person, detail])).to.deep.equal([
      ['event.cancelled', 'operator-1', 'trainer-1', `${event}: 1 cancelled`],
      ['event.put', 'operator-1', 'trainer-1', `${event}: 1 moved`],
    ])
  })

  it('is listed by id, page by page', async () => {
    const names = [1, 2, 3].map((i) => `a-${event}-${i}`)
    for (const name of names) await fleet.client.putEvent(name, { at: at(dayMs) })
    const first = await fleet.client.events({ limit: 2 })
    expect(first.events.map(({ id }) => id)).to.deep.equal(names.slice(0, 2))
    const { events } = await fleet.client.events({ after: first.next ?? '', limit: 1 })
    expect(events.map(({ id }) => id)).to.deep.equal(names.slice(2))
  })

  it('refuses what cannot be: no event, a time besides, too far, too late, too many', async () => {
    const of = async (call: Promise<unknown>) => {
      const problem = await refused(call)
      return [problem?.status, problem?.code, problem?.field]
    }
    expect(await of(hang(0))).to.deep.equal([422, 'unknown-event', 'event'])
    expect(await of(fleet.client.event(event))).to.deep.equal([404, 'unknown-event', undefined])
    expect(await of(fleet.client.cancelEvent(event))).to.deep.equal([404, 'unknown-event', undefined])
    await put(hourMs)
    expect(await of(hang(-7200))).to.deep.equal([422, 'past-at', 'offset'])
    expect(await of(hang(0, { at: 'now' }))).to.deep.equal([422, 'invalid', 'event'])
    expect(await of(hang(0, { in: 5 }))).to.deep.equal([422, 'invalid', 'event'])
    expect(await of(hang(0, { about: 'coupon:17' }))).to.deep.equal([422, 'invalid', 'about'])
    expect(await of(fleet.client.send({ to: ['user:anna'], text: 'x', offset: 5 }))).to.deep.equal([
      422,
      'invalid',
      'offset',
    ])
    const { key } = await fleet.client.issueKey()
    expect(await of(fleet.client.put(key, { to: ['user:anna'], text: 'x', event }))).to.deep.equal([
      422,
      'event-with-key',
      'event',
    ])
    expect(await of(put(367 * dayMs))).to.deep.equal([422, 'too-far', 'at'])
    expect(await of(put(-367 * dayMs))).to.deep.equal([422, 'past-at', 'at'])
    await hang(300 * 86_400)
    expect(await of(put(100 * dayMs)), 'a reminder would be too far').to.deep.equal([422, 'too-far', 'at'])
    const { shard } = parseHistoryKey((await hang(0)).key)
    const many = Array.from({ length: 498 }, (_unused, i) => [0, `id-${i}`]).flat()
    await fleet.fixture.redis.zadd(keys.reminders(shard, 'trainer-1', event), ...many)
    expect(await of(hang(0))).to.deep.equal([409, 'too-many-reminders', 'event'])
  })

  it('forgets a reminder that is not kept any more, and is gone itself a year after it is over', async () => {
    const { redis } = fleet.fixture
    await put(dayMs)
    const { key } = await hang(0)
    const { shard } = parseHistoryKey(key)
    const leftMs = await redis.pexpiretime(keys.event(shard, 'trainer-1', event))
    expect(leftMs - Date.now()).to.be.within(400 * dayMs, 402 * dayMs)
    expect(await redis.pexpiretime(keys.reminders(shard, 'trainer-1', event))).to.be.closeTo(leftMs, 1000)
    await fleet.client.cancel(key)
    await until(async () => {
      await purge(redis, shard, 1, 100)
      return (await redis.zcard(keys.reminders(shard, 'trainer-1', event))) === 0
    }, 'it is purged')
  })

  it('moves and cancels five hundred, as many as there can be', async () => {
    await put(30 * dayMs)
    const lines = Array.from({ length: 500 }, (_unused, i) => ({ to: ['user:anna'], text: `${i}`, event, offset: -i }))
    for await (const line of fleet.client.sendBulk(lines)) expect(line.status).to.equal(201)
    const { reminders } = await put(60 * dayMs)
    expect(reminders.filter((each) => each.became === 'moved')).to.have.length(500)
    const cancelled = await fleet.client.cancelEvent(event)
    expect(cancelled.reminders.filter((each) => each.became === 'cancelled')).to.have.length(500)
  })
})
