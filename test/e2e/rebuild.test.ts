/** What is due, and what is to be done, deleted while real courier processes send: made again from the histories. */
import type { HistoriesPage, RebuildView } from '@courier-fleet/api-types'
import type { ChannelName } from '@courier-fleet/channels'
import { type OwnRedis, ownRedis, until } from '@courier-fleet/testkit'
import { expect } from 'chai'
import type { Redis } from 'ioredis'
import { type Fleet, startFleet } from './fleet.ts'
import { addressesIn, goodContacts, membersOf, studentsOf } from './roster.ts'

const students = studentsOf('all-students')
const to = ['cohort:all-students']

describe('a Redis that was restored in part', () => {
  let server: OwnRedis
  let redis: Redis
  let fleet: Fleet

  before(async () => {
    server = await ownRedis()
    redis = server.redis()
    fleet = await startFleet({
      redis: server,
      couriers: { telegram: 2, vk: 2, sms: 2 },
      env: { TELEGRAM_RATE_PER_SECOND: '60', VK_CALLS_PER_SECOND: '3', SMS_PER_SECOND: '25' },
    })
  })
  after(async () => {
    await fleet.stop()
    await server.stop()
  })

  async function drop(): Promise<void> {
    const gone = (
      await Promise.all(['due:*', 'work:*', 'waiting:*', 'sent:*'].map((pattern) => redis.keys(pattern)))
    ).flat()
    expect(gone.map((key) => key.split(':')[0])).to.include.members(['due', 'work', 'waiting', 'sent'])
    await redis.unlink(gone)
  }

  /** As `fleet rebuild` does. */
  async function rebuild(): Promise<{ due: number; entries: number }> {
    const found = { due: 0, entries: 0 }
    let from: string | undefined
    do {
      const { body } = await fleet.api.call<RebuildView>('POST', '/v1/fleet:rebuild', from ? { from } : {})
      found.due += body.due
      found.entries += body.entries
      from = body.next
    } while (from !== undefined)
    return found
  }

  it('loses nobody and reaches nobody twice; what is there is left alone', async () => {
    const [running, later, small] = ['идёт', 'потом', 'мало'] as const
    const keys = {
      running: await fleet.api.send({ to, text: running }),
      later: await fleet.api.send({ to, text: later, at: new Date(Date.now() + 30_000).toISOString() }),
      small: await fleet.api.send({
        to: ['group:ivt-101'],
        text: small,
        at: new Date(Date.now() + 300_000).toISOString(),
      }),
    }
    const some = async (channel: ChannelName) => (await fleet.sandbox.accepted(running, channel)).length >= 20
    await until(
      async () => (await Promise.all((['telegram', 'sms', 'vk'] as const).map(some))).every(Boolean),
      'all channels are at it',
    )
    await drop()
    const found = await rebuild()
    expect(found.due).to.equal(2)
    expect(found.entries).to.be.above(0)
    expect(await redis.keys('due:*')).not.to.deep.equal([])
    const { histories } = await fleet.api.get<HistoriesPage>('/v1/histories')
    expect(histories.map(({ key }) => key)).to.deep.equal([keys.small, keys.later, keys.running])

    for (const [key, text] of [
      [keys.running, running],
      [keys.later, later],
    ] as const) {
      expect((await fleet.api.track(key, 120)).settled).to.equal(true)
      for (const channel of ['telegram', 'vk'] as const)
        expect(addressesIn(await fleet.sandbox.accepted(text, channel)), `${text} by ${channel}`).to.deep.equal(
          goodContacts(students, [channel]),
        )
      await accountsForSms(key, text)
      expect((await fleet.api.recount(key)).balanced).to.equal(true)
    }
    expect(await redis.keys('waiting:*'), 'nobody waits').to.deep.equal([])
    const before = await stateOf()
    expect(await rebuild()).to.deep.equal({ due: 0, entries: 0 })
    expect(await stateOf()).to.deep.equal(before)
    await fleet.api.call('PATCH', `/v1/histories/${keys.small}`, { at: 'now' })
    expect((await fleet.api.track(keys.small)).settled).to.equal(true)
    const members = membersOf('ivt-101')
    expect(addressesIn(await fleet.sandbox.accepted(small, 'telegram'))).to.deep.equal(
      goodContacts(members, ['telegram']),
    )
  })

  /** Each phone has it once, or the history says that nobody knows. */
  async function accountsForSms(key: string, text: string): Promise<void> {
    const addresses = addressesIn(await fleet.sandbox.accepted(text, 'sms'))
    expect(new Set(addresses).size, 'nobody twice').to.equal(addresses.length)
    const unknown = (await fleet.api.receipts(key)).filter(({ channels }) => channels.sms?.state === 'unknown').length
    expect(goodContacts(students, ['sms']).length - addresses.length).to.be.within(0, unknown)
  }

  const stateOf = async () => ({ due: await dueOf(), work: (await redis.keys('work:*')).sort() })
  const dueOf = async () =>
    Promise.all((await redis.keys('due:*')).sort().map((each) => redis.zrange(each, '0', '-1', 'WITHSCORES')))

  it('changes nothing while all is there and couriers are at work', async () => {
    const text = 'ничего не пропало'
    const key = await fleet.api.send({ to, text })
    await until(async () => (await fleet.sandbox.accepted(text, 'sms')).length >= 20, 'it is being sent')
    for (let runs = 0; runs < 5; runs += 1) expect(await rebuild()).to.deep.equal({ due: 0, entries: 0 })
    expect((await fleet.api.track(key)).settled).to.equal(true)
    for (const channel of ['telegram', 'vk', 'sms'] as const)
      expect(addressesIn(await fleet.sandbox.accepted(text, channel))).to.deep.equal(goodContacts(students, [channel]))
  })
})
