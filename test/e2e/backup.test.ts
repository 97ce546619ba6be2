/** A backup taken while real courier processes send, and restored after they have gone on for a while and Redis was lost. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { RebuildView } from '@courier-fleet/api-types'
import { restoreBackup, takeBackup } from '@courier-fleet/backup'
import { type OwnRedis, ownRedis, until } from '@courier-fleet/testkit'
import { expect } from 'chai'
import type { Redis } from 'ioredis'
import { type Fleet, startFleet } from './fleet.ts'
import { addressesIn, goodContacts, membersOf, studentsOf } from './roster.ts'

const students = studentsOf('all-students')
const to = ['cohort:all-students']
const [running, soon, later] = ['идёт', 'скоро', 'потом'] as const

describe('a Redis that was lost, and restored from a backup', () => {
  let dir: string
  let file: string
  let server: OwnRedis
  let redis: Redis
  let fleet: Fleet
  let keys: Record<'running' | 'soon' | 'later', string>

  before(async () => {
    dir = mkdtempSync(join(tmpdir(), 'courier-fleet-backup-e2e-'))
    file = join(dir, 'backup.rdb')
    server = await ownRedis({ config: { 'repl-diskless-sync-delay': '0' } })
    redis = server.redis()
    fleet = await startFleet({
      redis: server,
      // nobody takes over from a slow one whom an SMS may have reached
      couriers: { telegram: 2, vk: 2, sms: 1 },
      env: { TELEGRAM_RATE_PER_SECOND: '60', VK_CALLS_PER_SECOND: '3', SMS_PER_SECOND: '5', LEASE_MS: '1500' },
    })
    keys = {
      running: await fleet.api.send({ to, text: running }),
      soon: await fleet.api.send({ to: ['group:ivt-101'], text: soon, at: inMs(300_000) }),
      later: await fleet.api.send({ to: ['group:ivt-101'], text: later, at: inMs(300_000) }),
    }
    for (const channel of ['telegram', 'vk', 'sms'] as const)
      await until(async () => (await fleet.sandbox.accepted(running, channel)).length >= 10, `${channel} is at it`)
    const dueMs = Date.now() + 20_000
    await fleet.api.call('PATCH', `/v1/histories/${keys.soon}`, { at: new Date(dueMs).toISOString() })
    await takeBackup(server.url, file)
    // what goes out from here on is not in it: the rest of one message, and all of another
    const before = (await fleet.sandbox.accepted(running, 'sms')).length
    await until(async () => (await fleet.sandbox.accepted(running, 'sms')).length >= before + 20, 'more were sent to')
    await fleet.api.call('PATCH', `/v1/histories/${keys.soon}`, { at: 'now' })
    await fleet.api.track(keys.soon)
    expect(await fleet.sandbox.accepted(soon, 'sms')).to.not.deep.equal([])
    await until(() => Date.now() > dueMs, 'it would have fallen due by itself')
  })
  after(async () => {
    await fleet.stop()
    await server.stop()
    rmSync(dir, { recursive: true })
  })

  const inMs = (ms: number) => new Date(Date.now() + ms).toISOString()

  /** All processes are killed, and Redis has nothing but the backup when they are started again. */
  async function loseAndRestore(sendAgain: boolean) {
    await Promise.all(fleet.names.map((name) => fleet.kill(name)))
    await redis.flushall()
    const restored = await restoreBackup(server.url, file, { sendAgain })
    await fleet.start(...fleet.names)
    return restored
  }

  const smsOf = async (text: string) => addressesIn(await fleet.sandbox.accepted(text, 'sms'))
  const unknownOf = async (key: string) =>
    (await fleet.api.receipts(key)).filter(({ channels }) => channels.sms?.state === 'unknown').length

  it('nobody gets anything twice, and who may have it is unknown', async () => {
    const { unknown } = await loseAndRestore(false)
    expect(unknown.sms).to.be.above(20)
    const { body } = await fleet.api.call<RebuildView>('POST', '/v1/fleet:rebuild', {})
    expect(body, 'it was whole').to.include({ due: 0, entries: 0 })

    const people = { [running]: students, [soon]: membersOf('ivt-101') }
    for (const [key, text] of [
      [keys.running, running],
      [keys.soon, soon],
    ] as const) {
      const sent = await smsOf(text)
      expect((await fleet.api.track(key)).settled).to.equal(true)
      for (const channel of ['telegram', 'vk'] as const)
        expect(addressesIn(await fleet.sandbox.accepted(text, channel)), `${text} by ${channel}`).to.deep.equal(
          goodContacts(people[text], [channel]),
        )
      expect(await smsOf(text), 'nobody was sent to again, nor for the first time').to.deep.equal(sent)
      expect(new Set(sent).size).to.equal(sent.length)
      const good = goodContacts(people[text], ['sms'])
      expect(await unknownOf(key), 'whom nobody was told of').to.be.at.least(good.length - sent.length)
      expect((await fleet.api.recount(key)).balanced).to.equal(true)
    }
    expect(await unknownOf(keys.soon)).to.equal(membersOf('ivt-101').filter(({ contacts }) => contacts.sms).length)
  })

  it('what was not due yet goes out as if nothing had been', async () => {
    await fleet.api.call('PATCH', `/v1/histories/${keys.later}`, { at: 'now' })
    expect((await fleet.api.track(keys.later)).settled).to.equal(true)
    for (const channel of ['telegram', 'vk', 'sms'] as const)
      expect(addressesIn(await fleet.sandbox.accepted(later, channel))).to.deep.equal(
        goodContacts(membersOf('ivt-101'), [channel]),
      )
    expect(await unknownOf(keys.later)).to.equal(0)
  })

  it('whoever may have it is sent it again where the operator says so', async () => {
    const { unknown } = await loseAndRestore(true)
    expect(unknown).to.deep.equal({})
    expect((await fleet.api.track(keys.running)).settled).to.equal(true)
    const good = goodContacts(students, ['sms'])
    const left = good.length - new Set(await smsOf(running)).size
    // only those who were being sent to at the moment of the backup
    expect(await unknownOf(keys.running)).to.be.at.least(left)
    expect(left).to.be.at.most(100)
    expect((await fleet.api.recount(keys.running)).balanced).to.equal(true)
    for (const channel of ['telegram', 'vk'] as const)
      expect(addressesIn(await fleet.sandbox.accepted(running, channel))).to.deep.equal(
        goodContacts(students, [channel]),
      )
  })
})
