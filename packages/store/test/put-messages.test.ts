import { type HistoryRef, memberOf, Problem, shardName } from '@courier-fleet/api-types'
import { type FreshRedis, freshRedis } from '@courier-fleet/testkit'
import { expect } from 'chai'
import fc from 'fast-check'
import { Redis } from 'ioredis'
import { createHistories } from '../src/history/create-histories.ts'
import type { PutInput } from '../src/history/histories.ts'
import type { Put } from '../src/history/history-scripts.ts'
import { packRecord, parseRecord } from '../src/history/message-record.ts'
import { keys, newHistoryRef } from '../src/keys.ts'
import { viewAt } from './view-at.ts'

const shards = 4
const inputFor = (ref: HistoryRef, more: Partial<PutInput> = {}): PutInput => ({
  ref,
  issued: false,
  digest: 'd',
  source: 'api',
  text: 'Пары не будет',
  to: ['user:anna'],
  class: 'normal',
  audience: ['anna'],
  dueMs: Date.now() + 3_600_000,
  expiresMs: 0,
  ...more,
})

const saidOf = (put: Put | Error): string => {
  if (put instanceof Error) return put instanceof Problem ? put.code : String(put)
  return put.created ? 'created' : 'before'
}

describe('histories: many messages at once', () => {
  let fresh: FreshRedis
  beforeEach(async () => {
    fresh = await freshRedis()
  })
  afterEach(() => fresh.stop())

  it('accepts hundreds of one tick over all shards, and the same ones again change nothing', async () => {
    const histories = createHistories({ redis: fresh.redis, shards })
    const inputs = Array.from({ length: 500 }, () => inputFor(newHistoryRef('dean', shards)))
    const few = inputs.slice(0, 3).map((input) => histories.put(input))
    expect((await histories.putMany(inputs)).map(saidOf)).to.deep.equal(
      inputs.map((_input, index) => (index < few.length ? 'before' : 'created')),
    )
    expect((await Promise.all(few)).map(saidOf)).to.deep.equal(few.map(() => 'created'))
    expect((await histories.putMany(inputs)).map(saidOf)).to.deep.equal(inputs.map(() => 'before'))
    const due = await Promise.all(
      Array.from({ length: shards }, (_, shard) => fresh.redis.zcard(keys.due(shardName(shard)))),
    )
    expect(due.reduce((sum, each) => sum + each, 0)).to.equal(inputs.length)
    expect((await histories.list('dean', Number.MAX_SAFE_INTEGER, 1000)).found).to.have.length(inputs.length)
  })

  it('answers each for itself', async () => {
    const histories = createHistories({ redis: fresh.redis, shards })
    const [one, two, three] = Array.from({ length: 3 }, () => newHistoryRef('dean', shards)) as [
      HistoryRef,
      HistoryRef,
      HistoryRef,
    ]
    const large = Array.from({ length: 3000 }, (_, index) => `person-${String(index).padStart(6, '0')}`)
    const answers = await histories.putMany([
      inputFor(one),
      inputFor(two, { issued: true }),
      inputFor(one, { digest: 'other' }),
      inputFor(three, { audience: large }),
    ])
    expect(answers.map(saidOf)).to.deep.equal(['created', 'unknown-key', 'another-body', 'created'])
    expect((await viewAt(histories, three)).audience?.size).to.equal(large.length)
    expect((await viewAt(histories, one)).audience?.size).to.equal(1)
  })

  it('has those whole that stand before one at which the script fails', async () => {
    const histories = createHistories({ redis: fresh.redis, shards: 1 })
    const [before, failing, behind] = ['dean', 'broken', 'dean'].map((sender) => newHistoryRef(sender, 1)) as [
      HistoryRef,
      HistoryRef,
      HistoryRef,
    ]
    const inputs = [before, failing, behind].map((ref) => inputFor(ref))
    const dueEntries = () => fresh.redis.zrange(keys.due(before.shard), '0', '-1')
    // a defect that nothing looks for beforehand
    await fresh.redis.set(keys.sent(failing.shard, failing.sender), 'no stream')
    for (const answer of await histories.putMany(inputs)) expect(String(answer)).to.contain('WRONGTYPE')
    expect(await fresh.redis.exists(keys.history(before), keys.record(before), keys.delivery(before, 0))).to.equal(3)
    expect(await dueEntries()).to.deep.equal([`${memberOf(before)}:0`])
    expect(await fresh.redis.exists(keys.history(failing), keys.record(failing), keys.history(behind))).to.equal(0)
    expect((await histories.list('dean', Number.MAX_SAFE_INTEGER, 10)).found).to.have.length(1)

    await fresh.redis.del(keys.sent(failing.shard, failing.sender))
    expect((await histories.putMany(inputs)).map(saidOf)).to.deep.equal(['before', 'created', 'created'])
    expect(await dueEntries()).to.have.length(3)
  })

  it('answers all of them when Redis is away', async () => {
    const redis = new Redis({ port: 1, lazyConnect: true, enableOfflineQueue: false, retryStrategy: null })
    const histories = createHistories({ redis, shards })
    const answers = await histories.putMany(Array.from({ length: 200 }, () => inputFor(newHistoryRef('dean', shards))))
    expect(answers.filter((answer) => answer instanceof Error && !(answer instanceof Problem))).to.have.length(200)
    redis.disconnect()
  })

  it('a record reads back, whatever its text and whoever stands before it', () => {
    fc.assert(
      fc.property(
        fc.string(),
        fc.array(fc.stringMatching(/^[A-Za-z0-9_-]{1,30}$/), { maxLength: 6 }),
        fc.constantFrom(undefined, 'ab'.repeat(32)),
        fc.constantFrom(
          undefined,
          { name: 'Гусева А.', groups: '[]' },
          { name: '', groups: '', forms: { sms: 'off' as const } },
        ),
        fc.option(fc.string(), { nil: undefined }),
        fc.boolean(),
        fc.constantFrom(
          undefined,
          { type: 'news' },
          { level: 1, quiet: 'respect' as const, duplicates: 'allow' as const },
        ),
        fc.constantFrom({}, { ceiling: { parts: 3 } }, { ceiling: { millionths: 1, currency: 'RUB' } }),
        (text, to, sha256, senderLine, subject, hasSecret, rules, more) => {
          const record = { source: 'sms', text, to, width: 8, sha256, senderLine, subject, hasSecret, rules, ...more }
          expect(parseRecord(packRecord(record, Buffer.from(to.join(''))))).to.deep.equal(record)
        },
      ),
    )
  })
})
