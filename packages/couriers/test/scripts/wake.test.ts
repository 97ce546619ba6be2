import { keys } from '@courier-fleet/store'
import { expect } from 'chai'
import fc from 'fast-check'
import { dump } from '../../../store/test/scripts/dump.ts'
import { claimOrder, type Ground, noEvidence, record, setGround, shard, wakeDue } from './claims.ts'

describe('lua: wake, and what races it', () => {
  let ground: Ground
  beforeEach(async () => {
    ground = await setGround()
  })
  afterEach(() => ground.stop())

  const stateOf = (ref: Parameters<typeof keys.history>[0]) => ground.redis.hget(keys.history(ref), 'state')

  it('makes one order of a due delivery, however many wake it, and leaves what is not due', async () => {
    const [one, two] = [await ground.process('vk'), await ground.process('sms')]
    const ref = await ground.put(1)
    const later = await ground.put(1, { dueMs: Date.now() + 60_000 })
    await wakeDue(ground, one.scripts)
    const once = await dump(ground.redis)
    const again = await Promise.all([one, two, one, two].map(({ scripts }) => scripts.wake(shard, 100)))
    expect(again).to.deep.equal([0, 0, 0, 0])
    expect(await dump(ground.redis)).to.deep.equal(once)
    expect(await stateOf(ref)).to.equal('running')
    expect(await stateOf(later)).to.equal('scheduled')
    expect(await ground.redis.xlen(keys.orders(shard, 'normal'))).to.equal(1)
    expect(await ground.redis.exists(keys.delivery(ref, 0))).to.equal(0)
  })

  it('wakes no more than it was told to, the earliest first', async () => {
    const { scripts } = await ground.process()
    for (let i = 0; i < 5; i += 1) await ground.put(1)
    while (Number((await ground.redis.zrange(keys.due(shard), '-1', '-1', 'WITHSCORES'))[1]) >= Date.now());
    const before = await ground.redis.zrange(keys.due(shard), '0', '-1')
    expect(await scripts.wake(shard, 2)).to.equal(2)
    expect(await ground.redis.zrange(keys.due(shard), '0', '-1')).to.deep.equal(before.slice(2))
    expect(await Promise.all([scripts.wake(shard, 2), scripts.wake(shard, 2)])).to.deep.equal([2, 1])
    expect(await ground.redis.xlen(keys.orders(shard, 'normal'))).to.equal(5)
  })

  it('of more than it may wake it takes the newest, too: what has just become due does not wait behind a burst', async () => {
    const { scripts } = await ground.process()
    const dueAgo = async (agoMs: number, cls: 'normal' | 'urgent') => {
      const ref = await ground.put(1, { class: cls })
      await ground.redis.zadd(keys.due(shard), Date.now() - agoMs, `dean:${ref.id}:0`)
      return ref
    }
    const many = await Promise.all(Array.from({ length: 30 }, () => dueAgo(5000, 'normal')))
    const urgent = await dueAgo(1000, 'urgent')
    expect(await scripts.wake(shard, 10)).to.equal(10)
    expect(await stateOf(urgent)).to.equal('running')
    for (let woken = 10; woken === 10; ) woken = await scripts.wake(shard, 10)
    for (const ref of many) expect(await stateOf(ref)).to.equal('running')
    expect(await ground.redis.zcard(keys.due(shard))).to.equal(0)
  })

  it('starts nothing that is not waiting to start, whatever stands in the due set', async () => {
    const { scripts } = await ground.process()
    const ref = await ground.put(1)
    await wakeDue(ground, scripts)
    for (const stray of [`dean:${ref.id}:0`, `dean:${ref.id}:7`, 'dean:not-there:0', 'dean:not-there:1']) {
      await ground.redis.zadd(keys.due(shard), 1, stray)
      expect(await scripts.wake(shard, 10)).to.equal(1)
    }
    expect(await ground.redis.xlen(keys.orders(shard, 'normal'))).to.equal(1)
    expect(await ground.redis.xlen(keys.batches(shard, 'vk', 'normal'))).to.equal(0)
    expect(await ground.redis.zcard(keys.due(shard))).to.equal(0)
    expect(await ground.redis.exists(keys.history(ground.ref('not-there')))).to.equal(0)
  })

  it('a cancel before it wakes nothing; a cancel after it stops', async () => {
    const { scripts } = await ground.process()
    const early = await ground.put(1, { dueMs: Date.now() + 60_000 })
    expect(await ground.histories.cancel(early)).to.equal('cancelled')
    const once = await dump(ground.redis)
    expect(await ground.histories.cancel(early)).to.equal('cancelled')
    expect(await dump(ground.redis)).to.deep.equal(once)
    const late = await ground.put(1)
    await wakeDue(ground, scripts)
    expect(await ground.histories.cancel(late)).to.equal('stopping')
    const twice = await dump(ground.redis)
    expect(await ground.histories.cancel(late)).to.equal('stopping')
    expect(await dump(ground.redis)).to.deep.equal(twice)
    expect([await stateOf(early), await stateOf(late)]).to.deep.equal(['cancelled', 'running'])
    expect(await ground.redis.xlen(keys.orders(shard, 'normal'))).to.equal(1)
  })

  it('cancel and reschedule against it end one way, in any order', async () => {
    const { scripts, streams } = await ground.process()
    let message = 0
    await fc.assert(
      fc.asyncProperty(
        fc.shuffledSubarray(['wake', 'cancel', 'reschedule'] as const, { minLength: 2 }),
        fc.boolean(),
        async (steps, together) => {
          message += 1
          const ref = await ground.put(1, { ref: ground.ref(`raced-${message}`) })
          while (Number(await ground.redis.hget(keys.history(ref), 'due')) >= Date.now());
          const does = {
            wake: () => scripts.wake(shard, 100),
            cancel: () => ground.histories.cancel(ref),
            reschedule: () => ground.histories.reschedule(ref, Date.now() + 60_000).then(() => 'moved'),
          }
          const said: Record<string, unknown> = {}
          const step = async (name: keyof typeof does) => {
            said[name] = await does[name]().catch((error: { code: string }) => error.code)
          }
          if (together) await Promise.all(steps.map(step))
          else for (const name of steps) await step(name)

          const state = await stateOf(ref)
          const claims = await streams.readOrders(shard, 'normal', 10)
          const inDue = await ground.redis.zscore(keys.due(shard), `dean:${ref.id}:0`)
          const orders = claims.length
          expect([state, orders, inDue !== null], JSON.stringify({ steps, said })).to.deep.equal(
            said.cancel === 'cancelled'
              ? ['cancelled', 0, false]
              : said.reschedule === 'moved'
                ? ['scheduled', 0, true]
                : ['running', 1, false],
          )
          for (const claim of claims) await record(scripts, { ...claim, to: 1 }, Buffer.from('n'), noEvidence, true)
          if (inDue) await ground.histories.cancel(ref)
        },
      ),
      { numRuns: 60 },
    )
  })

  it('a message without channels of its own waits for those that had an ear when it started', async () => {
    const { scripts } = await ground.process('vk')
    const ref = await ground.put(1)
    await wakeDue(ground, scripts)
    const late = await ground.process('sms')
    expect(await ground.redis.hget(keys.history(ref), 'expected')).to.equal('vk')
    const [claim] = await late.streams.readOrders(shard, 'normal', 1)
    expect(claim?.ref.id).to.equal(ref.id)
  })

  it('a cancel calls later waves forward, bell and all', async () => {
    const { scripts, streams } = await ground.process()
    const ref = await ground.put(2)
    await wakeDue(ground, scripts)
    await scripts.defer(await claimOrder(streams, 2), 0, 2, 1, 3_600_000)
    await ground.histories.cancel(ref)
    const calledTo = await ground.redis.zrange(keys.due(shard), '0', '-1', 'WITHSCORES')
    await ground.histories.cancel(ref)
    expect(await ground.redis.zrange(keys.due(shard), '0', '-1', 'WITHSCORES')).to.deep.equal(calledTo)
    const ringsAt = await ground.redis.pexpiretime(keys.delivery(ref, 1))
    expect(ringsAt).to.be.below(Date.now() + 10) // -2 when it has rung by now
    expect(await wakeDue(ground, scripts)).to.equal(1)
    const [batch] = await streams.readBatches(shard, 'normal', 1)
    const bytes = await record(scripts, batch as NonNullable<typeof batch>, Buffer.from('aa'), noEvidence, true)
    expect(bytes.toString()).to.equal('xx')
    expect(await stateOf(ref)).to.equal('settled')
  })

  it('split covers everyone exactly once in at most 2000 pieces, whatever the sizes', async () => {
    const { scripts, streams } = await ground.process()
    let message = 0
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(fc.integer({ min: 1, max: 30 }), fc.integer({ min: 1, max: 20_000 })),
        fc.integer({ min: 1, max: 3000 }),
        async (size, people) => {
          message += 1
          await ground.put(1, { ref: ground.ref(`cut-${String(message).padStart(4, '0')}`) })
          await wakeDue(ground, scripts)
          const claim = await claimOrder(streams, size)
          await scripts.split(claim, size, people)
          const stream = keys.batches(shard, 'vk', 'normal')
          const pieces = (await ground.redis.xrange(stream, '-', '+')).map(([, fields]) => [
            Number(fields[3]),
            Number(fields[5]),
          ])
          await ground.redis.xtrim(stream, 'MAXLEN', 0)
          expect(pieces.length).to.be.at.most(2000)
          let at = 0
          for (const [from, to] of pieces as [number, number][]) {
            expect(from).to.equal(at)
            expect(to).to.be.above(from)
            at = to
          }
          expect(at).to.equal(size)
          expect(await ground.redis.hget(keys.history(claim.ref), 'vk:open')).to.equal(String(pieces.length))
        },
      ),
      { numRuns: 40 },
    )
  })
})
