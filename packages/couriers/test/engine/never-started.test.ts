/** A message for a channel that never had a courier: over the API, with a courier of another channel and a timekeeper at work. */
import { EventEmitter, once } from 'node:events'
import { type HistoryView, memberOf, parseHistoryKey } from '@courier-fleet/api-types'
import { silentLog } from '@courier-fleet/process'
import { joinFleet, keys } from '@courier-fleet/store'
import { until } from '@courier-fleet/testkit'
import { createExpiry, createRetention, type Rounds } from '@courier-fleet/timekeeper'
import { expect } from 'chai'
import { startUniversity, type University } from '../../../queue/test/university.ts'
import type { Outcome } from '../../src/courier.ts'
import { fakeCourier } from './fake-courier.ts'
import { createFixture, type Fixture } from './fixture.ts'

const shards = 2
const teacher = { as: 'trainer' } as const

describe('a message for a channel that never had a courier', () => {
  let fixture: Fixture
  let university: University
  let expiry: Rounds
  beforeEach(async () => {
    fixture = await createFixture()
    await joinFleet(fixture.redis, shards)
    university = await startUniversity({ timeZone: 'Europe/Moscow', quotas: { trainer: 4 } }, fixture)
    await fixture.run(fakeCourier())
    expiry = createExpiry({ redis: fixture.redis, shards, log: silentLog })
    expiry.start()
  })
  afterEach(async () => {
    await expiry.stop()
    await university.stop()
    await fixture.stop()
  })

  const history = async (key: string) => (await university.ask<HistoryView>(`GET /v1/histories/${key}`, teacher)).json
  const left = async () => (await university.ask<{ left: number }>('GET /v1/limits', teacher)).json.left
  async function send(more: object): Promise<string> {
    const body = { to: ['group:own'], text: 'Hello', ...more }
    const { json } = await university.ask<{ key: string }>('POST /v1/messages', teacher, body)
    await until(async () => (await history(json.key)).state === 'running', 'it runs')
    return json.key
  }

  it('can be cancelled at once: nobody gets it, the day has it back, and the call may be repeated', async () => {
    const key = await send({ channels: ['mail'] })
    expect(await left()).to.equal(3)
    for (let i = 0; i < 2; i += 1) {
      const { status, json } = await university.ask(`DELETE /v1/histories/${key}`, teacher)
      expect([status, json]).to.deep.equal([200, { key, outcome: 'cancelled' }])
      expect(await left()).to.equal(4)
    }
    const { state, channels } = await history(key)
    expect([state, channels.mail?.cancelled, channels.mail?.pending]).to.deep.equal(['settled', 3, 0])
  })

  it('expires as its `expires` says, though others of its channels were served', async () => {
    await university.directory.linkContact('vk', 'anna', '777')
    const key = await send({ channels: ['mail', 'vk'], expires: new Date(Date.now() + 3_600_000).toISOString() })
    const ref = parseHistoryKey(key)
    await until(async () => (await fixture.get(ref)).channels.vk?.state === 'settled', 'VK has settled')
    const [lookAt, expires] = await Promise.all([
      fixture.redis.zscore(keys.expiry(ref.shard), memberOf(ref)),
      fixture.redis.hget(keys.history(ref), 'expires'),
    ])
    expect(Number(lookAt)).to.equal(Number(expires) + 10_000)
    // the ten seconds that couriers have to say so themselves are not waited for
    await fixture.hasExpired(ref)
    await fixture.redis.zadd(keys.expiry(ref.shard), Date.now(), memberOf(ref))
    const { channels } = await fixture.settled(ref)
    expect(channels.mail).to.include({ expired: 3, pending: 0, state: 'settled' })
    expect(channels.vk).to.include({ sent: 1, 'no-contact': 2 })
    expect(await left(), 'it was sent').to.equal(3)
  })

  it('leaves no entry behind, and never makes the fleet not ready', async () => {
    const key = await send({ channels: ['mail'] })
    const { shard } = parseHistoryKey(key)
    const work = keys.work(shard, 'mail', 'normal')
    const [entry, fields] = (await fixture.redis.xrange(work, '-', '+'))[0] as [string, string[]]
    await fixture.redis.xdel(work, entry)
    await fixture.redis.del(work)
    await fixture.redis.xadd(work, `${Date.now() - 3_600_000}-0`, ...fields)
    expect((await university.ask('GET /readyz')).status).to.equal(200)
    await university.ask(`DELETE /v1/histories/${key}`, teacher)
    const retention = createRetention({ redis: fixture.redis, shards, keptMs: () => 3_600_000, log: silentLog })
    retention.start()
    await until(async () => !(await fixture.redis.exists(work)), 'its stream is gone')
    await until(async () => !(await fixture.redis.hexists(keys.channels(shard), 'mail')), 'the channel is forgotten')
    await retention.stop()
  })

  it('what was stopped while it ran is given back once it is known that nobody got it', async () => {
    const refused: Outcome = { kind: 'rejected', class: 'refused', detail: 'no' }
    const events = new EventEmitter<{ handed: []; answered: [] }>()
    const handed = once(events, 'handed')
    const answer = async () => {
      const answered = once(events, 'answered')
      events.emit('handed')
      await answered
      return refused
    }
    await fixture.run(fakeCourier({ channel: 'sms', answer }))
    await university.directory.linkContact('sms', 'anna', '+79001112233')
    const key = await send({ channels: ['sms'] })
    await handed
    expect(await left()).to.equal(3)
    expect((await university.ask(`DELETE /v1/histories/${key}`, teacher)).json.outcome).to.equal('stopping')
    expect(await left(), 'somebody may get it').to.equal(3)
    events.emit('answered')
    await fixture.settled(parseHistoryKey(key))
    expect(await left()).to.equal(4)
  })
})
