import { type OwnRedis, ownRedis, until } from '@courier-fleet/testkit'
import { expect } from 'chai'
import { ahead } from './api.ts'
import { type Fleet, startFleet } from './fleet.ts'
import { addressesIn, goodContacts, studentsOf } from './roster.ts'

const expected = goodContacts(studentsOf('all-students'))
const awayMs = 10_000
/** of one processor, while there is nothing to be done but wait; `ps` may count a second too many */
const maxShare = 0.1
const resolutionMs = 1_000
const maxGrowthBytes = 24 * 1_048_576
const maxLines = 20
/** what would find it later waits for half a minute and more */
const allSentMs = 20_000
/** a call that hangs would do so for a minute */
const answeredMs = 20_000

describe('a fleet whose Redis is away for ten seconds, across a due moment', () => {
  let redis: OwnRedis
  let fleet: Fleet

  before(async () => {
    redis = await ownRedis()
    // so late the queue says that it is away; sooner, and a busy machine is that
    fleet = await startFleet({ redis, queueEnv: { REDIS_TIMEOUT_MS: '6000' } })
  })
  after(async () => {
    await fleet.stop()
    await redis.stop()
  })

  const measure = () =>
    Promise.all(fleet.names.map(async (name) => ({ name, lines: fleet.logged(name), ...(await fleet.usage(name)) })))

  for (const [how, goAway, comeBack] of [
    ['refuses', () => redis.kill(), () => redis.restart()],
    ['stands still', async () => redis.freeze(), async () => redis.thaw()],
  ] as const) {
    it(`${how}: waits without work, growth or noise, and sends all of it soon after its return`, async () => {
      const text = `Redis ${how}`
      const repeated = (await fleet.api.call<{ key: string }>('POST', '/v1/history-keys')).body.key
      const put = () =>
        fleet.api.call('PUT', `/v1/histories/${repeated}`, { to: ['user:t-01'], text: `${text}, дважды` })
      const asleep = performance.now()
      const before = await measure()
      // it goes away before that, and is still away then
      const key = await fleet.api.send({ to: ['cohort:all-students'], text, at: ahead(awayMs * 0.8) })
      const gone = Date.now()
      await goAway()
      // what was read for others is answered for a second
      await until(async () => (await fleet.api.call('GET', '/readyz')).status === 503, 'it is known to be away')
      for (const ask of [
        put,
        () => fleet.api.call('GET', `/v1/histories/${key}`),
        () => fleet.api.call('GET', '/readyz'),
      ]) {
        const asked = performance.now()
        const { status, headers, body } = await ask()
        expect([status, body.code]).to.deep.equal([503, 'redis-away'])
        expect(Number(headers.get('retry-after'))).to.be.above(0)
        expect(performance.now() - asked, 'ms until it is answered').to.be.below(answeredMs)
      }
      await until(async () => Date.now() - gone >= awayMs, 'it was away for long', awayMs + 5_000)
      const isNoticed = () => before.every(({ name, lines }) => fleet.logged(name) > lines)
      await until(isNoticed, 'each process has said that it is away')
      const after = await measure()
      const measuredMs = performance.now() - asleep
      expect(await fleet.sandbox.accepted(text)).to.deep.equal([])

      await comeBack()
      const back = Date.now()
      await until(async () => (await fleet.sandbox.accepted(text)).length >= expected.length, 'everything is sent')
      expect(Date.now() - back, 'ms until everything is sent').to.be.below(allSentMs)
      for (const [index, { name, cpuMs, rssBytes, lines }] of after.entries()) {
        const was = before[index] as (typeof before)[number]
        expect(cpuMs - was.cpuMs, `${name}: processor time`).to.be.at.most(maxShare * measuredMs + resolutionMs)
        expect(rssBytes - was.rssBytes, `${name}: memory`).to.be.below(maxGrowthBytes)
        expect(fleet.logged(name) - was.lines, `${name}: lines, from ${lines}`).to.be.within(1, maxLines)
      }

      await until(async () => (await fleet.api.call('GET', '/readyz')).status === 200, 'the API has Redis again')
      const { settled, history } = await fleet.api.track(key)
      expect(settled).to.equal(true)
      expect(addressesIn(await fleet.sandbox.accepted(text))).to.deep.equal(expected)
      for (const ledger of Object.values(history.channels)) expect(ledger).to.include({ pending: 0, unknown: 0 })
      expect((await fleet.api.recount(key)).balanced).to.equal(true)

      // a Redis that stood still may have found the first one among what it had not read yet: no matter
      expect((await put()).status).to.be.oneOf([200, 201])
      expect((await fleet.api.track(repeated)).settled).to.equal(true)
      const twice = addressesIn(await fleet.sandbox.accepted(`${text}, дважды`))
      expect(twice).to.have.length.above(0)
      expect(new Set(twice).size).to.equal(twice.length)
    })
  }
})
