/** A process that stands still longer than it waits for Redis: what Redis has answered meanwhile is heard. */
import { silentLog } from '@courier-fleet/process'
import { type OwnCluster, type OwnRedis, ownCluster, ownRedis } from '@courier-fleet/testkit'
import { expect } from 'chai'
import { connectNode, connectRedis, reachRedis } from '../../src/connection/index.ts'

const patienceMs = 500
/** longer than anybody waits for a Redis that says nothing, ms */
const stillMs = 4_000

function standStill(): void {
  const until = performance.now() + stillMs
  while (performance.now() < until);
}

describe('a process that stands still after it has asked Redis', () => {
  let server: OwnRedis
  before(async () => {
    server = await ownRedis({ appendonly: false })
  })
  after(() => server.stop())

  it('is answered, though its commands wait for a moment only', async () => {
    const redis = connectRedis(server.url, { name: 'impatient', patienceMs })
    try {
      await reachRedis(silentLog, redis)
      const asked = redis.incr('asked')
      standStill()
      expect(await asked).to.equal(1)
    } finally {
      redis.disconnect()
    }
  })

  it('is answered when it had sent its command before', async () => {
    const redis = connectRedis(server.url, { name: 'impatient', patienceMs })
    try {
      await reachRedis(silentLog, redis)
      const asked = redis.incr('sent')
      await new Promise((resolve) => setImmediate(resolve))
      standStill()
      expect(await asked).to.equal(1)
    } finally {
      redis.disconnect()
    }
  })

  it('keeps its connection', async () => {
    const redis = connectNode(server.url, { name: 'patient' })
    try {
      await reachRedis(silentLog, redis)
      const before = await redis.client('ID')
      const asked = redis.incr('kept')
      standStill()
      expect(await asked).to.equal(1)
      expect(await redis.client('ID')).to.equal(before)
    } finally {
      redis.disconnect()
    }
  })

  it('is answered by a cluster', async () => {
    let cluster: OwnCluster | undefined
    let redis: ReturnType<typeof connectRedis> | undefined
    try {
      cluster = await ownCluster({ masters: 1, replicas: 0 })
      redis = connectRedis(cluster.url, { name: 'impatient', patienceMs })
      await reachRedis(silentLog, redis)
      const asked = redis.incr('asked')
      standStill()
      expect(await asked).to.equal(1)
    } finally {
      redis?.disconnect()
      await cluster?.stop()
    }
  })
})
