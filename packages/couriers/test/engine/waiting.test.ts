import { type HistoryRef, memberOf } from '@courier-fleet/api-types'
import { type ChannelBacklog, keys, readBacklog, useChannel } from '@courier-fleet/store'
import { type OwnRedis, ownRedis, until } from '@courier-fleet/testkit'
import { purge } from '@courier-fleet/timekeeper'
import { expect } from 'chai'
import type { Outcome } from '../../src/courier.ts'
import { type FakeSettings, fakeCourier } from './fake-courier.ts'
import { createFixture, type Fixture } from './fixture.ts'

const shards = 2
const people = 306
const sent: Outcome = { kind: 'sent', providerId: '7' }

describe('engine: how many people wait', () => {
  let server: OwnRedis
  let fixture: Fixture
  beforeEach(async () => {
    server = await ownRedis()
    fixture = await createFixture({ url: server.url, stop: () => server.stop() })
  })
  afterEach(() => fixture.stop())

  const backlog = async (channel: string): Promise<ChannelBacklog> => {
    const { channels } = await readBacklog(fixture.redis, shards)
    const found = channels.find((each) => each.channel === channel)
    if (!found) throw new Error(`${channel} is not listed`)
    return found
  }
  /** By the receipts themselves: whoever has none that is final. */
  async function openReceipts(refs: readonly HistoryRef[], channel: string): Promise<number> {
    const each = await Promise.all(
      refs.map(async (ref) => {
        const size = Number(await fixture.redis.hget(keys.history(ref), 'size'))
        // times follow
        const bytes = (await fixture.redis.getrangeBuffer(keys.receipts(ref, channel), 0, size - 1)).toString('latin1')
        return size - [...bytes].filter((byte) => byte !== '\0' && byte !== 'a').length
      }),
    )
    return each.reduce((sum, open) => sum + open, 0)
  }
  const settings = (answer: FakeSettings['answer'], channel = 'vk'): FakeSettings => ({
    channel,
    batchSize: 100,
    ...(answer ? { answer } : {}),
  })

  it('all of them, while a provider throttles the whole account; nobody, when they have been told', async () => {
    let isThrottled = true
    const slowDown: Outcome = { kind: 'throttled', retryAfterMs: 60_000, scope: 'account', reason: 'slow down' }
    await fixture.run(fakeCourier(settings(async () => (isThrottled ? slowDown : sent))))
    const ref = await fixture.put(await fixture.people(people))
    await until(async () => {
      const waves = (await fixture.get(ref)).waiting ?? []
      return waves.reduce((sum, wave) => sum + wave.people, 0) === people
    }, 'everybody was put off')
    const throttled = await backlog('vk')
    expect(throttled, 'nothing is on a stream, and all of them wait').to.include({ waiting: people, unclaimed: 0 })
    expect(throttled).not.to.have.property('stuck')

    isThrottled = false
    await fixture.redis.del(keys.pause('vk', 'fake'))
    // called forward by its sender: what waits for a wave is told so at once
    await fixture.histories.cancel(ref, 'dean')
    await fixture.settled(ref)
    expect((await backlog('vk')).waiting).to.equal(0)
  })

  it('as many after Redis has rewritten its file and was started again, with nothing made up on streams that are empty', async () => {
    let hold = (_outcome: Outcome) => {}
    const held = new Promise<Outcome>((resolve) => {
      hold = resolve
    })
    await fixture.run(fakeCourier(settings(undefined)))
    await fixture.run(fakeCourier(settings(() => held, 'sms')))
    const audience = await fixture.people(people)
    await fixture.people(people, 'sms')
    const refs = [await fixture.put(audience), await fixture.put(audience.slice(0, 7))]
    const isTold = async (ref: HistoryRef) => (await fixture.get(ref)).channels.vk?.state === 'settled'
    await until(async () => (await Promise.all(refs.map(isTold))).every(Boolean), 'everybody is told by vk')
    expect((await backlog('vk')).waiting).to.equal(0)
    const before = await backlog('sms')
    expect(before.waiting).to.equal(people + 7)

    await fixture.redis.bgrewriteaof()
    await until(
      async () =>
        /aof_rewrite_in_progress:0[\s\S]*aof_rewrite_scheduled:0/.test(await fixture.redis.info('persistence')),
      'the file is rewritten',
    )
    await server.restart()
    expect(await backlog('vk')).to.include({ waiting: 0, unclaimed: 0, oldestUnclaimedMs: 0 })
    expect((await backlog('sms')).waiting).to.equal(people + 7)
    hold(sent)
    await Promise.all(refs.map((ref) => fixture.settled(ref)))
    for (const channel of ['vk', 'sms'])
      expect(await backlog(channel)).to.include({ waiting: 0, unclaimed: 0, inProgress: 0 })
    expect(await fixture.redis.exists(keys.waiting('00'), keys.waiting('01')), 'nothing is left behind').to.equal(0)
  })

  it('exactly those with open receipts, at every moment of many messages with every kind of ending', async () => {
    const endings: Outcome[] = [
      sent,
      { kind: 'rejected', class: 'refused', detail: 'no' },
      { kind: 'unknown', why: 'no answer' },
      { kind: 'throttled', retryAfterMs: 30, scope: 'recipient', reason: 'later' },
    ]
    let asked = 0
    const answer = async () => {
      asked += 1
      return endings[asked % endings.length] as Outcome
    }
    await fixture.run(fakeCourier({ ...settings(answer), foldsResends: false, batchSize: 10 }))
    await useChannel(fixture.redis, shards, 'pigeon')
    const audience = await fixture.people(60)
    const refs = await Promise.all([60, 1, 33, 60].map((size) => fixture.put(audience.slice(0, size))))
    await until(async () => (await openReceipts(refs, 'vk')) === 0, 'vk is done')
    expect((await backlog('vk')).waiting).to.equal(0)
    expect((await backlog('pigeon')).waiting).to.equal(60 + 1 + 33 + 60)
    expect(await openReceipts(refs, 'pigeon')).to.equal(60 + 1 + 33 + 60)
  })

  it('nobody any more, once a message that never settled is purged', async () => {
    await useChannel(fixture.redis, shards, 'pigeon')
    await fixture.run(fakeCourier(settings(undefined)))
    const more = { expiresMs: Date.now() + 3_600_000, channels: ['pigeon', 'vk'] }
    const ref = await fixture.put(await fixture.people(5), more)
    await until(async () => (await backlog('pigeon')).waiting === 5, 'five wait for the pigeon')
    await until(async () => (await backlog('vk')).waiting === 0, 'vk is done')
    // it has run into its expiry, and that is long ago
    await fixture.redis.zadd(keys.retention(ref.shard), 'XX', 1, memberOf(ref))
    expect(await fixture.redis.zscore(keys.retention(ref.shard), memberOf(ref))).to.equal('1')
    expect((await purge(fixture.redis, ref.shard, 0, 10)).messages).to.equal(1)
    expect((await backlog('pigeon')).waiting).to.equal(0)
  })
})
