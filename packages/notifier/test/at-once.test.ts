/**
 * A change of state is told at once, though what changes again and again is told in turn. Nothing here is measured: whatever waits for its
 * turn would wait for longer than a test may.
 */
import { parseHistoryKey } from '@courier-fleet/api-types'
import { silentLog } from '@courier-fleet/process'
import {
  bucketOf,
  connectSubscriber,
  expire,
  keys,
  packTold,
  type Sending,
  type Told,
  tagOf,
  tagOfBucket,
  unpackTold,
} from '@courier-fleet/store'
import { until } from '@courier-fleet/testkit'
import { expect } from 'chai'
import { createMarks } from '../src/marks.ts'
import { createWork, type Work } from '../src/work.ts'
import { createFixture, type Fixture } from './fixture.ts'
import type { Receiver } from './receiver.ts'

const tooLongMs = 3_600_000
const anna = { id: 'anna', name: 'Anna', role: 'student', timeZone: 'UTC', language: 'en' } as const

describe('what is told at once', () => {
  let fixture: Fixture
  let receiver: Receiver
  beforeEach(async () => {
    fixture = await createFixture()
    receiver = await fixture.startReceiver()
  })
  afterEach(() => fixture.stop())

  it('that a history runs, is stopped and has settled, however lately it was told of', async () => {
    await fixture.startNotifier({ runningMs: tooLongMs })
    await fixture.subscribe(receiver, 'history')
    const key = await fixture.put({ text: 'Hello' })
    const isTold = (what: string, state: string, isStopped = false) =>
      until(() => {
        const view = receiver.view(key)
        return view.state === state && (view.cancelledAt !== undefined) === isStopped
      }, `it is told to be ${what}`)
    await isTold('scheduled', 'scheduled')
    await fixture.run(key)
    await isTold('running', 'running')
    const ref = parseHistoryKey(key)
    const mark = (byte: string) => fixture.redis.setrange(keys.receipts(ref, 'vk'), 0, byte)
    await mark('a') // as a courier does: so it cannot settle yet
    await fixture.histories.cancel(ref, 'root')
    await isTold('stopped', 'running', true)
    await mark('\0')
    await expire(fixture.redis, ref)
    await isTold('settled', 'settled', true)
    expect(receiver.disorder()).to.deep.equal([])
  })

  it('also where it was put off while it ran', async () => {
    const { id } = await fixture.subscribe(receiver, 'history')
    const key = await fixture.put({ text: 'Hello' })
    await fixture.run(key)
    await fixture.startNotifier({ runningMs: tooLongMs })
    await until(() => receiver.view(key).state === 'running', 'it is told to run')
    await fixture.histories.callForward(parseHistoryKey(key), 'quiet', 'root')
    const dueMs = async () => Number(await fixture.redis.zscore(keys.subscriptionDue(id), key))
    await until(async () => (await dueMs()) > Date.now() + tooLongMs / 2, 'what has changed is put off')
    await fixture.histories.cancel(parseHistoryKey(key), 'root')
    await until(() => receiver.view(key).state === 'settled', 'it is told to have settled')
  })

  it('also where it was told of before Redis’s clock was set back', async () => {
    const { redis, histories } = fixture
    const { id } = await fixture.subscribe(receiver, 'history')
    const key = await fixture.put({ text: 'Hello' })
    await fixture.run(key)
    const first = await fixture.startNotifier()
    await until(() => receiver.view(key).state === 'running', 'it is told to run')
    const isDone = async () => (await redis.zcard(keys.subscriptionDue(id))) === 0
    await until(isDone, 'that is noted')
    await first.stop()
    const views = keys.subscriptionViews(id)
    const told = unpackTold<Told>((await redis.hgetBuffer(views, key)) as Buffer)
    await redis.hset(views, key, packTold({ ...told, atMs: told.atMs + tooLongMs }))
    await histories.callForward(parseHistoryKey(key), 'quiet', 'root')
    await createWork(redis, 'another').note(id, [key], 'in-turn')
    await fixture.startNotifier()
    await until(isDone, 'it was looked at')
  })

  describe('marks', () => {
    let work: Work
    const noted: string[] = []
    /** What has to happen when something is noted for the first time. */
    let meanwhile: () => Promise<unknown>
    beforeEach(async () => {
      noted.length = 0
      meanwhile = async () => {}
      work = createWork(fixture.redis, 'one')
      await fixture.directory.putPerson(anna)
    })

    async function reading(act: () => Promise<void>): Promise<void> {
      const subscriber = connectSubscriber(fixture.url, { name: 'marks' })
      const isFollowed = () => true
      const note: Work['note'] = async (subscription, resources, when) => {
        noted.push(...resources.map((resource) => `${resource} ${when}`))
        if (noted.length === 1) await meanwhile()
        await work.note(subscription, resources, when)
      }
      const { redis, shards } = fixture
      const marks = createMarks({
        redis,
        shards,
        subscriber,
        work: { note },
        log: silentLog,
        isFollowed,
        pollMs: tooLongMs,
      })
      await marks.start()
      try {
        await act()
      } finally {
        await marks.stop()
        subscriber.disconnect()
      }
    }
    const rename = (name: string) => fixture.directory.putPerson({ ...anna, name })

    it('are read again when they were made anew meanwhile, of which nobody is told', async () => {
      await fixture.subscribe(receiver, 'person', 'anna')
      meanwhile = () => rename('Anna C')
      await reading(async () => {
        await rename('Anna B')
        const tag = tagOfBucket(bucketOf('anna'))
        const isMarked = () => fixture.redis.zscore(keys.dirty(tag), 'person:anna')
        await until(async () => (await isMarked()) === null, 'no mark is left')
        expect(noted).to.deep.equal(['anna at-once', 'anna at-once'])
      })
    })

    it('are looked for without a hint only while anybody has subscribed', async () => {
      const { redis, shards } = fixture
      let [asked, isFollowed] = [0, false]
      const marks = createMarks({
        redis,
        shards,
        subscriber: fixture.deafSubscriber(),
        work,
        log: silentLog,
        pollMs: 10,
        isFollowed: () => {
          asked += 1
          return isFollowed
        },
      })
      const isMarked = async () =>
        (await redis.zscore(keys.dirty(tagOfBucket(bucketOf('anna'))), 'person:anna')) !== null
      await fixture.subscribe(receiver, 'person', 'anna')
      await rename('Anna B')
      await marks.start()
      try {
        await until(async () => !(await isMarked()), 'its first look, at the start, is over')
        await rename('Anna C')
        const before = asked
        await until(() => asked > before + 10, 'it could have looked again')
        expect(await isMarked()).to.equal(true)
        isFollowed = true
        await until(async () => !(await isMarked()), 'it has looked')
      } finally {
        await marks.stop()
      }
    })

    it('of a history that runs are noted in turn, all others at once', async () => {
      await fixture.subscribe(receiver, 'history')
      const key = await fixture.put({ text: 'Hello' })
      const ref = parseHistoryKey(key)
      const last = (when: string) => until(() => noted.at(-1) === `${key} ${when}`, `it is noted ${when}`)
      await reading(async () => {
        await last('at-once')
        await fixture.run(key)
        await last('in-turn')
        const before = noted.length
        await fixture.histories.callForward(ref, 'quiet', 'root')
        // once and, where what it began with was marked anew while it was read, once for that
        const isMarked = () => fixture.redis.zscore(keys.dirty(tagOf(ref.shard)), `history:${ref.sender}:${ref.id}`)
        await until(async () => (await isMarked()) === null, 'it is noted again')
        expect(new Set(noted.slice(before))).to.deep.equal(new Set([`${key} in-turn`]))
        await fixture.histories.cancel(ref, 'root')
        await last('at-once')
      })
    })
  })

  describe('what was put off', () => {
    let work: Work
    let id: string
    const sending: Sending = { sequence: 1, id: 'one', createdMs: 1, body: '{}', after: null, tries: 1 }
    beforeEach(async () => {
      work = createWork(fixture.redis, 'one', tooLongMs)
      const subscription = await fixture.subscribe(receiver, 'person', 'anna')
      id = subscription.id
      await fixture.subscriptions.replayed(id, subscription.replayMs as number)
    })
    const taken = async () => (await work.take(id, 10, []))?.taken.map(({ resource }) => resource)
    const take = async () => {
      await work.note(id, ['anna'], 'at-once')
      expect(await taken()).to.deep.equal(['anna'])
    }

    it('is called forward by a mark, but not by one that is noted in turn', async () => {
      await take()
      await work.keep(id, 'anna', { dueInMs: tooLongMs })
      await work.note(id, ['anna'], 'in-turn')
      expect(await taken()).to.deep.equal([])
      expect(await work.due()).to.deep.equal([])
      await work.note(id, ['anna'], 'at-once')
      expect(await work.due()).to.deep.equal([id])
      expect(await taken()).to.deep.equal(['anna'])
    })

    it('is called forward by a mark that is noted in turn where it waits for longer than anything does: Redis’s clock was set back', async () => {
      await take()
      await work.keep(id, 'anna', { dueInMs: 2 * tooLongMs })
      const leftMs = async () => Number(await fixture.redis.zscore(keys.subscriptionDue(id), 'anna')) - Date.now()
      await work.note(id, ['anna'], 'in-turn')
      expect(await leftMs()).to.be.within(1, tooLongMs)
      await work.keep(id, 'anna', { dueInMs: 2 * tooLongMs, sending })
      await work.note(id, ['anna'], 'in-turn')
      expect(await leftMs(), 'a body on its way keeps its time').to.be.above(tooLongMs)
    })

    it('is not put off at all where it was marked since it was taken', async () => {
      await take()
      await work.note(id, ['anna'], 'in-turn')
      await work.keep(id, 'anna', { dueInMs: tooLongMs })
      expect(await taken()).to.deep.equal(['anna'])
      await work.keep(id, 'anna', { dueInMs: tooLongMs })
      expect(await taken()).to.deep.equal([])
    })

    it('keeps its time where a body waits for its next try, whenever it was marked', async () => {
      await take()
      await work.note(id, ['anna'], 'at-once')
      await work.keep(id, 'anna', { dueInMs: tooLongMs, sending })
      await work.note(id, ['anna'], 'at-once')
      expect(await taken()).to.deep.equal([])
      // and what has changed meanwhile is looked at once that has arrived
      await work.keep(id, 'anna', { dueInMs: 'done', sending: null })
      expect(await taken()).to.deep.equal(['anna'])
    })
  })
})
