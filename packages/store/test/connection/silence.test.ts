/** A process that is frozen for longer than it waits for Redis: what Redis has answered meanwhile is heard. */
import { silentLog } from '@courier-fleet/process'
import { type OwnRedis, ownCluster, ownRedis } from '@courier-fleet/testkit'
import { expect } from 'chai'
import { connectNode, connectRedis, type Redis, reachRedis } from '../../src/connection/index.ts'

const impatient = { name: 'impatient', patienceMs: 500 }
/** longer than anybody waits for a Redis that says nothing, ms */
const frozenMs = 4_000

function freeze(): void {
  const until = performance.now() + frozenMs
  while (performance.now() < until);
}

describe('a process that is frozen after it has asked Redis', () => {
  let server: OwnRedis
  const connections: Redis[] = []

  async function reach<R extends Redis>(redis: R): Promise<R> {
    connections.push(redis)
    await reachRedis(silentLog, redis)
    return redis
  }

  before(async () => {
    server = await ownRedis({ appendonly: false })
  })
  afterEach(() => {
    for (const connection of connections.splice(0)) connection.disconnect()
  })
  after(() => server.stop())

  it('is answered, though its commands wait for a moment only', async () => {
    const redis = await reach(connectRedis(server.url, impatient))
    const asked = redis.incr('asked')
    freeze()
    expect(await asked).to.equal(1)
  })

  it('is answered when it had sent its command before', async () => {
    const redis = await reach(connectRedis(server.url, impatient))
    const asked = redis.incr('sent')
    await new Promise((resolve) => setImmediate(resolve))
    freeze()
    expect(await asked).to.equal(1)
  })

  it('keeps its connection', async () => {
    const redis = await reach(connectNode(server.url, { name: 'patient' }))
    const before = await redis.client('ID')
    const asked = redis.incr('kept')
    freeze()
    expect(await asked).to.equal(1)
    expect(await redis.client('ID')).to.equal(before)
  })

  it('is answered by a cluster', async () => {
    const cluster = await ownCluster({ masters: 1, replicas: 0 })
    try {
      const redis = await reach(connectRedis(cluster.url, impatient))
      const asked = redis.incr('asked')
      freeze()
      expect(await asked).to.equal(1)
    } finally {
      await cluster.stop()
    }
  })
})
