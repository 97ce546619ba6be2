/** What a fleet on three masters and three replicas tells itself, and that all goes out, also after a master was killed. */
import { connectSubscriber, hints, keys, type Subscriber, tagOf, writeSettings } from '@courier-fleet/store'
import { type OwnCluster, ownCluster, until } from '@courier-fleet/testkit'
import { expect } from 'chai'
import { fakeCourier } from '../../packages/couriers/test/engine/fake-courier.ts'
import { createFixture, type Fixture } from '../../packages/couriers/test/engine/fixture.ts'

const shards = ['00', '01']
const expired = '__keyevent@0__:expired'

describe('hints of a fleet on a cluster', () => {
  let cluster: OwnCluster
  let fixture: Fixture
  let subscriber: Subscriber
  const heard = new Set<string>()
  const courier = fakeCourier()

  before(async () => {
    cluster = await ownCluster()
    fixture = await createFixture({ url: cluster.url, stop: async () => {} })
    subscriber = connectSubscriber(cluster.url, { name: 'listening' })
    // of a delivery the shard's tag, of all else the channel
    subscriber.on('message', (channel, payload) =>
      heard.add(channel === expired ? (/^delivery:\{\w+\}/.exec(payload)?.[0] ?? '') : channel),
    )
    await subscriber.subscribe(expired, hints.settings, ...shards.map(hints.dueHead))
    await fixture.run(courier)
  })
  after(async () => {
    subscriber?.disconnect()
    await fixture?.stop()
    await cluster?.stop()
  })

  /** Sends to a person in each shard, again and again until every hint on its way was heard: one may be missed while a node changes its part. */
  async function isSent(people: readonly string[]): Promise<void> {
    heard.clear()
    const waiting = new Set([
      'change',
      ...shards.flatMap((shard) => [hints.dueHead(shard), `delivery:{${tagOf(shard)}}`]),
    ])
    while (waiting.size > 0) {
      const ref = await fixture.put(people, { dueMs: Date.now() + 300 })
      const change = hints.change(ref)
      await subscriber.subscribe(change)
      await until(async () => (await fixture.redis.hget(keys.history(ref), 'state')) === 'settled', 'sent')
      subscriber.unsubscribe(change)
      for (const each of heard) waiting.delete(each === change ? 'change' : each)
    }
  }

  it('are heard of each shard; and again when a master was killed, from the next', async () => {
    const people = await fixture.people(3)
    await isSent(people)
    expect(
      await writeSettings(fixture.redis, { expected: 0, stored: { quietJitterSeconds: 5 }, by: 'operator' }),
    ).to.equal(1)
    await until(() => heard.has(hints.settings), 'the settings are told')
    const key = keys.due(shards[0] as string)
    const former = await cluster.masterOf(key)
    await former.kill()
    await until(async () => (await cluster.masterOf(key)) !== former, 'another has taken over')
    await isSent(people)
  })
})
