/** A whole fleet on a Redis that is more than one: a cluster of three masters, and one that Sentinels watch. */

import { silentLog } from '@courier-fleet/process'
import { connectRedis, reachRedis } from '@courier-fleet/store'
import { type OwnCluster, type OwnSentinel, ownCluster, ownSentinel, until } from '@courier-fleet/testkit'
import { expect } from 'chai'
import { type Fleet, startFleet } from './fleet.ts'
import { addressesIn, goodContacts, membersOf } from './roster.ts'

const engines: Record<string, () => Promise<OwnCluster | OwnSentinel>> = {
  'a cluster of three masters': () => ownCluster(),
  'a Redis with Sentinels': () => ownSentinel(),
}

/** Resolves when somebody else is master, and nobody of the fleet writes to whoever was: what that takes from then on is lost. */
async function failOver(server: OwnCluster | OwnSentinel): Promise<void> {
  if ('masterOf' in server) return void (await server.failOver(await server.masterOf('fleet')))
  const former = (await server.master()).redis()
  await server.failOver()
  const ours = /name=(queue|courier|timekeeper|e2e)/
  await until(async () => !ours.test(String(await former.client('LIST'))), 'all have left the former master')
}

for (const [engine, start] of Object.entries(engines))
  describe(`a fleet on ${engine}`, function () {
    this.timeout(180_000)
    const members = membersOf('ivt-102')
    let server: OwnCluster | OwnSentinel
    let fleet: Fleet
    let closing = () => {}

    /** While nobody serves, the answer is 503, and the same call again is safe. */
    const answered = <T>(method: string, path: string, body?: unknown): Promise<T> =>
      until(
        async () => {
          const answer = await fleet.api.call<T>(method, path, body)
          if (answer.status === 503) return undefined
          expect(answer.status, path).to.be.within(200, 299)
          return answer.body
        },
        'it is answered',
        60_000,
      )

    before(async () => {
      server = await start()
      const { url } = server
      const redis = connectRedis(url, { name: 'e2e' })
      closing = () => redis.disconnect()
      await reachRedis(silentLog, redis)
      fleet = await startFleet({ redis: { url, redis: () => redis } })
    })
    after(async () => {
      await fleet?.stop()
      closing()
      await server?.stop()
    })

    it('reaches exactly those who can be reached, each once on every channel, and its ledger balances', async () => {
      const report = await fleet.api.deliver({ to: ['group:ivt-102'], text: 'Over several' })
      expect(report.ending).to.equal('some')
      const rows = await fleet.sandbox.accepted()
      expect(addressesIn(rows)).to.deep.equal(goodContacts(members))
      expect((await fleet.api.recount(report.history.key)).balanced).to.equal(true)
    })

    it('goes on over a fail-over, with nobody written to twice', async () => {
      const before = (await fleet.sandbox.accepted()).length
      await failOver(server)
      const { key } = await answered<{ key: string }>('POST', '/v1/history-keys')
      await answered('PUT', `/v1/histories/${key}`, { to: ['group:ivt-102'], text: 'After it' })
      const view = () => answered<{ state: string }>('GET', `/v1/histories/${key}`)
      await until(async () => (await view()).state === 'settled', 'it has settled', 60_000)
      const rows = (await fleet.sandbox.accepted()).slice(before)
      expect(addressesIn(rows)).to.deep.equal(goodContacts(members))
      expect(await answered<object>('GET', `/v1/histories/${key}/recount`)).to.include({ balanced: true })
    })
  })
