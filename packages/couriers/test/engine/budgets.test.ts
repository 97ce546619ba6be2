/** Budgets in whole processes on a real Redis: never more is taken than they say, whoever is cut off meanwhile. */
import type { Budgets, FleetSettingsInput, HistoryRef } from '@courier-fleet/api-types'
import { budgetKey, scriptSha, writeSettings } from '@courier-fleet/store'
import { type RedisGate, redisGate, until } from '@courier-fleet/testkit'
import { expect } from 'chai'
import type { Outcome } from '../../src/courier.ts'
import { mendBudget } from '../../src/engine/rules/budget-mending.ts'
import { fakeCourier } from './fake-courier.ts'
import { createFixture, type Fixture } from './fixture.ts'

const refused: Outcome = { kind: 'rejected', class: 'refused', detail: 'not this text' }
const noAnswer: Outcome = { kind: 'unknown', why: 'no answer' }

describe('engine: budgets', () => {
  let fixture: Fixture
  let gate: RedisGate
  let version: number
  beforeEach(async () => {
    fixture = await createFixture()
    gate = await redisGate(fixture.url)
    version = 0
  })
  afterEach(async () => {
    await fixture.stop()
    await gate.close()
  })

  const set = async (budgets: Partial<Budgets>, more: FleetSettingsInput = {}) => {
    await writeSettings(fixture.redis, { expected: version, by: 'oper', stored: { ...more, budgets } })
    version += 1
    await fixture.settingsAreKnown()
  }
  const keyOf = (of: 'day' | 'month') =>
    budgetKey({ of, limit: { parts: 1 } }, 'dean', { nowMs: Date.now(), timeZone: 'Europe/Moscow' })
  const hashOf = (of: 'day' | 'month') => fixture.redis.hgetall(keyOf(of))
  const put = (people: readonly string[], more: object = {}) =>
    fixture.put(people, { channels: ['sms'], role: 'trainer', ...more })
  const states = async (ref: HistoryRef) => {
    const { channels, people } = await fixture.settled(ref)
    const { sent = 0, failed = 0, unknown = 0, suppressed = 0 } = channels.sms ?? {}
    return { sent, failed, unknown, suppressed, why: people?.why ?? {} }
  }

  it('are not asked for where none holds: none is set, its type is exempt, or nothing is paid on the channel', async () => {
    const people = await fixture.people(2, 'sms')
    await fixture.people(2, 'vk')
    await fixture.redis.script('FLUSH')
    await fixture.run(fakeCourier({ channel: 'sms', foldsResends: false }))
    await fixture.run(fakeCourier())
    await fixture.settled(await put(people))
    const types = [{ id: 'alarm', number: 7, name: { ru: 'Тревога', en: 'Alarm' } }]
    await set({ month: { parts: 1 }, exempt: ['alarm'] }, { types })
    await fixture.settled(await put(people, { rules: { type: 'alarm' } }))
    await fixture.settled(await put(people, { rules: { type: 'service' } }))
    await fixture.settled(await put(people, { channels: ['vk'] }))
    expect(await fixture.redis.keys('budget:*')).to.deep.equal([])
    expect(await fixture.redis.script('EXISTS', scriptSha('reserve-budget'))).to.deep.equal([0])
  })

  it('let so many through as they are enough for, in order; the day of the sender first, then the month of all', async () => {
    await set({ day: { trainer: { parts: 3 } }, month: { parts: 5 } })
    const people = await fixture.people(4, 'sms')
    const courier = fakeCourier({
      channel: 'sms',
      foldsResends: false,
      answer: ({ address }) => (address.endsWith('1001') ? refused : { kind: 'sent', providerId: address }),
    })
    await fixture.run(courier)
    const first = await put(people)
    expect(await states(first)).to.deep.include({ sent: 2, failed: 1, suppressed: 1 })
    const rows = await fixture.receipts(first)
    expect(rows[3]?.channels.sms).to.include({ state: 'suppressed', reason: 'over-day-budget' })
    expect(await hashOf('day'), 'who was refused has cost nothing').to.include({ spent: '2' })
    // another sender's role has no day
    const second = await put(people, { role: undefined })
    expect((await states(second)).why).to.deep.equal({ refused: 1, 'over-month-budget': 1 })
    expect(await hashOf('month')).to.deep.equal({ spent: '4', refused: '5' })
    expect((await states(await put(people.slice(2)))).why).to.deep.equal({ 'over-day-budget': 1 })
    await set({ day: { trainer: { parts: 9 } }, month: { parts: 5 } })
    expect((await states(await put(people.slice(2)))).why).to.deep.equal({ 'over-month-budget': 2 })
    expect(await hashOf('day'), 'whom the month refuses has cost nothing').to.deep.equal({ spent: '3', refused: '3' })
    expect(await hashOf('month')).to.deep.equal({ spent: '5', refused: '5' })
    await set({ month: { parts: 6 } })
    expect(await states(await put(people.slice(2)))).to.deep.include({ sent: 1, suppressed: 1 })
  })

  it('in money are of the price of each number; who has none is refused, and stands in nobody’s way', async () => {
    const tariffs = { currency: 'RUB', prices: [{ prefix: '+79000001', perPart: 2_000_000 }] }
    await set({ month: { millionths: 4_500_000, currency: 'RUB' } }, { tariffs })
    const people = await fixture.people(4, 'sms')
    await fixture.directory.linkContact('sms', 'p00000', '+447911123456')
    await fixture.run(fakeCourier({ channel: 'sms', foldsResends: false }))
    const ref = await put(people)
    expect(await states(ref)).to.deep.include({ sent: 2, suppressed: 2 })
    const rows = await fixture.receipts(ref)
    expect(rows.map(({ channels }) => channels.sms?.state)).to.deep.equal(['suppressed', 'sent', 'sent', 'suppressed'])
    const [key] = await fixture.redis.keys('budget:*')
    expect(key).to.match(/^budget:\*:month:\d{4}-\d\d:RUB$/)
    expect(await fixture.redis.hget(key as string, 'spent')).to.equal('4000000')
  })

  it('give back what is handed back, and keep what a provider has taken a part of', async () => {
    await set({ month: { parts: 3 } })
    const people = await fixture.people(1, 'sms')
    const outcomes: Outcome[] = [
      { kind: 'throttled', retryAfterMs: 10, scope: 'recipient', reason: 'later', isPartlyTaken: true },
      { kind: 'throttled', retryAfterMs: 3_600_000, scope: 'recipient', reason: 'later' },
    ]
    await fixture.run(fakeCourier({ channel: 'sms', foldsResends: false, answer: () => outcomes.shift() as Outcome }))
    const ref = await put(people)
    await until(async () => (await fixture.get(ref)).waiting?.length === 1, 'they wait')
    await until(async () => (await hashOf('month')).spent === '1', 'the second attempt has given back what it cost')
    expect(await hashOf('month')).to.deep.equal({ spent: '1' })
  })

  it('are never exceeded by twenty messages at once, though processes are cut off with answers outstanding; what is left is what was taken', async () => {
    const limit = 60
    await set({ day: { trainer: { parts: limit } } })
    const people = await fixture.people(10, 'sms')
    let taken = 0
    let most = 0
    let outstanding: (() => void)[] = []
    let isHeld = true
    const answer = async ({ address, text }: { address: string; text: string }): Promise<Outcome> => {
      const fate = (Number(address.slice(-2)) + text.length) % 5
      if (fate !== 0) taken += 1
      most = Math.max(most, taken)
      if (isHeld) await new Promise<void>((resolve) => outstanding.push(resolve))
      if (fate === 0) return refused
      return fate === 1 ? noAnswer : { kind: 'sent', providerId: `${address}-${text}` }
    }
    const how = { channel: 'sms', foldsResends: false, batchSize: 5, concurrency: 4, window: 8, answer }
    const leaseMs = 1_000
    for (const url of [gate.url, fixture.url]) await fixture.run(fakeCourier(how), { leaseMs, url })
    const refs = await Promise.all(
      Array.from({ length: 20 }, (_unused, at) => put(people, { text: 'x'.repeat(at + 1) })),
    )
    await until(() => outstanding.length >= 8, 'answers are outstanding')
    await gate.refuse()
    isHeld = false
    for (const go of outstanding) go()
    outstanding = []
    await Promise.all(refs.map((ref) => fixture.settled(ref)))
    await gate.restore()
    expect(most).to.be.at.most(limit)
    const all = await Promise.all(refs.map(states))
    const sum = (name: 'sent' | 'unknown' | 'suppressed' | 'failed') =>
      all.reduce((total, each) => total + each[name], 0)
    expect(sum('sent') + sum('unknown')).to.be.at.most(limit)
    expect(sum('suppressed')).to.be.above(0)
    expect(
      all.every(({ why }) => Object.keys(why).every((reason) => ['over-day-budget', 'refused'].includes(reason))),
    ).to.equal(true)
    await mendBudget(fixture.redis, keyOf('day'))
    const names = Object.keys(await hashOf('day')).filter((name) => name.includes(' '))
    expect(names, 'nothing is reserved for nobody').to.deep.equal([])
    const { spent } = await hashOf('day')
    expect(Number(spent)).to.be.within(sum('sent') + sum('unknown'), limit)
    expect(Number(spent)).to.be.at.least(taken)
    for (const ref of refs)
      expect((await fixture.histories.recount(ref)).every(({ balanced }) => balanced)).to.equal(true)
  })
})
