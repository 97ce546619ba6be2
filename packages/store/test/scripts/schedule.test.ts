import { memberOf, Problem } from '@courier-fleet/api-types'
import { type FreshRedis, freshRedis } from '@courier-fleet/testkit'
import { expect } from 'chai'
import { Redis } from 'ioredis'
import { tagOf } from '../../src/hash-tags.ts'
import { issue, maxScheduled, reschedule, upload, uploadedIn } from '../../src/history/history-scripts.ts'
import { hints, keys } from '../../src/keys.ts'
import { input, ref, scheduleAll, scheduleOne, soon } from './accepting.ts'
import { dump } from './dump.ts'

const problemOf = async (call: Promise<unknown>): Promise<Problem> => {
  const problem = await call.then(
    () => undefined,
    (error: unknown) => error,
  )
  expect(problem).to.be.instanceOf(Problem)
  return problem as Problem
}

const statsKeys = (found: Record<string, unknown>) => Object.keys(found).filter((key) => key.startsWith('stats:'))

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
    expect(await scheduleOne(redis, full)).to.equal(true)
    const once = await dump(redis)
    expect(Object.keys(once)).to.have.members([
      keys.history(ref),
      keys.record(ref),
      keys.delivery(ref, 0),
      keys.due(ref.shard),
      keys.sent(ref.shard, ref.sender),
      keys.senders(ref.shard),
      ...statsKeys(once),
    ])
    expect(statsKeys(once)).to.have.length(2)
    expect(once[keys.history(ref)]).to.deep.include({ expires: -1 })
    expect(once[keys.delivery(ref, 0)]).to.deep.include({ expires: dueMs })
    expect(once[keys.due(ref.shard)]).to.deep.include({ value: [`${memberOf(ref)}:0`, String(dueMs)] })
    expect(await redis.hgetall(keys.history(ref))).to.include({ state: 'scheduled', size: '2', channels: 'vk,sms' })
    const [[accepted, fields]] = (await redis.xrange(keys.sent(ref.shard, ref.sender), '-', '+')) as [
      [string, string[]],
    ]
    expect(fields).to.deep.equal(['id', ref.id])
    expect(await redis.hget(keys.history(ref), 'accepted')).to.equal(accepted)

    expect(await scheduleOne(redis, full)).to.equal(false)
    expect(await dump(redis)).to.deep.equal(once)
  })

  for (const [what, prepare, changed, status, code] of [
    ['a key that was not issued', async () => {}, { issued: true }, 404, 'unknown-key'],
    ['another body', () => scheduleOne(redis, { ...input, dueMs: soon() }), { digest: 'd2' }, 409, 'another-body'],
    ['an uploaded audience that has lapsed', async () => {}, { audience: uploadedIn('1') }, 503, 'try-again'],
    [
      'a cancelled key',
      () => redis.hset(keys.history(ref), { state: 'cancelled', cancelled: 1 }),
      {},
      409,
      'cancelled',
    ],
  ] as const) {
    it(`refuses ${what} and leaves everything as it was`, async () => {
      await prepare()
      const before = await dump(redis)
      const problem = await problemOf(scheduleOne(redis, { ...input, ...changed }))
      expect([problem.status, problem.code]).to.deep.equal([status, code])
      expect(await dump(redis)).to.deep.equal(before)
    })
  }

  it('takes an uploaded audience over, whole, and keeps it for good', async () => {
    const waiting = keys.upload(ref, '1')
    await upload(redis, waiting, 0, 'p01', 60_000)
    await upload(redis, waiting, 3, 'p02', 60_000)
    await upload(redis, waiting, 3, 'p02', 60_000)
    expect(await redis.pttl(waiting)).to.be.within(1, 60_000)
    expect(await scheduleOne(redis, { ...input, audience: uploadedIn('1') })).to.equal(true)
    expect(await redis.get(keys.audience(ref))).to.equal('p01p02')
    expect(await redis.pttl(keys.audience(ref))).to.equal(-1)
    expect(await redis.exists(waiting)).to.equal(0)
  })

  it('uploads nothing where what comes before is gone', async () => {
    const problem = await problemOf(upload(redis, keys.upload(ref, '1'), 3, 'p02', 1000))
    expect([problem.status, problem.code]).to.deep.equal([503, 'try-again'])
    expect(await dump(redis)).to.deep.equal({})
  })

  it('an uploaded audience serves only the attempt it belongs to', async () => {
    await upload(redis, keys.upload(ref, '2'), 0, 'p01p02', 1000)
    expect((await problemOf(scheduleOne(redis, { ...input, audience: uploadedIn('1') }))).code).to.equal('try-again')
    expect(await redis.exists(keys.history(ref))).to.equal(0)
  })

  it('an audience that the record does not hold has a key of its own', async () => {
    const audience = 'p01'.repeat(30)
    expect(await scheduleOne(redis, { ...input, audience, size: 30 })).to.equal(true)
    expect(await redis.get(keys.audience(ref))).to.equal(audience)
  })

  it('accepts many in one call, each for itself', async () => {
    const [known, issued, lapsed, fresh, twice] = ['1', '2', '3', '4', '5'].map((id) => ({
      ...ref,
      id: `abcdefgh${id}`,
    }))
    const message = (of: typeof known, more = {}) => ({ ...input, ref: of as typeof ref, dueMs: soon(), ...more })
    await scheduleOne(redis, message(known))
    await issue(redis, issued as typeof ref, 60_000)
    const messages = [
      message(known),
      message(issued, { issued: true }),
      message(lapsed, { issued: true }),
      message(known, { digest: 'd2' }),
      message(fresh, { channels: ['vk'], expiresMs: soon(120_000) }),
      message(lapsed, { audience: uploadedIn('1') }),
      message(twice, { digest: 'd3' }),
      message(twice, { digest: 'd3' }),
      message(twice, { digest: 'd4' }),
    ]
    const answers = await scheduleAll(redis, ref.shard, messages)
    const inWords = (all: typeof answers) => all.map((each) => (each instanceof Problem ? each.code : each))
    const refused = { unknown: 'unknown-key', other: 'another-body', upload: 'try-again' }
    expect(inWords(answers)).to.deep.equal([
      false,
      true,
      refused.unknown,
      refused.other,
      true,
      refused.upload,
      true,
      false,
      refused.other,
    ])
    const once = await dump(redis)
    expect(await redis.exists(keys.history(lapsed as typeof ref))).to.equal(0)
    expect(await redis.pttl(keys.history(issued as typeof ref))).to.equal(-1)
    expect(await redis.zcard(keys.due(ref.shard))).to.equal(4)
    expect(await redis.xlen(keys.sent(ref.shard, ref.sender))).to.equal(4)
    expect(await redis.hgetall(keys.history(fresh as typeof ref))).to.include({ state: 'scheduled', channels: 'vk' })

    const again = await scheduleAll(redis, ref.shard, messages)
    expect(inWords(again)).to.deep.equal(inWords(answers).map((answer) => (answer === true ? false : answer)))
    expect(await dump(redis)).to.deep.equal(once)
  })

  it('keeps of each in a call what that one has, and nothing of what is refused', async () => {
    const message = (sender: string, id: string, more = {}) => ({
      ...input,
      ref: { ...ref, sender, id: `abcdefgh${id}` },
      record: `p01p02["api","${id}",[],3]`,
      dueMs: soon(),
      ...more,
    })
    const at = soon(120_000)
    const about = message('dean', '1', { about: 'p01:room', type: 'news', secret: '1234', expiresMs: at })
    const refused = message('dean', '2', { about: 'p01:room', plan: '{}' })
    const plain = message('dean', '3')
    const full = message('office', '4', {
      channels: ['vk'],
      plan: '{}',
      steps: 's',
      deadlineMs: 5,
      ceiling: 7,
      laidBy: 16,
    })
    const answers = await scheduleAll(redis, ref.shard, [about, refused, plain, full])
    expect(answers.map((each) => (each instanceof Problem ? each.code : each))).to.deep.equal([
      true,
      'another-reminder',
      true,
      true,
    ])
    const accepted = [about, plain, full]
    expect(await Promise.all(accepted.map((each) => redis.get(keys.record(each.ref))))).to.deep.equal(
      accepted.map(({ record }) => record),
    )
    expect(
      await redis.exists(keys.history(refused.ref), keys.record(refused.ref), keys.delivery(refused.ref, 0)),
    ).to.equal(0)
    expect(await redis.zrange(keys.due(ref.shard), '0', '-1', 'WITHSCORES')).to.have.members(
      accepted.flatMap((each) => [`${memberOf(each.ref)}:0`, String(each.dueMs)]),
    )
    const always = ['state', 'digest', 'size', 'due', 'accepted', 'class']
    const ownOf = async (each: typeof plain) => {
      const fields = Object.entries(await redis.hgetall(keys.history(each.ref)))
      return Object.fromEntries(fields.filter(([name]) => !always.includes(name)))
    }
    expect(await ownOf(plain)).to.deep.equal({})
    expect(await ownOf(about)).to.deep.equal({ about: 'p01:room', type: 'news', secret: '1', expires: String(at) })
    expect(await ownOf(full)).to.deep.equal({ channels: 'vk', plan: '{}', steps: 's', deadline: '5', ceiling: '7' })
    expect(await redis.get(keys.secret(about.ref))).to.equal('1234')
    for (const [sender, last] of [
      ['dean', plain],
      ['office', full],
    ] as const) {
      const id = await redis.hget(keys.history(last.ref), 'accepted')
      expect(await redis.zscore(keys.senders(ref.shard), sender)).to.equal(id?.split('-')[0])
    }
  })

  it('a full call touches one shard only', async () => {
    const messages = Array.from({ length: maxScheduled }, (_unused, index) => ({
      ...input,
      ref: { ...ref, id: `abcdefgh${index}` },
      record: `p01p02["api","${'т'.repeat(100)}",["user:p01","user:p02"],3]`,
      dueMs: soon(),
    }))
    expect(await scheduleAll(redis, ref.shard, messages)).to.deep.equal(messages.map(() => true))
    for (const key of await redis.keys('*')) expect(/\{(.*?)\}/.exec(key)?.[1]).to.equal(tagOf(ref.shard))
  })

  it('sends at once what is due in the past, and its key expires', async () => {
    const before = Date.now()
    await scheduleOne(redis, { ...input, dueMs: 1 })
    expect(Number(await redis.hget(keys.history(ref), 'due'))).to.be.within(before, Date.now() + 2)
  })

  it('tells the trackers of a key that was issued, and of no other', async () => {
    const subscriber = new Redis(fresh.url)
    const heard: string[] = []
    subscriber.on('smessage', (channel) => heard.push(channel))
    const [waited, other] = ['1', '2'].map((id) => ({ ...ref, id: `abcdefgh${id}` })) as [typeof ref, typeof ref]
    await subscriber.ssubscribe(hints.change(waited), hints.change(other), 'end')
    await issue(redis, waited, 60_000)
    await scheduleAll(redis, ref.shard, [
      { ...input, ref: waited, issued: true, dueMs: soon() },
      { ...input, ref: other, dueMs: soon() },
    ])
    await redis.spublish('end', '')
    while (heard.at(-1) !== 'end') await new Promise((resolve) => subscriber.once('smessage', resolve))
    subscriber.disconnect()
    expect(heard).to.deep.equal([hints.change(waited), 'end'])
  })

  it('tells of a new head of the due set, and of nothing else', async () => {
    const subscriber = new Redis(fresh.url)
    const heard: string[] = []
    subscriber.on('smessage', (_channel, payload: string) => heard.push(payload))
    await subscriber.ssubscribe(hints.dueHead(ref.shard))
    const other = (id: string) => ({ ...ref, id: `abcdefgh${id}` })
    const base = soon(3_600_000)
    await scheduleOne(redis, { ...input, ref: other('1'), dueMs: base + 20 })
    await scheduleOne(redis, { ...input, ref: other('2'), dueMs: base + 30 })
    await scheduleOne(redis, { ...input, ref: other('3'), dueMs: base + 10 })
    await reschedule(redis, other('2'), base + 5)
    await reschedule(redis, other('1'), base + 15)
    await redis.spublish(hints.dueHead(ref.shard), 'end')
    while (heard.at(-1) !== 'end') await new Promise((resolve) => subscriber.once('smessage', resolve))
    subscriber.disconnect()
    // the channel is shared by all databases: others' messages are not due at these times
    const known = new Set([5, 10, 15, 20, 30].map((ms) => String(base + ms)))
    expect(heard.filter((payload) => known.has(payload))).to.deep.equal([20, 10, 5].map((ms) => String(base + ms)))
  })

  it('reschedule moves the delivery key with the time, the second run changes nothing', async () => {
    await scheduleOne(redis, { ...input, dueMs: soon() })
    const dueMs = soon(120_000)
    expect(await reschedule(redis, ref, dueMs)).to.equal(dueMs)
    const once = await dump(redis)
    expect(once[keys.delivery(ref, 0)]).to.deep.include({ expires: dueMs })
    expect(await reschedule(redis, ref, dueMs)).to.equal(dueMs)
    expect(await dump(redis)).to.deep.equal(once)
  })

  it('reschedule moves when it expires with the time, where that is by default', async () => {
    const dueMs = soon()
    await scheduleOne(redis, { ...input, dueMs, expiresMs: dueMs + 5000, lastsMs: 5000 })
    const expires = () => redis.hget(keys.history(ref), 'expires')
    for (const moved of [dueMs + 4000, dueMs + 90_000, dueMs - 500]) {
      await reschedule(redis, ref, moved)
      expect(await expires()).to.equal(String(moved + 5000))
    }
  })

  for (const [what, fields, status, code] of [
    ['an unknown key', {}, 404, 'unknown-key'],
    ['a key nothing was put under', { state: 'issued' }, 404, 'unknown-key'],
    ['what runs', { state: 'running' }, 409, 'already-started'],
    ['what is over', { state: 'settled' }, 409, 'already-started'],
    ['what was cancelled', { state: 'cancelled' }, 409, 'already-started'],
    ['what would expire first', { state: 'scheduled', expires: '5' }, 422, 'expires-first'],
    [
      'what would expire before its last step is due',
      { state: 'scheduled', expires: String(soon(300_000)), steps: 'telegram 0 - -;vk 400000 - -;' },
      422,
      'expires-first',
    ],
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
