import { type OwnCluster, type OwnMember, ownCluster, until } from '@courier-fleet/testkit'
import { expect } from 'chai'

const key = '{somebody}'

async function killAndUntilTakenOver(cluster: OwnCluster, master: OwnMember): Promise<OwnMember> {
  const [replica] = (await cluster.replicasOf(master)) as [OwnMember]
  await master.kill()
  await until(async () => (await cluster.masterOf(key)) === replica, 'its replica has taken over')
  return replica
}

describe('ownCluster', () => {
  it('has its slots in equal ranges; a replica takes over by agreement, and when its master is killed', async () => {
    const cluster = await ownCluster()
    try {
      const slots = (await cluster.nodes[0]?.redis().cluster('SLOTS')) as [number, number][]
      expect(slots.map(([from, to]) => to - from)).to.have.members([5460, 5460, 5461])
      const first = await cluster.masterOf(key)
      const second = await cluster.failOver(first)
      await cluster.untilWhole()
      expect(await cluster.masterOf(key)).to.equal(second)
      expect(await killAndUntilTakenOver(cluster, second)).to.equal(first)
      await second.restart()
      await cluster.untilWhole()
      expect(await cluster.replicasOf(first)).to.deep.equal([second])
    } finally {
      await cluster.stop()
    }
  })

  it('delays what replicas hear and holds it back, so that it is lost with the master', async () => {
    const cluster = await ownCluster({ lines: true })
    try {
      const master = await cluster.masterOf(key)
      const redis = master.redis()
      master.line.delay(300)
      const from = performance.now()
      await redis.set(key, 'late')
      expect(await redis.wait(1, 10_000)).to.equal(1)
      expect(performance.now() - from).to.be.above(250)
      master.line.hold()
      await redis.set(key, 'held')
      expect(await redis.wait(1, 500)).to.equal(0)
      await master.line.restore()
      expect(await redis.wait(1, 10_000)).to.equal(1)
      master.line.hold()
      await redis.set(key, 'lost')
      const replica = await killAndUntilTakenOver(cluster, master)
      expect(await replica.redis().get(key)).to.equal('held')
    } finally {
      await cluster.stop()
    }
  })
})
