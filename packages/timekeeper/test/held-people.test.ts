import { type HistoryRef, memberOf } from '@courier-fleet/api-types'
import { silentLog } from '@courier-fleet/process'
import {
  createHistories,
  keys,
  type Settings,
  type StoredSettings,
  settingsOf,
  writeSettings,
} from '@courier-fleet/store'
import { freshRedis, until } from '@courier-fleet/testkit'
import { expect } from 'chai'
import type { Redis } from 'ioredis'
import { createHeldPeople, type Rounds } from '../src/index.ts'

const shards = 2
const quiet = { from: '22:00', to: '08:00' }
const far = Date.now() + 8 * 3_600_000

describe('timekeeper: who is held when the rules change', () => {
  let redis: Redis
  let stop: () => Promise<void>
  let started: Rounds[]
  let settings: Settings
  /** how often a timekeeper has looked at the settings */
  let looks: number
  beforeEach(async () => {
    ;({ redis, stop } = await freshRedis())
    started = []
    settings = settingsOf({})
    looks = 0
    await set({ quiet })
  })
  afterEach(async () => {
    await Promise.all(started.map((rounds) => rounds.stop()))
    await stop()
  })

  /** Those that run have not seen it yet. */
  async function write(stored: StoredSettings, expected: number): Promise<Settings> {
    const version = await writeSettings(redis, { expected, stored, by: 'dean' })
    return settingsOf({}, stored, version)
  }
  async function set(stored: StoredSettings): Promise<void> {
    settings = await write(stored, settings.version)
  }

  function run(): void {
    const current = () => {
      looks += 1
      return settings
    }
    const rounds = createHeldPeople({ redis, shards, settings: { current, first: {} }, log: silentLog })
    started.push(rounds)
    rounds.start()
  }

  /** A running message with a wave of this cause, as defer.lua writes it. */
  async function waiting(id: string, cause: string, shard = '00'): Promise<HistoryRef> {
    const ref = { shard, sender: 'dean', id }
    await redis.hset(keys.history(ref), {
      state: 'running',
      size: 3,
      waves: 1,
      waiting: '1',
      'wave:1': `vk ${cause} ${far} 3 -`,
    })
    await redis.zadd(keys.due(shard), far, `${memberOf(ref)}:1`)
    return ref
  }
  const dueOf = async (ref: HistoryRef) => Number(await redis.zscore(keys.due(ref.shard), `${memberOf(ref)}:1`))
  const isCalled = async (ref: HistoryRef) => (await dueOf(ref)) < far
  /** A round that began after this was asked has come to its end, of each of those that run. */
  const looked = async () => {
    const enough = looks + 2 * started.length
    await until(() => looks >= enough, 'it has looked again')
  }
  const applied = (version: number) =>
    until(async () => {
      const known = await Promise.all(['00', '01'].map((shard) => redis.get(keys.heldRules(shard))))
      return known.every((text) => text?.startsWith(`${version} `) && text.endsWith(' applied'))
    }, 'the rules are applied')

  it('is called forward in every shard; who waits for a provider is not', async () => {
    const held = [await waiting('a', 'quiet'), await waiting('b', 'capped', '01'), await waiting('c', 'too-soon')]
    const throttled = await waiting('d', 'throttled')
    run()
    await applied(1)
    expect(await Promise.all(held.map(isCalled))).to.deep.equal([true, true, true])
    expect(await isCalled(throttled)).to.equal(false)
  })

  it('is left alone when nothing that holds anybody has changed, and by a timekeeper that starts anew', async () => {
    run()
    await applied(1)
    const held = await waiting('a', 'quiet')
    run()
    await set({ quiet, quietJitterSeconds: 0 })
    await looked()
    expect(await isCalled(held)).to.equal(false)
    expect(await redis.get(keys.heldRules('00'))).to.match(/^1 /)
  })

  it('is called forward, too, when the rules are changed and changed back', async () => {
    run()
    await applied(1)
    await set({ quiet: { from: '22:00', to: '10:00' } })
    const held = await waiting('a', 'quiet')
    await looked()
    await set({ quiet })
    await looked()
    await applied(3)
    expect(await isCalled(held)).to.equal(true)
  })

  for (const [which, begin] of [
    ['one that looks late', async () => {}],
    ['one that starts anew', async () => void (await Promise.all(started.splice(0).map((rounds) => rounds.stop())))],
  ] as const) {
    it(`is called forward, too, when the rules were changed and changed back before a timekeeper looked: ${which}`, async () => {
      run()
      await applied(1)
      await begin()
      const { version } = await write({ quiet: { from: '00:00', to: '19:00' } }, 1)
      const held = await waiting('a', 'quiet')
      settings = await write({ quiet }, version)
      if (started.length === 0) run()
      await applied(3)
      expect(await isCalled(held)).to.equal(true)
    })
  }

  it('is called forward when it is not known any more what the rules were in between', async () => {
    run()
    await applied(1)
    const held = await waiting('a', 'quiet')
    const later = await write({ quiet, quietJitterSeconds: 0 }, 1)
    await redis.del(keys.settings)
    settings = later
    await applied(2)
    expect(await isCalled(held)).to.equal(true)
  })

  it('is called forward when an exam is called off', async () => {
    const exam = { group: 'g', from: '2030-01-12', to: '2030-01-12' }
    await set({ exams: [exam] })
    run()
    await applied(2)
    const held = await waiting('a', 'exam')
    await set({ exams: [] })
    await applied(3)
    expect(await isCalled(held)).to.equal(true)
  })

  it('is called forward by the next timekeeper where one has ended in the midst of it', async () => {
    const many = await Promise.all(Array.from({ length: 50 }, (_unused, index) => waiting(`m${index}`, 'quiet')))
    // half of them were called by one that is gone, and nothing says that all were
    for (const ref of many.slice(0, 25)) await createHistories({ redis, shards }).callForward(ref, 'quiet')
    await redis.set(keys.heldRules('00'), '1 half')
    run()
    await applied(1)
    expect((await Promise.all(many.map(isCalled))).every(Boolean)).to.equal(true)
  })

  it('of two timekeepers the one with the newer settings has its way', async () => {
    await redis.set(keys.heldRules('00'), '7 newer applied')
    await redis.set(keys.heldRules('01'), '7 newer')
    const held = [await waiting('a', 'quiet'), await waiting('b', 'quiet', '01')]
    run()
    await looked()
    expect(await Promise.all(held.map(isCalled))).to.deep.equal([false, false])
    expect(await redis.mget(keys.heldRules('00'), keys.heldRules('01'))).to.deep.equal(['7 newer applied', '7 newer'])
  })
})
