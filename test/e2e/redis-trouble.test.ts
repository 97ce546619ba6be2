import { type OwnRedis, ownRedis, until } from '@courier-fleet/testkit'
import { expect } from 'chai'
import { ahead } from './api.ts'
import { type Fleet, startFleet } from './fleet.ts'
import { addressesIn, goodContacts, studentsOf } from './roster.ts'

const expected = goodContacts(studentsOf('all-students'))
const to = ['cohort:all-students']

describe('a fleet whose Redis is in trouble', () => {
  let redis: OwnRedis
  let fleet: Fleet

  before(async () => {
    redis = await ownRedis()
    fleet = await startFleet({ redis, env: { TELEGRAM_RATE_PER_SECOND: '100', SMS_PER_SECOND: '100' } })
  })
  after(async () => {
    await fleet.stop()
    await redis.stop()
  })

  async function expectSettled(key: string, text: string): Promise<void> {
    await until(async () => (await fleet.api.call('GET', '/readyz')).status === 200, 'the API has Redis again')
    const { settled, history } = await fleet.api.track(key)
    expect(settled).to.equal(true)
    expect(addressesIn(await fleet.sandbox.accepted(text))).to.deep.equal(expected)
    for (const ledger of Object.values(history.channels)) expect(ledger).to.include({ pending: 0, unknown: 0 })
    expect((await fleet.api.recount(key)).balanced).to.equal(true)
  }

  it('says so while it is away, soon and with Retry-After, and sends all of it once it is back', async () => {
    const at = ahead(20_000)
    const key = await fleet.api.send({ to, text: 'несмотря ни на что', at })
    await redis.kill()
    // what was read for others is answered for a second
    await until(async () => (await fleet.api.call('GET', '/readyz')).status === 503, 'it is known to be away')
    for (const [method, path, body] of [
      ['GET', `/v1/histories/${key}`],
      ['POST', '/v1/messages', { to, text: 'не принято' }],
      ['GET', '/readyz'],
    ] as const) {
      const asked = performance.now()
      const { status, headers, body: problem } = await fleet.api.call(method, path, body)
      expect(performance.now() - asked, path).to.be.below(20_000)
      expect([status, problem.code], path).to.deep.equal([503, 'redis-away'])
      expect(Number(headers.get('retry-after')), path).to.be.above(0)
    }
    expect((await fleet.api.call('GET', '/healthz')).status).to.equal(200)
    await until(async () => Date.now() > Date.parse(at), 'the due moment has passed')
    expect(await fleet.sandbox.accepted()).to.deep.equal([])
    await redis.restart()
    await expectSettled(key, 'несмотря ни на что')
    expect(await fleet.sandbox.accepted('не принято')).to.deep.equal([])
  })

  it('loses and doubles nothing when Redis is killed in the middle of sending', async () => {
    const text = 'посреди дела'
    const key = await fleet.api.send({ to, text })
    await until(async () => (await fleet.sandbox.accepted(text)).length > 20, 'sending has begun')
    await redis.kill()
    await redis.restart()
    await expectSettled(key, text)
  })

  it('sends within about a second of the due moment when Redis tells of no events, and has it tell of them again', async () => {
    const settings = redis.redis()
    await settings.config('SET', 'notify-keyspace-events', '')
    const at = ahead(700)
    const { history } = await fleet.api.deliver({ to: ['user:t-01'], text: 'без звонка', at })
    expect(Date.parse(history.startedAt ?? '') - Date.parse(at)).to.be.within(0, 20_000)
    const rows = await fleet.sandbox.accepted('без звонка')
    expect(rows).to.have.length.above(0)
    expect(new Set(addressesIn(rows)).size).to.equal(rows.length)
    const flags = async () => ((await settings.config('GET', 'notify-keyspace-events')) as string[])[1]
    await until(async () => (await flags()) === 'xE', 'the timekeeper has noticed')
  })
})
