/** What somebody has sent is listed again in the order in which it was accepted, whatever of the list was lost. */
import { keys, rebuildStep, redisNow } from '@courier-fleet/store'
import { until } from '@courier-fleet/testkit'
import { expect } from 'chai'
import { type ClaimFixture, createClaimFixture, shard, wakeDue } from './claim-fixture.ts'

const sent = keys.sent(shard, 'dean')

describe('lua: rebuild-sent', () => {
  let fixture: ClaimFixture
  beforeEach(async () => {
    fixture = await createClaimFixture()
  })
  afterEach(() => fixture.stop())

  const list = () => fixture.redis.xrange(sent, '-', '+')
  const rebuild = async () => {
    const { indexes, next } = await rebuildStep(fixture.redis, 1)
    expect(next).to.equal(undefined)
    return indexes
  }

  /** One that was only issued, three that are scheduled, one that runs, one that was cancelled, and one of somebody else. */
  async function sendSome(): Promise<void> {
    const { histories, put, ref } = fixture
    await histories.issue('dean')
    const dueMs = Date.now() + 3_600_000
    await put(1, { channels: ['vk'] })
    await wakeDue(fixture)
    for (let n = 0; n < 3; n += 1) await put(1, { dueMs })
    await histories.cancel(await put(1, { dueMs }), 'dean')
    await put(1, { dueMs, ref: { ...ref('other'), sender: 'trainer' } })
  }

  it('leaves alone what is there', async () => {
    await sendSome()
    const before = await list()
    expect(before).to.have.length(5)
    expect(await rebuild()).to.equal(0)
    expect(await list()).to.deep.equal(before)
  })

  it('lists all of it again, or what is missing in the middle, at the end and at the beginning', async () => {
    await sendSome()
    const before = await list()
    const ids = before.map(([entry]) => entry)
    for (const lost of [ids, ids.slice(1, 3), ids.slice(-2), ids.slice(0, 1)]) {
      await fixture.redis.xdel(sent, ...lost)
      expect(await rebuild(), lost.join()).to.equal(lost.length)
      expect(await list()).to.deep.equal(before)
    }
    const others = keys.sent(shard, 'trainer')
    const theirs = await fixture.redis.xrange(others, '-', '+')
    await fixture.redis.unlink(sent, others)
    expect(await rebuild()).to.equal(6)
    expect([await list(), await fixture.redis.xrange(others, '-', '+')]).to.deep.equal([before, theirs])
    expect(await rebuild()).to.equal(0)
  })

  it('puts those of before in front of what was sent since, and takes what follows', async () => {
    await sendSome()
    const before = await list()
    await fixture.redis.unlink(sent)
    // in the same millisecond it would be given the entry of the last that was lost, which a test below is about
    const lastMs = Number.parseInt(before.at(-1)?.[0] ?? '', 10)
    await until(async () => (await redisNow(fixture.redis, sent)) > lastMs, 'the millisecond is over')
    await fixture.put(1, { ref: fixture.ref('since'), dueMs: Date.now() + 3_600_000 })
    expect(await rebuild()).to.equal(before.length)
    await fixture.put(1, { ref: fixture.ref('last'), dueMs: Date.now() + 3_600_000 })
    const after = await list()
    expect(after.slice(0, before.length)).to.deep.equal(before)
    expect(after.slice(before.length).map(([, fields]) => fields)).to.deep.equal([
      ['id', 'since'],
      ['id', 'last'],
    ])
    const { found } = await fixture.histories.list('dean', Number.MAX_SAFE_INTEGER, 10)
    expect(found.map(({ ref: { id } }) => id).slice(0, 2)).to.deep.equal(['last', 'since'])
  })

  it('lists each once, while messages are accepted and the list is lost again and again', async () => {
    const { put, ref, redis } = fixture
    const dueMs = Date.now() + 3_600_000
    let isSending = true
    const sendAll = async () => {
      for (let n = 0; n < 300; n += 1) await put(1, { ref: ref(`m-${n}`), dueMs })
    }
    const sending = sendAll().finally(() => {
      isSending = false
    })
    while (isSending) {
      await redis.unlink(sent)
      await Promise.all([rebuildStep(redis, 1), rebuildStep(redis, 1)])
    }
    await sending
    await rebuildStep(redis, 1)
    const ids = (await list()).map(([, fields]) => fields[1] as string)
    expect(ids).to.have.members(Array.from({ length: 300 }, (_unused, n) => `m-${n}`))
    for (const [entry, [, id = '']] of await list())
      expect(await redis.hget(keys.history(ref(id)), 'accepted'), id).to.equal(entry)
  })

  it('gives two messages of one millisecond an entry each, where the later was given that of the earlier', async () => {
    await sendSome()
    const [[entry, [, first = '']] = ['', []], [, [, second = '']] = ['', []], ...others] = await list()
    await fixture.redis.hset(keys.history(fixture.ref(first)), 'accepted', entry)
    await fixture.redis.hset(keys.history(fixture.ref(second)), 'accepted', entry)
    await fixture.redis.unlink(sent)
    expect(await rebuild()).to.equal(2 + others.length)
    const [[one = '', [, oneId]] = ['', []], [next = '', [, nextId]] = ['', []]] = await list()
    expect([one, next]).to.deep.equal([entry, entry.replace(/\d+$/, (number) => `${Number(number) + 1}`)])
    expect([oneId, nextId]).to.have.members([first, second])
    expect(await fixture.redis.hget(keys.history(fixture.ref(nextId ?? '')), 'accepted')).to.equal(next)
    expect(await rebuild()).to.equal(0)
  })

  it('goes on with the shard that the step before says', async () => {
    await sendSome()
    await fixture.redis.unlink(sent)
    const nothing = { histories: 0, due: 0, entries: 0, indexes: 0 }
    expect(await rebuildStep(fixture.redis, 1, 'lists.1')).to.deep.equal(nothing)
    expect(await rebuildStep(fixture.redis, 1, 'lists.0')).to.deep.equal({ ...nothing, indexes: 5 })
  })
})
