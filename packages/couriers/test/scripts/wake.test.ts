import type { HistoryRef } from '@courier-fleet/api-types'
import { hints, keys, type PutInput, retireChannel } from '@courier-fleet/store'
import { expect } from 'chai'
import fc from 'fast-check'
import { dump } from '../../../store/test/scripts/dump.ts'
import type { Claim } from '../../src/engine/claims/claim.ts'
import { wakeShard } from '../../src/engine/claims/waker.ts'
import {
  type ClaimFixture,
  claimWork,
  createClaimFixture,
  noEvidence,
  record,
  shard,
  waiting,
  wakeDue,
} from './claim-fixture.ts'

describe('lua: wake, and what races it', () => {
  let fixture: ClaimFixture
  beforeEach(async () => {
    fixture = await createClaimFixture()
  })
  afterEach(() => fixture.stop())

  const stateOf = (ref: Parameters<typeof keys.history>[0]) => fixture.redis.hget(keys.history(ref), 'state')

  it('makes one entry for each channel of a due delivery, however many wake it, and leaves what is not due', async () => {
    await fixture.process('vk')
    await fixture.process('sms')
    const ref = await fixture.put(1)
    const later = await fixture.put(1, { dueMs: Date.now() + 60_000 })
    await wakeDue(fixture)
    const once = await dump(fixture.redis)
    const again = await Promise.all([1, 2, 3, 4].map(() => wakeShard(fixture.redis, shard, 100)))
    expect(again).to.deep.equal([0, 0, 0, 0])
    expect(await dump(fixture.redis)).to.deep.equal(once)
    expect(await stateOf(ref)).to.equal('running')
    expect(await stateOf(later)).to.equal('scheduled')
    for (const channel of ['vk', 'sms'])
      expect(await fixture.redis.xlen(keys.work(shard, channel, 'normal'))).to.equal(1)
    expect(await fixture.redis.exists(keys.delivery(ref, 0))).to.equal(0)
  })

  it('wakes no more than it was told to, the earliest first', async () => {
    await fixture.process()
    for (let i = 0; i < 5; i += 1) await fixture.put(1)
    while (Number((await fixture.redis.zrange(keys.due(shard), '-1', '-1', 'WITHSCORES'))[1]) >= Date.now());
    const before = await fixture.redis.zrange(keys.due(shard), '0', '-1')
    expect(await wakeShard(fixture.redis, shard, 2)).to.equal(2)
    expect(await fixture.redis.zrange(keys.due(shard), '0', '-1')).to.deep.equal(before.slice(2))
    expect(await Promise.all([wakeShard(fixture.redis, shard, 2), wakeShard(fixture.redis, shard, 2)])).to.deep.equal([
      2, 1,
    ])
    expect(await fixture.redis.xlen(keys.work(shard, 'vk', 'normal'))).to.equal(5)
  })

  it('of more than it may wake it takes the newest, too: what has just become due does not wait behind a burst', async () => {
    await fixture.process()
    const dueAgo = async (agoMs: number, cls: 'normal' | 'urgent') => {
      const ref = await fixture.put(1, { class: cls })
      await fixture.redis.zadd(keys.due(shard), Date.now() - agoMs, `dean:${ref.id}:0`)
      return ref
    }
    const many = await Promise.all(Array.from({ length: 30 }, () => dueAgo(5000, 'normal')))
    const urgent = await dueAgo(1000, 'urgent')
    expect(await wakeShard(fixture.redis, shard, 10)).to.equal(10)
    expect(await stateOf(urgent)).to.equal('running')
    for (let woken = 10; woken === 10; ) woken = await wakeShard(fixture.redis, shard, 10)
    for (const ref of many) expect(await stateOf(ref)).to.equal('running')
    expect(await fixture.redis.zcard(keys.due(shard))).to.equal(0)
  })

  it('starts nothing that is not waiting to start, whatever stands in the due set', async () => {
    await fixture.process()
    const ref = await fixture.put(1)
    await wakeDue(fixture)
    for (const stray of [`dean:${ref.id}:0`, `dean:${ref.id}:7`, 'dean:not-there:0', 'dean:not-there:1']) {
      await fixture.redis.zadd(keys.due(shard), 1, stray)
      expect(await wakeShard(fixture.redis, shard, 10)).to.equal(1)
    }
    expect(await fixture.redis.xlen(keys.work(shard, 'vk', 'normal'))).to.equal(1)
    expect(await fixture.redis.zcard(keys.due(shard))).to.equal(0)
    expect(await fixture.redis.exists(keys.history(fixture.ref('not-there')))).to.equal(0)
  })

  it('a cancel before it wakes nothing; a cancel after it stops', async () => {
    await fixture.process()
    const early = await fixture.put(1, { dueMs: Date.now() + 60_000 })
    expect(await fixture.histories.cancel(early, 'dean')).to.equal('cancelled')
    const once = await dump(fixture.redis)
    expect(await fixture.histories.cancel(early, 'dean')).to.equal('cancelled')
    expect(await dump(fixture.redis)).to.deep.equal(once)
    const late = await fixture.put(1)
    await wakeDue(fixture)
    expect(await fixture.histories.cancel(late, 'dean')).to.equal('cancelled')
    const twice = await dump(fixture.redis)
    expect(await fixture.histories.cancel(late, 'dean')).to.equal('cancelled')
    expect(await dump(fixture.redis)).to.deep.equal(twice)
    expect([await stateOf(early), await stateOf(late)]).to.deep.equal(['cancelled', 'settled'])
    expect(await fixture.redis.xlen(keys.work(shard, 'vk', 'normal'))).to.equal(1)
  })

  it('cancel and reschedule against it end one way, in any order', async () => {
    const { scripts, streams } = await fixture.process()
    let message = 0
    await fc.assert(
      fc.asyncProperty(
        fc.shuffledSubarray(['wake', 'cancel', 'reschedule'] as const, { minLength: 2 }),
        fc.boolean(),
        fc.boolean(),
        async (steps, together, unstarted) => {
          message += 1
          const ref = await fixture.put(1, { ref: fixture.ref(`raced-${message}`) })
          while (Number(await fixture.redis.hget(keys.history(ref), 'due')) >= Date.now());
          const does = {
            wake: () => wakeShard(fixture.redis, shard, 100),
            cancel: () => fixture.histories.cancel(ref, 'dean', unstarted),
            reschedule: () => fixture.histories.reschedule(ref, Date.now() + 60_000).then(() => 'moved'),
          }
          const said: Record<string, unknown> = {}
          const step = async (name: keyof typeof does) => {
            said[name] = await does[name]().catch((error: { code: string }) => error.code)
          }
          if (together) await Promise.all(steps.map(step))
          else for (const name of steps) await step(name)

          const state = await stateOf(ref)
          const claims = await streams.read(shard, 'normal', 10)
          const inDue = await fixture.redis.zscore(keys.due(shard), `dean:${ref.id}:0`)
          const entries = claims.length
          expect([state, entries, inDue !== null], JSON.stringify({ steps, said })).to.deep.equal(
            said.cancel === 'cancelled'
              ? entries === 0 || unstarted
                ? ['cancelled', 0, false]
                : ['settled', 1, false]
              : said.reschedule === 'moved'
                ? ['scheduled', 0, true]
                : ['running', 1, false],
          )
          for (const claim of claims) await record(scripts, { ...claim, to: 1 }, Buffer.from('n'), noEvidence, true)
          if (inDue) await fixture.histories.cancel(ref, 'dean')
        },
      ),
      { numRuns: 60 },
    )
  })

  it('a message without channels of its own is for those in use when it starts', async () => {
    await fixture.process('vk')
    const ref = await fixture.put(1)
    await wakeDue(fixture)
    const late = await fixture.process('sms')
    expect(await fixture.redis.hget(keys.history(ref), 'expected')).to.equal('vk')
    expect(await late.streams.read(shard, 'normal', 1)).to.deep.equal([])
  })

  it('waits for the first channel where none is in use, and not for one that was retired', async () => {
    const ref = await fixture.put(1)
    while (Number(await fixture.redis.hget(keys.history(ref), 'due')) >= Date.now());
    expect(await wakeShard(fixture.redis, shard, 10)).to.equal(0)
    expect(await stateOf(ref)).to.equal('scheduled')
    await fixture.process('sms')
    await fixture.process('vk')
    await retireChannel(fixture.redis, 1, 'sms')
    expect(await wakeShard(fixture.redis, shard, 10)).to.equal(1)
    expect(await fixture.redis.hget(keys.history(ref), 'expected')).to.equal('vk')
  })

  const put: fc.Arbitrary<Partial<PutInput> & { readonly size: number }> = fc
    .record({
      size: fc.constantFrom(1, 1, 3),
      class: fc.constantFrom('urgent', 'normal', 'normal', 'bulk'),
      type: fc.constantFrom(undefined, 'news', 'exam'),
      expiresMs: fc.constantFrom(0, Date.now() + 3_600_000),
      way: fc.constantFrom(
        {},
        { channels: ['vk'] },
        { channels: ['vk', 'telegram'] },
        { steps: [{ channels: ['vk'] }, { channels: ['sms'], after: 'PT1M', unless: 'delivered' as const }] },
      ),
    })
    .map(({ way, ...message }) => ({ ...message, ...way }) as Partial<PutInput> & { readonly size: number })

  it('leaves of many that it wakes at once, and counts, what it does of one after the other', async () => {
    await fixture.process('vk')
    await fixture.process('sms')
    const hash = async (key: string) => Object.entries<string>(await fixture.redis.hgetall(key))
    async function sums(): Promise<[string, number][]> {
      const of = (await fixture.redis.keys(`stats:*`)).filter((key) => !key.endsWith(':all'))
      const stats = (await Promise.all(of.map(hash))).flat().filter(([field]) => !field.endsWith('us'))
      const waits = (await hash(keys.waiting(shard))).map(([channel, people]) => [`waits ${channel}`, people] as const)
      // how late, which the clock says, is left out: only how many were
      return [...stats, ...waits].map(([field, sum]) => [
        field.replace(/[^/:]*$/, (last) => (field.startsWith('::') ? '' : last)),
        Number(sum),
      ])
    }
    async function left(messages: readonly (Partial<PutInput> & { readonly size: number })[], limit: number) {
      const before = await sums()
      const refs: HistoryRef[] = []
      for (const { size, ...message } of messages) refs.push(await fixture.put(size, { ...message, dueMs: 1 }))
      while (Number((await fixture.redis.zrange(keys.due(shard), '-1', '-1', 'WITHSCORES'))[1]) >= Date.now());
      let woken = 0
      while (woken < messages.length) woken += await wakeShard(fixture.redis, shard, limit)
      const moved: Record<string, number> = {}
      for (const [field, sum] of await sums()) moved[field] = (moved[field] ?? 0) + sum
      for (const [field, sum] of before) moved[field] = (moved[field] ?? 0) - sum
      const nameless = (text: string) =>
        refs.reduce((all, ref, at) => all.replace(new RegExp(`${ref.id}\\b`, 'g'), `message ${at}`), text)
      const streams = await Promise.all(
        ['vk', 'sms', 'telegram'].flatMap((channel) =>
          (['urgent', 'normal', 'bulk'] as const).map(async (cls) => {
            const entries = await fixture.redis.xrange(keys.work(shard, channel, cls), '-', '+')
            await fixture.redis.xtrim(keys.work(shard, channel, cls), 'MAXLEN', 0)
            return entries.map(([, fields]) => nameless(fields.join(' '))).sort()
          }),
        ),
      )
      const histories = refs.map(async (ref) => {
        const { due, accepted, started, ...history } = await fixture.redis.hgetall(keys.history(ref))
        const member = `${ref.sender}:${ref.id}`
        const ends = [keys.retention(shard), keys.expiry(shard)].map((key) => fixture.redis.zscore(key, member))
        const expires = Number(history.expires ?? Number(due) + 86_400_000)
        return {
          history,
          ends: (await Promise.all(ends)).map((end) => Number(end) - expires),
          isDue: await fixture.redis.zscore(keys.due(shard), `${member}:0`),
        }
      })
      return {
        moved: Object.entries(moved)
          .filter(([, by]) => by !== 0)
          .sort(),
        streams,
        histories: await Promise.all(histories),
      }
    }
    await fc.assert(
      fc.asyncProperty(fc.array(put, { minLength: 1, maxLength: 6 }), async (messages) => {
        const together = await left(messages, 50)
        expect(together).to.deep.equal(await left(messages, 1))
        expect(together.histories.map(({ ends }) => ends)).to.deep.equal(messages.map(() => [0, 10_000]))
      }),
      { numRuns: 40 },
    )
  })

  it('tells whoever follows a message that it has changed, and tells nobody of the others', async () => {
    const { scripts, streams } = await fixture.process()
    const [followed] = [await fixture.put(1), await fixture.put(1), await fixture.put(1)]
    const subscriber = fixture.redis.duplicate()
    const heard: string[] = []
    subscriber.on('smessage', (channel: string) => heard.push(channel))
    await subscriber.ssubscribe(hints.change(followed), 'end')
    const told = async () =>
      Number(/cmdstat_spublish:calls=(\d+)/.exec(await fixture.redis.info('commandstats'))?.[1] ?? 0)
    const before = await told()
    for (let woken = 0; woken < 3; ) woken += await wakeDue(fixture)
    const claims = await streams.read(shard, 'normal', 3)
    for (const [byte, done] of [
      ['a', false],
      ['s', true],
    ] as const)
      await scripts.record(
        claims.map((claim) => ({ claim, version: 1, done, from: 0, bytes: Buffer.from(byte), evidence: [] })),
      )
    expect(await told()).to.equal(before + 2)
    await fixture.redis.spublish('end', '')
    while (heard.at(-1) !== 'end') await new Promise((resolve) => subscriber.once('smessage', resolve))
    subscriber.disconnect()
    // that it runs, and that it has settled; a mark changes nothing that is told
    expect(heard).to.deep.equal([hints.change(followed), hints.change(followed), 'end'])
  })

  it('a cancel calls later waves forward, with their keys', async () => {
    const { scripts, streams } = await fixture.process()
    const ref = await fixture.put(2)
    await wakeDue(fixture)
    await scripts.split(await claimWork(streams), 1)
    const [first, second] = (await streams.read(shard, 'normal', 2)) as [Claim, Claim]
    await record(scripts, first, Buffer.from('a'), noEvidence, false)
    await scripts.defer(second, [waiting(1, 2, 3_600_000, 1)])
    expect(await fixture.histories.cancel(ref, 'dean')).to.equal('stopping')
    const calledTo = await fixture.redis.zrange(keys.due(shard), '0', '-1', 'WITHSCORES')
    await fixture.histories.cancel(ref, 'dean')
    expect(await fixture.redis.zrange(keys.due(shard), '0', '-1', 'WITHSCORES')).to.deep.equal(calledTo)
    const expiresAt = await fixture.redis.pexpiretime(keys.delivery(ref, 1))
    expect(expiresAt).to.be.below(Date.now() + 10) // -2 when it has expired by now
    expect(await wakeDue(fixture)).to.equal(1)
    const [batch] = await streams.read(shard, 'normal', 1)
    const bytes = await record(scripts, batch as Claim, Buffer.from('a'), noEvidence, true)
    expect(bytes.toString()).to.equal('x')
    expect(await stateOf(ref)).to.equal('running')
    await record(scripts, first, Buffer.from('s'), noEvidence, true)
    expect(await stateOf(ref)).to.equal('settled')
  })

  it('split covers everyone exactly once in at most 2000 pieces, whatever the sizes', async () => {
    const { scripts, streams } = await fixture.process()
    let message = 0
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(fc.integer({ min: 1, max: 30 }), fc.integer({ min: 1, max: 20_000 })),
        fc.integer({ min: 1, max: 3000 }),
        async (size, people) => {
          message += 1
          await fixture.put(1, { ref: fixture.ref(`cut-${String(message).padStart(4, '0')}`) })
          await wakeDue(fixture)
          const claim = await claimWork(streams)
          await scripts.split({ ...claim, to: size }, people)
          const stream = keys.work(shard, 'vk', 'normal')
          const pieces = (await fixture.redis.xrange(stream, '-', '+')).map(([, fields]) => [
            Number(fields[3]),
            Number(fields[5]),
          ])
          await fixture.redis.xtrim(stream, 'MAXLEN', 0)
          expect(pieces.length).to.be.at.most(2000)
          let at = 0
          for (const [from, to] of pieces as [number, number][]) {
            expect(from).to.equal(at)
            expect(to).to.be.above(from)
            at = to
          }
          expect(at).to.equal(size)
          expect(await fixture.redis.hget(keys.history(claim.ref), 'vk:open')).to.equal(String(pieces.length))
        },
      ),
      { numRuns: 40 },
    )
  })
})
