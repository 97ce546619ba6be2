/** The slot of a message goes from one master of a cluster to another, key by key, while the message is being sent. */
import { text as textOf } from 'node:stream/consumers'
import type { ChannelList } from '@courier-fleet/api-types'
import { silentLog } from '@courier-fleet/process'
import { connectRedis, keys, reachRedis } from '@courier-fleet/store'
import { generatePeople, type OwnCluster, ownCluster, until } from '@courier-fleet/testkit'
import { expect } from 'chai'
import { type Fleet, startFleet } from './fleet.ts'

const count = 3_000
const channels = ['telegram', 'vk', 'sms'] as const
const window = 20

describe('a slot that moves while thousands are sent to', () => {
  let cluster: OwnCluster
  let fleet: Fleet
  let closing = () => {}
  let logged = ''

  before(async () => {
    cluster = await ownCluster()
    const redis = connectRedis(cluster.url, { name: 'e2e' })
    closing = () => redis.disconnect()
    await reachRedis(silentLog, redis)
    fleet = await startFleet({
      redis: { url: cluster.url, redis: () => redis },
      couriers: { telegram: 1, vk: 1, sms: 2 },
      // so late it refuses what waits for the move; sooner, and a busy machine is a Redis that is away
      queueEnv: { REDIS_TIMEOUT_MS: '10000' },
      env: { SMS_WINDOW: String(window), SMS_PER_SECOND: '400', TELEGRAM_RATE_PER_SECOND: '400' },
      onOutput: (_name, text) => {
        logged += text
      },
    })
    const roster = await textOf(generatePeople(count))
    expect((await fleet.api.call('POST', '/v1/imports', roster)).status).to.equal(200)
  })
  after(async () => {
    await fleet?.stop()
    closing()
    await cluster?.stop()
  })

  const moving = async () => (await fleet.api.get<ChannelList>('/v1/channels')).moving
  const ready = async () => {
    const { status, body } = await fleet.api.call<{ warnings?: string[] }>('GET', '/readyz')
    return { status, warnings: body.warnings ?? [] }
  }

  it('waits, and says so; then all goes on, nobody is sent to twice, and nobody is lost', async () => {
    const text = 'Переезд'
    const key = await fleet.api.send({ to: ['cohort:everyone'], text })
    const shard = key.slice(0, key.indexOf('.'))
    await until(async () => {
      const history = await fleet.api.history(key)
      return channels.every((channel) => (history.channels[channel]?.pending ?? count) <= count - 100)
    }, 'all channels are at it')

    let keysMoved = 0
    for await (const moved of cluster.moveSlot(keys.due(shard))) {
      keysMoved += moved === undefined ? 0 : 1
      if (keysMoved !== 3 || moved === undefined) continue
      // half of it is here, and half there
      const [told] = await until(async () => ((await moving()).length > 0 ? moving() : undefined), 'it is told')
      expect(told?.shards).to.deep.equal([shard])
      await until(async () => {
        const { status, warnings } = await ready()
        expect(status, 'who can serve all others is ready').to.equal(200)
        return warnings.includes(told?.reason as string)
      }, 'it warns')
      expect(told?.reason).to.contain(`messages of shard ${shard} wait until it has arrived`)
      await until(async () => {
        const refused = await fleet.api.call<{ code: string }>('DELETE', `/v1/histories/${key}`)
        expect(refused.status).to.equal(503)
        return refused.body.code === 'redis-moving' // a busy machine may not even answer in time
      }, 'it is refused for this')
      await until(() => logged.includes('slots of the Redis cluster move key by key'), 'it stands in the log')
    }
    expect(keysMoved).to.be.above(3)
    // one that did not answer in time is told as that, and is no matter of the move
    const told = logged.split('\n').filter((line) => line.includes('Redis is away'))
    expect(told.filter((line) => !/Socket timeout|ETIMEDOUT/.test(line))).to.deep.equal([])

    const report = await fleet.api.track(key, 120)
    expect(report.settled).to.equal(true)
    const size = report.history.audience?.size ?? 0
    expect(size).to.be.above(2_500)
    for (const channel of channels) {
      const taken = (await fleet.sandbox.accepted(text, channel)).map(({ address }) => address)
      expect(new Set(taken).size, `${channel}: nobody twice`).to.equal(taken.length)
      const unknown = report.history.channels[channel]?.unknown ?? 0
      expect(taken.length, `${channel}: nobody lost`).to.be.within(size - unknown, size)
      expect(unknown, `${channel}: of a window at most nobody knows`).to.be.at.most(channel === 'sms' ? 2 * window : 0)
    }
    expect((await fleet.api.recount(key)).balanced).to.equal(true)
    await until(async () => (await ready()).warnings.length === 0, 'nothing moves any more')
    await until(() => logged.includes('slots of the Redis cluster have arrived'), 'that stands in the log, too')
  })
})
