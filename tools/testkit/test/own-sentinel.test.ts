import { ownSentinel, until } from '@courier-fleet/testkit'
import { expect } from 'chai'

describe('ownSentinel', function () {
  this.timeout(120_000)

  it('has a replica take over from a master that is killed, which follows when it is back', async () => {
    const own = await ownSentinel({ lines: true })
    try {
      const former = await own.master()
      expect(former).to.equal(own.nodes[0])
      await former.kill()
      const master = await until(
        async () => {
          const now = await own.master()
          return now !== former && now
        },
        'another is master',
        60_000,
      )
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
})
