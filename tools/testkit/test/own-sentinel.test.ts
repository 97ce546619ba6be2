import { connect } from 'node:net'
import { ownSentinel, until } from '@courier-fleet/testkit'
import { expect } from 'chai'
import type { Redis } from 'ioredis'
import { failOver } from '../../../scripts/redis-sentinel.mjs'

describe('ownSentinel', () => {
  it('has a replica take over from a master that is killed, which follows when it is back', async () => {
    const own = await ownSentinel({ lines: true })
    try {
      const former = await own.master()
      expect(former).to.equal(own.nodes[0])
      await former.kill()
      const master = await until(async () => {
        const now = await own.master()
        return now !== former && now
      }, 'another is master')
      await former.restart()
      await own.untilWhole()
      expect(await own.master()).to.equal(master)
      expect(await former.redis().info('replication')).to.include('role:slave')
    } finally {
      await own.stop()
    }
  })

  it('makes another the master when asked', async () => {
    const own = await ownSentinel()
    try {
      const former = await own.master()
      const master = await own.failOver()
      expect(master).not.to.equal(former)
      await own.untilWhole()
      expect(await own.master()).to.equal(master)
    } finally {
      await own.stop()
    }
  })

  it('is whole where a Sentinel keeps somebody for a replica who has fetched the data', async () => {
    const own = await ownSentinel({ replicas: 1 })
    try {
      const { hostname, port } = new URL((await own.master()).url)
      const fetching = connect(Number(port), hostname)
      fetching.resume().write('SYNC\r\n')
      await until(async () => (await own.standing()).match(/"127\.0\.0\.1:0"/g)?.length === 3, 'each has looked')
      fetching.destroy()
      await own.untilWhole()
    } finally {
      await own.stop()
    }
  })

  it('has patience with Sentinels that stood still, which do nothing for half a minute', async () => {
    const own = await ownSentinel()
    try {
      const former = await own.master()
      const admins = own.sentinels.map((each) => each.redis())
      const [watcher] = admins as [Redis]
      for (const admin of admins) await admin.call('SENTINEL', 'DEBUG', 'tilt-period', '30000') // as it is elsewhere
      for (const each of own.sentinels) each.freeze()
      // of the time that they take for a wrong clock, from when one has certainly looked at it last
      setTimeout(() => own.sentinels.forEach((each) => void each.thaw()), 3000)
      await until(async () => (await watcher.info()).includes('sentinel_tilt:1'), 'they do nothing')
      await failOver(watcher, 10_000)
      await own.untilWhole()
      expect(await own.master()).not.to.equal(former)
    } finally {
      await own.stop()
    }
  })
})
