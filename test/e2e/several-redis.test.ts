/**
 * A whole fleet on a Redis that is more than one: a cluster of three masters, and one that Sentinels watch. It speaks to them by TLS, and each process as
 * a user of its own who may do no more than it needs.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { silentLog } from '@courier-fleet/process'
import { connectRedis, reachRedis } from '@courier-fleet/store'
import {
  createCertificate,
  type OwnCluster,
  type OwnClusterOptions,
  type OwnSentinel,
  ownCluster,
  ownSentinel,
  until,
} from '@courier-fleet/testkit'
import { expect } from 'chai'
import { redisUsers } from '../../scripts/redis-users.mjs'
import { type Fleet, startFleet } from './fleet.ts'
import { addressesIn, goodContacts, membersOf } from './roster.ts'

type Common = Pick<OwnClusterOptions, 'certificate' | 'config'>
const engines: Record<string, (options: Common) => Promise<OwnCluster | OwnSentinel>> = {
  'a cluster of three masters': ownCluster,
  'a Redis with Sentinels': ownSentinel,
}

const passwords = {
  queue: 'queue-password-1',
  courier: 'courier-password',
  notifier: 'notifier-password',
  timekeeper: 'timekeeper-passw',
}

/** By TLS, as the user that the process is. */
function urlOf(url: string, name: string): string {
  const user = name.replace(/-.*/, '') as keyof typeof passwords
  return url.replace('redis', 'rediss').replace('://', `://${user}:${passwords[user]}@`)
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
  describe(`a fleet on ${engine}`, () => {
    const members = membersOf('ivt-102')
    let server: OwnCluster | OwnSentinel
    let fleet: Fleet
    let dir: string
    let closing = () => {}

    /** While nobody serves, the answer is 503, and the same call again is safe. */
    const answered = <T>(method: string, path: string, body?: unknown): Promise<T> =>
      until(async () => {
        const answer = await fleet.api.call<T>(method, path, body)
        if (answer.status === 503) return undefined
        expect(answer.status, path).to.be.within(200, 299)
        return answer.body
      }, 'it is answered')

    before(async () => {
      dir = mkdtempSync(join(tmpdir(), 'courier-fleet-tls-'))
      const [aclfile, authority] = [join(dir, 'users.acl'), join(dir, 'authority.pem')]
      const certificate = createCertificate()
      writeFileSync(aclfile, `${redisUsers(passwords).join('\n')}\n`)
      writeFileSync(authority, certificate.cert)
      server = await start({ certificate, config: { aclfile } })
      const { url } = server
      const redis = connectRedis(url, { name: 'e2e' })
      closing = () => redis.disconnect()
      await reachRedis(silentLog, redis)
      fleet = await startFleet({
        redis: { url, redis: () => redis },
        redisUrlOf: async (name) => urlOf(url, name),
        envOf: () => ({ NODE_EXTRA_CA_CERTS: authority }),
      })
    })
    after(async () => {
      await fleet?.stop()
      closing()
      await server?.stop()
      rmSync(dir, { recursive: true, force: true })
    })
    /** What a node has refused to one of these users. */
    const refused = async () =>
      (await Promise.all(server.nodes.map((node) => node.redis().call('ACL', 'LOG')))).flat().map(String)

    it('reaches exactly those who can be reached, each once on every channel, and its ledger balances', async () => {
      const report = await fleet.api.deliver({ to: ['group:ivt-102'], text: 'Over several' })
      expect(report.ending).to.equal('some')
      const rows = await fleet.sandbox.accepted()
      expect(addressesIn(rows)).to.deep.equal(goodContacts(members))
      expect((await fleet.api.recount(report.history.key)).balanced).to.equal(true)
      expect(await refused()).to.deep.equal([])
    })

    it('goes on to the second phone of somebody, refused at the first or reported later', async () => {
      const [first, second] = ['+79005550311', '+79005550322'] as const
      await fleet.api.call('PUT', '/v1/people/two-phones', { name: 'Two phones', role: 'student' })
      await fleet.api.call('PUT', '/v1/contacts/sms/two-phones', { address: first })
      expect((await fleet.api.call('POST', '/v1/contacts/sms/two-phones', { address: second })).status).to.equal(204)
      const whom = { to: ['user:two-phones'], channels: ['sms'] }
      const delivered = async (key: string) =>
        until(async () => {
          const found = (await fleet.api.receipts(key))[0]?.channels.sms
          return found?.state === 'delivered' && found
        }, 'the second has it')
      await fleet.sandbox.fault({ channel: 'sms', kind: 'reports', mode: 'failed', addresses: [first], count: 1 })
      const later = await delivered(await fleet.api.send({ ...whom, text: 'Reported later' }))
      expect(later.earlier?.[0]).to.include({ contact: '11', reason: 'undelivered' })
      await fleet.sandbox.phones([{ channel: 'sms', address: first, state: 'blocked' }])
      const refusedFirst = await delivered(await fleet.api.send({ ...whom, text: 'Refused at once' }))
      expect(refusedFirst.earlier?.[0]).to.include({ contact: '11', state: 'failed' })
      await fleet.api.call('DELETE', '/v1/contacts/sms/two-phones')
      expect(await refused()).to.deep.equal([])
    })

    it('goes on over a fail-over, with nobody written to twice', async () => {
      await failOver(server)
      const { key } = await answered<{ key: string }>('POST', '/v1/history-keys')
      await answered('PUT', `/v1/histories/${key}`, { to: ['group:ivt-102'], text: 'After it' })
      const view = () => answered<{ state: string }>('GET', `/v1/histories/${key}`)
      await until(async () => (await view()).state === 'settled', 'it has settled')
      const rows = await fleet.sandbox.accepted('After it')
      expect(addressesIn(rows)).to.deep.equal(goodContacts(members))
      expect(await answered<object>('GET', `/v1/histories/${key}/recount`)).to.include({ balanced: true })
      expect(await refused()).to.deep.equal([])
    })
  })
