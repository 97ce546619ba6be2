/** Which messages are to be removed, to expire, held, hang on an event or are the latest about something is known by their histories alone. */
import { memberOf } from '@courier-fleet/api-types'
import { barSender, createEvents, keys, rebuildStep } from '@courier-fleet/store'
import { expect } from 'chai'
import type { Claim } from '../../src/engine/claims/claim.ts'
import { wakeShard } from '../../src/engine/claims/waker.ts'
import { type ClaimFixture, createClaimFixture, noEvidence, record, shard, wakeDue } from './claim-fixture.ts'

const hourMs = 3_600_000

describe('lua: rebuild-indexes', () => {
  let fixture: ClaimFixture
  beforeEach(async () => {
    fixture = await createClaimFixture()
  })
  afterEach(() => fixture.stop())

  const about = keys.about(shard, 'dean', 'anna:lab')
  const event = keys.event(shard, 'dean', 'exam')
  const reminders = keys.reminders(shard, 'dean', 'exam')
  /** by name, how many messages each names */
  const lists = {
    [keys.retention(shard)]: 5,
    [keys.expiry(shard)]: 2,
    [keys.held(shard)]: 1,
    [keys.senders(shard)]: 2,
    [reminders]: 2,
  }
  const dump = async () =>
    JSON.stringify([
      await Promise.all(Object.keys(lists).map((list) => fixture.redis.zrange(list, '0', '-1', 'WITHSCORES'))),
      await fixture.redis.get(about),
      await fixture.redis.pexpiretime(reminders),
    ])
  const rebuild = async () => {
    const { due, entries, indexes } = await rebuildStep(fixture.redis, 1)
    expect({ due, entries }).to.deep.equal({ due: 0, entries: 0 })
    return indexes
  }

  /** One that was only issued, and one each that is scheduled, held, runs, runs and was stopped, has settled, was cancelled. */
  async function inAllStates(): Promise<void> {
    const { redis, histories, put, ref } = fixture
    const { scripts, streams } = await fixture.process()
    await histories.issue('dean')
    const later = Date.now() + hourMs
    const events = createEvents({ redis, shards: 1 })
    const exam = await events.refOf('dean', 'exam')
    await events.put(exam, { atMs: later, name: 'Exam', late: 'refuse', plans: new Map() })
    const hanging = (offset: number) => ({
      ref: events.newReminder(exam),
      dueMs: later + offset * 1000,
      event: { id: 'exam', offset, atMs: later },
    })
    await put(1, hanging(-60))
    const cancelled = await put(1, hanging(60))
    await histories.cancel(cancelled, 'dean')

    const lab = { about: 'anna:lab', dueMs: later }
    const former = await put(1, { ref: ref('lab-1'), ...lab })
    await histories.cancel(former, 'dean')
    await put(1, { ref: ref('lab-2'), ...lab })

    const claims: Claim[] = []
    for (const id of ['running', 'stopped', 'settled']) {
      await put(1, { ref: ref(id), channels: ['vk'] })
      await wakeDue(fixture)
      claims.push(...(await streams.read(shard, 'normal', 1)))
    }
    const [, stopped, settled] = claims as [Claim, Claim, Claim]
    for (const claim of [stopped, settled]) await record(scripts, claim, Buffer.from('a'), noEvidence, false)
    await histories.cancel(stopped.ref, 'dean')
    await record(scripts, settled, Buffer.from('s'), noEvidence, true)

    const held = await put(1, { ref: { ...ref('held'), sender: 'trainer' } })
    await barSender({ redis, shards: 1 }, 'trainer', 0)
    while ((await redis.zscore(keys.held(shard), memberOf(held))) === null) await wakeShard(redis, shard, 10)
  }

  it('leaves alone what is there', async () => {
    await inAllStates()
    const before = await dump()
    expect(await rebuild()).to.equal(0)
    expect(await dump()).to.equal(before)
  })

  it('makes each again as it was, and all of them together', async () => {
    await inAllStates()
    const before = await dump()
    for (const [list, members] of Object.entries(lists)) {
      expect(await fixture.redis.zcard(list), list).to.equal(members)
      await fixture.redis.unlink(list)
      expect(await rebuild(), list).to.equal(members)
      expect(await dump(), list).to.equal(before)
      expect(await rebuild(), list).to.equal(0)
    }
    await fixture.redis.unlink(about, ...Object.keys(lists))
    await rebuild()
    expect(await dump()).to.equal(before)
    expect(await rebuild()).to.equal(0)
  })

  it('finds the latest about something, though an earlier one is found first', async () => {
    await inAllStates()
    for (const wrong of ['lab-1', 'gone']) {
      await fixture.redis.set(about, wrong)
      expect(await rebuild(), wrong).to.be.above(0)
      expect(await fixture.redis.get(about), wrong).to.equal('lab-2')
    }
  })

  it('keeps nothing for an event that is lost, until it is put again', async () => {
    await inAllStates()
    const hanging = await fixture.redis.zrange(reminders, '0', '-1', 'WITHSCORES')
    const atMs = Number(await fixture.redis.hget(event, 'at'))
    await fixture.redis.unlink(event, reminders)
    expect(await rebuild()).to.equal(0)
    expect(await fixture.redis.exists(reminders)).to.equal(0)
    const events = createEvents({ redis: fixture.redis, shards: 1 })
    await events.put(await events.refOf('dean', 'exam'), { atMs, name: 'Exam', late: 'refuse', plans: new Map() })
    expect(await rebuild()).to.equal(2)
    expect(await fixture.redis.zrange(reminders, '0', '-1', 'WITHSCORES')).to.deep.equal(hanging)
  })
})
