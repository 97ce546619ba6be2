/** The growth of the shards through the API, and that a call of before is answered as before. */
import type { Acceptance, EventView, HistoriesPage, ServiceView, ShardsView } from '@courier-fleet/api-types'
import {
  announceProcess,
  endGrowth,
  fixLaying,
  joinFleet,
  keys,
  lookAtShards,
  masterOnly,
  readShards,
} from '@courier-fleet/store'
import { type FreshRedis, freshRedis } from '@courier-fleet/testkit'
import { expect } from 'chai'
import { far } from './service.ts'
import { startUniversity, type University } from './university.ts'

const numbers = Array.from({ length: 10 }, (_unused, index) => index)

describe('/v1/shards', () => {
  let fresh: FreshRedis
  let fleet: University
  beforeEach(async () => {
    fresh = await freshRedis()
    fleet = await startUniversity(undefined, fresh)
  })
  afterEach(async () => {
    await fleet.stop()
    fixLaying(undefined)
    await fresh.stop()
  })

  const operator = { as: 'operator' } as const
  const read = async () => (await fleet.ask<ShardsView>('GET /v1/shards', operator)).json
  const grow = (shards: number, as: 'operator' | 'staff' = 'operator') =>
    fleet.ask<ShardsView & { code: string; detail: string }>('PUT /v1/shards', { as }, { shards })
  /** As if every process were started anew, and a timekeeper had seen it. */
  async function growWhole(): Promise<void> {
    await grow(64)
    await fleet.stop()
    await joinFleet(fresh.redis)
    await endGrowth(fresh.redis, masterOnly, await readShards(fresh.redis))
    fleet = await startUniversity(undefined, fresh)
    await lookAtShards(fresh.redis)
  }
  /** The answers that were kept are gone: as if the first call had been cut off before it was answered. */
  async function forgetAnswers(): Promise<void> {
    for (const key of await fresh.redis.keys('idempotency:*')) await fresh.redis.del(key)
  }

  it('tells how many there are, and which processes a growth waits for; the same again changes nothing', async () => {
    const few = { shards: 16, laidBy: 16, former: [], toRestart: [] }
    expect(await read()).to.deep.equal(few)
    expect((await grow(16)).json).to.deep.equal(few)
    const announced = announceProcess(fresh.redis, { name: 'courier-sms-1', role: 'courier' }, () => ({ ready: true }))
    await announced.refresh()
    const growing = { shards: 64, laidBy: 16, former: [16], toRestart: ['courier-sms-1'] }
    const first = await grow(64)
    expect([first.status, first.json]).to.deep.equal([200, growing])
    expect((await grow(64)).json).to.deep.equal(growing)
    const { json: service } = await fleet.ask<ServiceView>('GET /v1/service', operator)
    expect(service.growth).to.deep.equal({ shards: 64, toRestart: ['courier-sms-1'] })
    await announced.stop()
    await endGrowth(fresh.redis, masterOnly, await readShards(fresh.redis))
    const { since, ...grown } = await read()
    expect(grown).to.deep.equal({ shards: 64, laidBy: 64, former: [16], toRestart: [] })
    expect(Date.parse(since ?? '')).to.be.closeTo(Date.now(), 60_000)
    const audit = await fleet.ask<{ lines: { action: string }[] }>('GET /v1/audit', operator)
    const lines = audit.json.lines.filter(({ action }) => action === 'shards.grown')
    expect(lines).to.have.length(1)
    expect(lines[0]).to.include({ by: 'operator-1', before: '16', after: '64' })
  })

  it('refuses what cannot be, in a sentence', async () => {
    const refusal = async (shards: number, as?: 'staff') => {
      const { status, json } = await grow(shards, as)
      return [status, json.code]
    }
    expect(await refusal(64, 'staff')).to.deep.equal([403, 'not-allowed'])
    expect(await refusal(32)).to.deep.equal([422, 'invalid'])
    const [name, key] = ['courier-vk-1', keys.process('courier-vk-1')]
    const said = { name, role: 'courier', pid: 1, startedAt: 1000, ready: 1 }
    await fresh.redis.multi().hset(key, said).sadd(keys.processes, name).exec()
    expect(await refusal(64)).to.deep.equal([409, 'older-processes'])
    expect((await grow(64)).json.detail).to.contain('courier-vk-1')
    await fresh.redis.multi().del(key).srem(keys.processes, name).exec()
    expect((await grow(64)).status).to.equal(200)
    expect(await refusal(256)).to.deep.equal([409, 'shards-growing'])
    expect(await refusal(16)).to.deep.equal([409, 'shards-only-grow'])
  })

  it('a call of before is found by its Idempotency-Key, though its answer was lost', async () => {
    const send = (number: number) =>
      fleet.ask<Acceptance>(
        'POST /v1/messages',
        { as: 'trainer', headers: { 'idempotency-key': `call-${number}` } },
        { to: ['group:own'], text: `Once ${number}`, at: far },
      )
    const before = await Promise.all(numbers.map(send))
    expect(before.map(({ status }) => status)).to.deep.equal(numbers.map(() => 201))
    await growWhole()
    await forgetAnswers()
    const again = await Promise.all(numbers.map(send))
    expect(again.map(({ json }) => json.key)).to.deep.equal(before.map(({ json }) => json.key))
    const news = await Promise.all(numbers.map((number) => send(100 + number)))
    expect(news.map(({ json }) => Number(json.key.slice(0, 2))).some((shard) => shard >= 16)).to.equal(true)
    await forgetAnswers()
    const newsAgain = await Promise.all(numbers.map((number) => send(100 + number)))
    expect(newsAgain.map(({ json }) => json.key)).to.deep.equal(news.map(({ json }) => json.key))
    const listed = await fleet.ask<HistoriesPage>('GET /v1/histories?limit=100', { as: 'trainer' })
    expect(listed.json.histories).to.have.length(20)
  })

  it('a reminder of before is the one there is, and one that was cancelled makes room', async () => {
    const people = ['anna', 'boris', 'clara']
    const remind = (person: string) =>
      fleet.ask<Acceptance>(
        'POST /v1/messages',
        { as: 'trainer' },
        { to: [`user:${person}`], text: 'Coupon', at: far, about: 'coupon:17' },
      )
    const before = await Promise.all(people.map(remind))
    await growWhole()
    const again = await Promise.all(people.map(remind))
    expect(again.map(({ status, json }) => [status, json.key])).to.deep.equal(before.map(({ json }) => [200, json.key]))
    const seen = new Set(before.map(({ json }) => json.key))
    for (let round = 0; round < 2; round += 1) {
      for (const person of people) {
        const { json } = await remind(person)
        await fleet.ask(`DELETE /v1/histories/${json.key}`, { as: 'trainer' })
        const anew = await remind(person)
        expect(anew.status, person).to.equal(201)
        expect(seen.has(anew.json.key), person).to.equal(false)
        seen.add(anew.json.key)
        expect((await remind(person)).json.key).to.equal(anew.json.key)
      }
    }
  })

  it('an event of before is moved and cancelled with all that hangs on it, new reminders among them', async () => {
    const teacher = { as: 'trainer' } as const
    const hang = (number: number) =>
      fleet.ask<Acceptance>('POST /v1/messages', teacher, {
        to: ['group:own'],
        text: `Exam ${number}`,
        event: `exam-${number}`,
        offset: -3600,
      })
    for (const number of numbers) {
      await fleet.ask(`PUT /v1/events/exam-${number}`, teacher, { at: far })
      await hang(number)
    }
    await growWhole()
    const sooner = new Date(Date.now() + 200 * 86_400_000).toISOString()
    for (const number of numbers) {
      expect((await hang(number)).status).to.equal(201)
      const moved = await fleet.ask<EventView>(`PUT /v1/events/exam-${number}`, teacher, { at: sooner })
      expect(moved.status).to.equal(200)
      expect(moved.json.reminders.map(({ became }) => became)).to.deep.equal(['moved', 'moved'])
      const cancelled = await fleet.ask<EventView>(`DELETE /v1/events/exam-${number}`, teacher)
      expect(cancelled.json.reminders.map(({ became }) => became)).to.deep.equal(['cancelled', 'cancelled'])
    }
  })
})
