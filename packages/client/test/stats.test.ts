/** Statistics as operators read them, of messages that really went out, over real sockets. */
import { receiptStates, type StatsView } from '@courier-fleet/api-types'
import { createStats, hourMs, keys } from '@courier-fleet/store'
import { expect } from 'chai'
import { ApiError, createClient } from '../src/index.ts'
import { startFleet } from './fleet.ts'

describe('statistics over HTTP', () => {
  let fleet: Awaited<ReturnType<typeof startFleet>>
  before(async () => {
    fleet = await startFleet()
    await fleet.linkPeople()
    for (const type of ['general', 'news', 'news']) {
      const audience = ['anna', 'boris', 'clara']
      await fleet.fixture.settled(await fleet.fixture.put(audience, { rules: { type } }))
    }
  })
  after(() => fleet.stop())

  const operator = () => createClient({ apiUrl: fleet.apiUrl, apiKey: fleet.service.keyOf.operator })

  it('tells by type, channel and reason what has come', async () => {
    const { messages, receipts } = await operator().stats({ by: ['type', 'channel', 'reason'] })
    expect(messages).to.deep.equal([
      { type: 'general', accepted: 1, acceptedPeople: 3, cancelled: 0, cancelledPeople: 0 },
      { type: 'news', accepted: 2, acceptedPeople: 6, cancelled: 0, cancelledPeople: 0 },
    ])
    const rowsOf = (type: string, times: number) => [
      { type, channel: 'telegram', came: { pending: 3 * times, sent: times, 'no-contact': times }, left: {} },
      { type, channel: 'telegram', reason: 'blocked', came: { failed: times }, left: {} },
      { type, channel: 'vk', came: { pending: 3 * times, sent: times, 'no-contact': 2 * times }, left: {} },
    ]
    expect(receipts).to.have.deep.members([...rowsOf('general', 1), ...rowsOf('news', 2)])
  })

  it('sums what is not to be told apart, and leaves out what is not asked for', async () => {
    const came = { pending: 12, sent: 4, failed: 2, 'no-contact': 6 }
    const news = await operator().stats({ type: 'news' })
    const passed = { sent: 4, delivered: 0, read: 0, confirmed: 0 }
    expect(news.receipts).to.deep.equal([{ type: 'news', came, passed, left: {} }])
    expect(news.messages.map(({ type }) => type)).to.deep.equal(['news'])
    const vk = await operator().stats({ by: ['channel'], channel: 'vk' })
    const onVk = { channel: 'vk', came: { pending: 9, sent: 3, 'no-contact': 6 }, left: {} }
    expect(vk.receipts).to.deep.equal([{ ...onVk, passed: { ...passed, sent: 3 } }])
  })

  it('its hours sum to the ledgers of all histories', async () => {
    const { receipts, from, to } = await operator().stats({ by: ['hour', 'channel'] })
    expect(Date.parse(to) - Date.parse(from)).to.equal(24 * hourMs)
    const { histories } = await operator().histories({ sender: '*' })
    for (const channel of ['telegram', 'vk'])
      for (const state of receiptStates.filter((each) => each !== 'pending')) {
        const rows = receipts.filter((row) => row.channel === channel)
        const sum = rows.reduce((total, { came, left }) => total + (came[state] ?? 0) - (left[state] ?? 0), 0)
        const ledger = histories.reduce((total, { channels }) => total + (channels[channel]?.[state] ?? 0), 0)
        expect(sum, `${channel} ${state}`).to.equal(ledger)
      }
  })

  it('an hour that is over is told as it was, and is asked of Redis once', async () => {
    const { redis } = fleet.fixture
    const hour = Math.floor(Date.now() / hourMs) - 30
    const at = { from: new Date(hour * hourMs).toISOString(), to: new Date((hour + 1) * hourMs).toISOString() }
    const count = async () => (await operator().stats(at)).receipts
    await redis.hset(keys.stats('00', hour), 'library:vk:s', 7, 'library:vk:f:B', 2)
    await redis.hset(keys.stats('01', hour), 'library:vk:s', 3)
    const told: StatsView['receipts'] = [
      {
        type: 'library',
        came: { sent: 10, failed: 2 },
        passed: { sent: 10, delivered: 0, read: 0, confirmed: 0 },
        left: {},
      },
    ]
    expect(await count()).to.deep.equal(told)
    await redis.del(keys.stats('00', hour))
    expect(await count()).to.deep.equal(told)
    const others = createStats({ redis, shards: ['00', '01'] })
    const sums = (await others.hours(hour, hour + 1)).get(hour)
    expect(Object.fromEntries(sums ?? []), 'of another process').to.deep.equal({
      'library:vk:s': 10,
      'library:vk:f:B': 2,
    })
    expect(await redis.expiretime(keys.statsHour(hour))).to.equal((hour + 1 + 35 * 24) * 3600)
  })

  it("hours that are over by Redis's clock are summed ahead, and the one that is not over is not, whatever the time is where it is done", async () => {
    const { redis } = fleet.fixture
    const nowMs = Date.now()
    const now = Math.floor(nowMs / hourMs)
    const clock = Date.now
    Date.now = () => nowMs + 2 * hourMs
    try {
      await createStats({ redis, shards: ['00', '01'] }).keep()
    } finally {
      Date.now = clock
    }
    const kept = await redis.keys('stats-hour:*')
    expect(kept)
      .to.include(keys.statsHour(now - 2))
      .and.not.include(keys.statsHour(now))
  })

  it('says how late messages started', async () => {
    const { lateness } = await operator().stats()
    expect(lateness.map((row) => row.class)).to.deep.equal(['normal'])
    const [{ buckets, meanSeconds }] = lateness as [StatsView['lateness'][number]]
    expect(buckets).to.have.length(10)
    expect(buckets.reduce((sum, { messages }) => sum + messages, 0)).to.equal(3)
    expect(meanSeconds).to.be.within(0, 20)
  })

  it('says how late they started on each channel, and goes on reading hours in which that was not counted', async () => {
    const { redis } = fleet.fixture
    const hour = Math.floor(Date.now() / hourMs) - 40
    await redis.hset(keys.stats('00', hour), '::normal:0.5', 2, '::normal:us', 600_000)
    await redis.hset(keys.stats('01', hour), '::normal:0.5', 1, '::normal:us', 300_000)
    const at = { from: new Date(hour * hourMs).toISOString(), to: new Date((hour + 1) * hourMs).toISOString() }
    const before = await operator().stats({ ...at, by: ['channel'] })
    expect(before.lateness.map((row) => [row.class, startedOf(row), row.meanSeconds])).to.deep.equal([
      ['normal', 3, 0.3],
    ])
    expect(before.channelLateness).to.deep.equal([])
    const both = await operator().stats({ from: at.from, by: ['channel'] })
    expect(both.lateness.map(startedOf)).to.deep.equal([6])
    expect(both.channelLateness?.map((row) => [row.channel, row.class, startedOf(row)])).to.deep.equal([
      ['telegram', 'normal', 3],
      ['vk', 'normal', 3],
    ])
    expect((await operator().stats({ by: ['channel'], channel: 'vk' })).channelLateness).to.have.length(1)
    expect(await operator().stats({ by: ['type'] })).to.not.have.property('channelLateness')
  })

  const startedOf = ({ buckets }: StatsView['lateness'][number]) =>
    buckets.reduce((sum, { messages }) => sum + messages, 0)

  const refusal = async (call: Promise<unknown>) => {
    const error = await call.catch((reason: unknown) => reason)
    expect(error).to.be.instanceOf(ApiError)
    return (error as ApiError).problem
  }

  it('says what is wrong with the question, and is for operators', async () => {
    const daysAgo = (days: number) => new Date(Date.now() - days * 24 * hourMs).toISOString()
    expect(await refusal(operator().stats({ from: daysAgo(36) }))).to.include({
      status: 400,
      code: 'invalid',
      field: 'from',
    })
    expect((await refusal(operator().stats({ from: daysAgo(36) }))).detail).to.match(/35 days, since 20\d\d-/)
    expect(await refusal(operator().stats({ from: daysAgo(1), to: daysAgo(2) }))).to.include({ field: 'from' })
    expect(await refusal(operator().stats({ by: ['state' as 'type'] }))).to.include({ status: 400, field: 'by' })
    expect((await operator().stats({ from: daysAgo(34.9) })).receipts).to.not.have.length(0)
    expect(await refusal(fleet.client.stats())).to.include({ status: 403, code: 'not-allowed' })
  })
})
