/** A fleet grows its shards while messages are sent, a courier is killed and every process is started anew: each person has each message once. */
import type { Acceptance, HistoriesPage, RebuildView, ShardsView } from '@courier-fleet/api-types'
import { type OwnRedis, ownRedis, until } from '@courier-fleet/testkit'
import { expect } from 'chai'
import type { Redis } from 'ioredis'
import { type Fleet, startFleet } from './fleet.ts'
import { startLoad } from './load.ts'
import { addressesIn, goodContacts, membersOf } from './roster.ts'

const group = 'ivt-102'
const expected = goodContacts(membersOf(group))
const numbers = Array.from({ length: 8 }, (_unused, index) => index)

describe('a fleet whose shards grow from 16 to 64 under load', () => {
  let server: OwnRedis
  let redis: Redis
  let fleet: Fleet
  before(async () => {
    server = await ownRedis()
    redis = server.redis()
    fleet = await startFleet({
      redis: server,
      couriers: { telegram: 2, vk: 1, sms: 1 },
      notifiers: 1,
      // so slow that something is always on its way
      env: { TELEGRAM_RATE_PER_SECOND: '120', SMS_PER_SECOND: '120', VK_CALLS_PER_SECOND: '5', SMS_WINDOW: '10' },
    })
  })
  after(async () => {
    await fleet.stop()
    await server.stop()
  })

  const read = () => fleet.api.get<ShardsView>('/v1/shards')
  /** Puts a message until it is answered: the API is away while it is started anew. */
  const sendOnce = (number: number) =>
    until(async () => {
      const headers = { 'idempotency-key': `call-${number}` }
      const body = { to: [`group:${group}`], text: `однажды ${number}` }
      const answer = await fleet.api.call<Acceptance>('POST', '/v1/messages', body, headers).catch(() => undefined)
      return answer && answer.status < 300 ? answer.body.key : undefined
    }, 'a message is accepted')
  const forgetAnswers = async () => {
    const kept = await redis.keys('idempotency:*')
    if (kept.length > 0) await redis.unlink(kept)
  }

  async function rebuild(): Promise<void> {
    let from: string | undefined
    do {
      const { status, body } = await fleet.api.call<RebuildView>('POST', '/v1/fleet:rebuild', from ? { from } : {})
      expect(status).to.equal(200)
      from = body.next
    } while (from !== undefined)
  }

  it('nobody has a message twice, nobody lacks one, and a call of before is answered as before', async () => {
    const before = await Promise.all(numbers.map(sendOnce))
    const load = startLoad(fleet.api, group)
    await until(async () => (await fleet.sandbox.accepted()).length > 20, 'sending has begun')
    expect((await fleet.api.call('PUT', '/v1/shards', { shards: 64 })).status).to.equal(200)
    expect(await fleet.kill('courier-telegram-1')).to.equal(null)
    await fleet.start('courier-telegram-1')

    for (const name of fleet.names.filter((each) => each !== 'courier-telegram-1')) {
      const { laidBy, toRestart } = await read()
      expect(laidBy, `before ${name}`).to.equal(16)
      expect(toRestart).to.include(name).and.not.include('courier-telegram-1')
      expect(await fleet.kill(name, 'SIGTERM'), name).to.equal(0)
      await fleet.start(name)
    }
    const { since: _, ...grown } = await until(async () => {
      const view = await read()
      return view.since ? view : undefined
    }, 'new messages are laid by all')
    expect(grown).to.deep.equal({ shards: 64, laidBy: 64, former: [16], toRestart: [] })

    await forgetAnswers()
    const again = await Promise.all(numbers.map(sendOnce))
    expect(again).to.deep.equal(before)
    const news = await Promise.all(numbers.map((number) => sendOnce(100 + number)))
    const isBeyond = (key: string) => Number(key.slice(0, key.indexOf('.'))) >= 16
    expect(news.some(isBeyond), 'some lie in a new shard').to.equal(true)
    await until(async () => {
      const { histories } = await fleet.api.get<HistoriesPage>('/v1/histories?limit=10')
      return histories.filter(({ key }) => isBeyond(key)).length >= 3
    }, 'of the load, too')
    expect(await fleet.kill('courier-telegram-2')).to.equal(null)
    await fleet.start('courier-telegram-2')

    const sent = await load.stop()
    await rebuild()
    const all = [
      ...sent,
      ...numbers.map((number, index) => ({ key: before[index] as string, text: `однажды ${number}` })),
      ...numbers.map((number, index) => ({ key: news[index] as string, text: `однажды ${100 + number}` })),
    ]
    for (const { key, text } of all) {
      const { settled, history } = await fleet.api.track(key)
      expect(settled, text).to.equal(true)
      for (const ledger of Object.values(history.channels)) expect(ledger, text).to.include({ pending: 0, unknown: 0 })
      expect((await fleet.api.recount(key)).balanced, text).to.equal(true)
    }
    const accepted = await fleet.sandbox.accepted()
    for (const { text } of all) {
      expect(addressesIn(accepted.filter((row) => row.text === text)), text).to.deep.equal(expected)
    }
    expect(accepted).to.have.length(all.length * expected.length)
  })
})
