import { type FreshRedis, freshRedis } from '@courier-fleet/testkit'
import { expect } from 'chai'
import { Redis } from 'ioredis'
import { issue, reschedule, schedule } from '../../src/history/history-scripts.ts'
import { dueHeadChannel, keys, memberOf, Problem } from '../../src/index.ts'
import { input, ref, soon } from './accepting.ts'
import { dump } from './dump.ts'

const problemOf = async (call: Promise<unknown>): Promise<Problem> => {
  const problem = await call.then(
    () => undefined,
    (error: unknown) => error,
  )
  expect(problem).to.be.instanceOf(Problem)
  return problem as Problem
}

describe('lua: issue and schedule', () => {
  let fresh: FreshRedis
  let redis: Redis
  beforeEach(async () => {
    fresh = await freshRedis()
    redis = fresh.redis
  })
  afterEach(() => fresh.stop())

  it('issue reserves a key for a while, and the second run changes nothing', async () => {
    expect(await issue(redis, ref, 60_000)).to.equal(true)
    const once = await dump(redis)
    expect(await issue(redis, ref, 90_000)).to.equal(false)
    expect(await dump(redis)).to.deep.equal(once)
    expect(await redis.pttl(keys.history(ref))).to.be.within(1, 60_000)
  })

  it('schedule writes all of it in one step, and the second run changes nothing', async () => {
    await issue(redis, ref, 60_000)
    const dueMs = soon()
    const full = { ...input, issued: true, dueMs, expiresMs: dueMs + 1000, channels: ['vk', 'sms'] }
    expect(await schedule(redis, ref, full)).to.equal(true)
    const once = await dump(redis)
    expect(Object.keys(once)).to.have.members([
      keys.history(ref),
      keys.record(ref),
      keys.audience(ref),
      keys.delivery(ref, 0),
      keys.due(ref.shard),
      keys.sent(ref.shard, ref.sender),
    ])
    expect(once[keys.history(ref)]).to.deep.include({ expires: -1 })
    expect(once[keys.delivery(ref, 0)]).to.deep.include({ expires: dueMs })
    expect(once[keys.due(ref.shard)]).to.deep.include({ value: [`${memberOf(ref)}:0`, String(dueMs)] })
    expect(await redis.hgetall(keys.history(ref))).to.include({ state: 'scheduled', size: '2', channels: 'vk,sms' })
    expect(await redis.zrange(keys.sent(ref.shard, ref.sender), '0', '-1')).to.deep.equal([ref.id])

    expect(await schedule(redis, ref, full)).to.equal(false)
    expect(await dump(redis)).to.deep.equal(once)
  })

  for (const [what, prepare, changed, status, code] of [
    ['a key that was not issued', async () => {}, { issued: true }, 404, 'unknown-key'],
    ['another body', () => schedule(redis, ref, { ...input, dueMs: soon() }), { digest: 'd2' }, 409, 'another-body'],
    ['a staged audience that has lapsed', async () => {}, { audience: '' as const }, 503, 'try-again'],
    ['a cancelled key', () => redis.hset(keys.history(ref), 'state', 'cancelled'), {}, 409, 'another-body'],
  ] as const) {
    it(`refuses ${what} and leaves everything as it was`, async () => {
      await prepare()
      const before = await dump(redis)
      const problem = await problemOf(schedule(redis, ref, { ...input, ...changed }))
      expect([problem.status, problem.code]).to.deep.equal([status, code])
      expect(await dump(redis)).to.deep.equal(before)
    })
  }

  it('takes a staged audience over and keeps it for good', async () => {
    const staged = keys.staged(ref, input.digest)
    await redis.set(staged, 'p01p02', 'PX', 1000)
    expect(await schedule(redis, ref, { ...input, audience: '' })).to.equal(true)
    expect(await redis.get(keys.audience(ref))).to.equal('p01p02')
    expect(await redis.pttl(keys.audience(ref))).to.equal(-1)
    expect(await redis.exists(staged)).to.equal(0)
  })

  it('a staged audience serves only the body it belongs to', async () => {
    await redis.set(keys.staged(ref, 'd2'), 'p01p02', 'PX', 1000)
    expect((await problemOf(schedule(redis, ref, { ...input, audience: '' }))).code).to.equal('try-again')
    expect(await redis.exists(keys.history(ref))).to.equal(0)
  })

  it('sends at once what is due in the past, and rings its bell', async () => {
    const before = Date.now()
    await schedule(redis, ref, { ...input, dueMs: 1 })
    expect(Number(await redis.hget(keys.history(ref), 'due'))).to.be.within(before, Date.now() + 2)
  })

  it('tells of a new head of the due set, and of nothing else', async () => {
    const subscriber = new Redis(fresh.url)
    const heard: string[] = []
    subscriber.on('message', (_channel, payload: string) => heard.push(payload))
    await subscriber.subscribe(dueHeadChannel)
    const other = (id: string) => ({ ...ref, id: `abcdefgh${id}` })
    const base = soon(3_600_000)
    await schedule(redis, other('1'), { ...input, dueMs: base + 20 })
    await schedule(redis, other('2'), { ...input, dueMs: base + 30 })
    await schedule(redis, other('3'), { ...input, dueMs: base + 10 })
    await reschedule(redis, other('2'), base + 5)
    await reschedule(redis, other('1'), base + 15)
    await redis.publish(dueHeadChannel, 'end')
    while (heard.at(-1) !== 'end') await new Promise((resolve) => subscriber.once('message', resolve))
    subscriber.disconnect()
    // the channel is shared by all databases: others' messages are not due at these times
    expect(heard.filter((at) => Number(at) >= base && Number(at) <= base + 30)).to.deep.equal(
      [20, 10, 5].map((ms) => String(base + ms)),
    )
  })

  it('reschedule moves the bell with the time, the second run changes nothing', async () => {
    await schedule(redis, ref, { ...input, dueMs: soon() })
    const dueMs = soon(120_000)
    expect(await reschedule(redis, ref, dueMs)).to.equal(dueMs)
    const once = await dump(redis)
    expect(once[keys.delivery(ref, 0)]).to.deep.include({ expires: dueMs })
    expect(await reschedule(redis, ref, dueMs)).to.equal(dueMs)
    expect(await dump(redis)).to.deep.equal(once)
  })

  for (const [what, fields, status, code] of [
    ['an unknown key', {}, 404, 'unknown-key'],
    ['a key nothing was put under', { state: 'issued' }, 404, 'unknown-key'],
    ['what runs', { state: 'running' }, 409, 'already-started'],
    ['what is over', { state: 'settled' }, 409, 'already-started'],
    ['what was cancelled', { state: 'cancelled' }, 409, 'already-started'],
    ['what would expire first', { state: 'scheduled', expires: '5' }, 422, 'expires-first'],
  ] as const) {
    it(`reschedule refuses ${what}`, async () => {
      if (Object.keys(fields).length > 0) await redis.hset(keys.history(ref), fields)
      const before = await dump(redis)
      const problem = await problemOf(reschedule(redis, ref, soon()))
      expect([problem.status, problem.code]).to.deep.equal([status, code])
      expect(await dump(redis)).to.deep.equal(before)
    })
  }
})
