/** How far everybody has come, as it is streamed over real sockets. */
import { type FlowRow, type HistoryRef, historyKeyOf, memberOf } from '@courier-fleet/api-types'
import { keys } from '@courier-fleet/store'
import { generatedId, until } from '@courier-fleet/testkit'
import { expect } from 'chai'
import { purge } from '../../timekeeper/src/retention.ts'
import { ApiError } from '../src/index.ts'
import type { FlowFilter } from '../src/receipts.ts'
import { startFleet } from './fleet.ts'

const dayMs = 86_400_000

describe('the flow of a message over HTTP', () => {
  let fleet: Awaited<ReturnType<typeof startFleet>>
  let key: string
  before(async () => {
    fleet = await startFleet()
    await fleet.linkPeople()
    const ref = await fleet.fixture.put(['anna', 'boris', 'clara'])
    await fleet.fixture.settled(ref)
    key = historyKeyOf(ref)
  })
  after(() => fleet.stop())

  async function all(key: string, filter: FlowFilter = {}): Promise<FlowRow[]> {
    const rows: FlowRow[] = []
    for await (const row of fleet.admin.flow(key, filter)) rows.push(row)
    return rows
  }
  const anna = { ordinal: 0, person: 'anna', flow: { telegram: '200000000', vk: '200000000' } }
  const boris = { ordinal: 1, person: 'boris', flow: { telegram: '312000000', vk: '332000000' } }
  const clara = { ordinal: 2, person: 'clara', flow: { telegram: '332000000', vk: '332000000' } }

  it('is a line of JSON a person, of one channel and at one stage where that is asked for', async () => {
    expect(await all(key)).to.deep.equal([anna, boris, clara])
    expect(await all(key, { stage: 'sent' })).to.deep.equal([anna])
    expect(await all(key, { stage: 'failed', channel: 'telegram' })).to.deep.equal([
      { ...boris, flow: { telegram: '312000000' } },
      { ...clara, flow: { telegram: '332000000' } },
    ])
    expect(await all(key, { stage: 'read' })).to.deep.equal([])
  })

  it('is CSV as well, with a word beside the digits', async () => {
    const bytes = Buffer.from(await new Response(await fleet.admin.flowCsv(key, { channel: 'vk' })).arrayBuffer())
    const text = bytes.toString()
    expect(text.charCodeAt(0), 'byte order mark').to.equal(0xfeff)
    const lines = text.slice(1).trim().split('\r\n')
    expect(lines.map((line) => line.split(','))).to.deep.equal([
      ['ordinal', 'person', 'channel', 'flow', 'stage'],
      ['0', 'anna', 'vk', '200000000', 'sent'],
      ['1', 'boris', 'vk', '332000000', 'failed'],
      ['2', 'clara', 'vk', '332000000', 'failed'],
    ])
  })

  it('is told in numbers, and they agree with the ledger', async () => {
    const { channels } = await fleet.admin.funnel(key)
    expect(channels.telegram?.flows).to.deep.equal({ '200000000': 1, '312000000': 1, '332000000': 1 })
    expect(channels.telegram?.passed).to.deep.equal({ sent: 1, delivered: 0, read: 0, confirmed: 0 })
    expect(channels.vk?.stages).to.include({ sent: 1, failed: 2, pending: 0 })
    const history = await fleet.admin.history(key)
    for (const [leg, { people, stages }] of Object.entries(channels)) {
      expect(people).to.equal(3)
      expect(stages.sent).to.equal(history.channels[leg]?.sent)
    }
  })

  it('is told with the times for a replay, in a few bytes, as the receipts have it', async () => {
    const replay = await fleet.admin.replay(key)
    const { startedAt = '' } = await fleet.admin.history(key)
    expect(replay).to.deep.include({ size: 3, startedAt, channels: ['telegram', 'vk'], marks: [] })
    for await (const { ordinal, channels } of fleet.admin.allReceipts(key)) {
      for (const [leg, name] of replay.channels.entries()) {
        const { state, at } = channels[name] ?? {}
        expect(replay.states[replay.standing[leg]?.[ordinal] ?? 0]).to.equal(state)
        expect((replay.offsets[leg]?.[ordinal] ?? -1) + Date.parse(startedAt)).to.equal(Date.parse(at ?? ''))
      }
    }
    const waiting = await fleet.admin.send({
      to: ['user:anna'],
      text: 'Later',
      at: new Date(Date.now() + dayMs).toISOString(),
    })
    expect(await fleet.admin.replay(waiting.key)).to.deep.include({ size: 0, channels: [], standing: [] })
    await fleet.admin.cancel(waiting.key)
  })

  it('says which rule has stopped it, and of what was cancelled that', async () => {
    const { admin } = fleet
    await admin.setConsent('anna', 'vk', { allowed: false })
    const { key: stopped } = await admin.send({ to: ['user:anna'], text: 'Switched off', channels: ['vk'] })
    await admin.track(stopped, 20)
    await admin.setConsent('anna', 'vk', { allowed: true })
    expect(await all(stopped, { stage: 'stopped' })).to.deep.equal([
      { ordinal: 0, person: 'anna', flow: { vk: '101000000' } },
    ])
    expect((await admin.funnel(stopped)).channels.vk?.stages).to.include({ stopped: 1, failed: 0 })

    const { key: cancelled } = await admin.send({ to: ['user:anna'], text: 'Nobody comes', channels: ['mail'] })
    const begun = async () => (await admin.history(cancelled)).state === 'running'
    await until(begun, 'it waits for a courier that does not come')
    expect((await admin.cancel(cancelled)).outcome).to.equal('cancelled')
    expect(await all(cancelled)).to.deep.equal([{ ordinal: 0, person: 'anna', flow: { mail: '304000000' } }])
  })

  it('of many thousands nobody is missing, and nobody twice', async () => {
    const many = Array.from({ length: 12_345 }, (_unused, index) => generatedId(index)).sort()
    const ref = await fleet.fixture.put(many, { dueMs: Date.now() + dayMs })
    await fleet.fixture.redis.hset(keys.history(ref), 'expected', 'vk')
    await fleet.fixture.redis.setrange(keys.receipts(ref, 'vk'), 12_344, 's')
    const rows = await all(historyKeyOf(ref))
    expect(rows.map(({ person }) => person)).to.deep.equal(many)
    expect(rows.map(({ ordinal }) => ordinal)).to.deep.equal([...many.keys()])
    expect(await all(historyKeyOf(ref), { stage: 'sent' })).to.deep.equal([rows[12_344]])
    // hours after the start: times of one byte and of several
    await fleet.fixture.redis.hset(keys.history(ref), 'started', Date.now())
    const times = Buffer.alloc(8)
    times.writeUInt32BE(101)
    times.writeUInt32BE(7_200_001, 4)
    await fleet.fixture.redis.setrange(keys.receipts(ref, 'vk'), 12_345 + 4 * 12_343, times)
    const { size, states, standing, offsets } = await fleet.admin.replay(historyKeyOf(ref))
    expect(size).to.equal(12_345)
    expect([...(offsets[0] ?? [])].slice(-3)).to.deep.equal([-1, 100, 7_200_000])
    expect([...(standing[0] ?? [])].slice(-2).map((state) => states[state])).to.deep.equal(['pending', 'sent'])
  })

  it('breaks off where the message is purged meanwhile: half of it is not all of it', async () => {
    const { redis, histories } = fleet.fixture
    const many = Array.from({ length: 400_000 }, (_unused, index) => generatedId(index)).sort()
    const ref: HistoryRef = await fleet.fixture.put(many, { dueMs: Date.now() + dayMs })
    const told = fleet.admin.flow(historyKeyOf(ref))
    expect((await told.next()).value?.ordinal).to.equal(0)
    await redis.zadd(keys.retention(ref.shard), 1, memberOf(ref))
    expect((await purge(redis, ref.shard, dayMs, 10)).messages).to.equal(1)
    expect(await histories.snapshot(ref)).to.equal(undefined)
    let rows = 1
    const error = await (async () => {
      for await (const _row of told) rows += 1
    })().catch((reason: unknown) => reason)
    expect(error).to.be.instanceOf(Error)
    expect(rows).to.be.below(400_000)
  })

  it('is refused to others, and of what there is not', async () => {
    const { key: other } = await fleet.admin.send({ to: ['user:anna'], text: 'Not the trainer’s' })
    for (const call of [() => fleet.client.funnel(other), () => fleet.client.flow(other).next()]) {
      const error = await call().catch((reason: unknown) => reason)
      expect((error as ApiError).problem).to.include({ status: 403, code: 'not-your-history' })
    }
    const none = await fleet.admin
      .funnel(key.replace(/.$/, (last) => (last === '_' ? 'a' : '_')))
      .catch((reason: unknown) => reason)
    expect((none as ApiError).problem).to.include({ status: 404, code: 'unknown-key' })
    const wrong = await all(key, { stage: 'lost' as 'sent' }).catch((reason: unknown) => reason)
    expect((wrong as ApiError).problem).to.include({ status: 400, field: 'stage' })
    expect(wrong).to.be.instanceOf(ApiError)
  })
})
