/** Who is told of a message with a deadline counts once, when the first of their receipts says so: in time or late. */
import type { HistoryRef } from '@courier-fleet/api-types'
import { createStats, hourMs, keys, type PutInput, type Snapshot, statsTable } from '@courier-fleet/store'
import { purge } from '@courier-fleet/timekeeper'
import { expect } from 'chai'
import { resolveUnknown } from '../../../store/src/history/unknown-scripts.ts'
import {
  type ClaimFixture,
  claimWork,
  createClaimFixture,
  noEvidence,
  record,
  report,
  shard,
  wakeDue,
} from './claim-fixture.ts'

describe('lua: in time', () => {
  let fixture: ClaimFixture
  beforeEach(async () => {
    fixture = await createClaimFixture()
  })
  afterEach(() => fixture.stop())

  const minute = 60_000
  const withDeadline = { rules: { type: 'news' }, deadlineMs: minute }
  const deadlineOf = async (ref: HistoryRef) =>
    (await fixture.histories.view((await fixture.histories.snapshot(ref)) as Snapshot)).deadline
  const told = async (ref: HistoryRef) => {
    const { inTime, late } = (await deadlineOf(ref)) ?? {}
    return [inTime, late]
  }
  /** As though it had been due so long ago. */
  const dueAgo = (ref: HistoryRef, ms: number) => fixture.redis.hset(keys.history(ref), 'due', Date.now() - ms)

  /** @returns what writes the receipts of all its people on a channel */
  async function started(size: number, channels: readonly string[], more: Partial<PutInput> = withDeadline) {
    const processes = await Promise.all(channels.map((channel) => fixture.process(channel)))
    const ref = await fixture.put(size, { ...more, channels })
    await wakeDue(fixture)
    const writers = await Promise.all(
      processes.map(async ({ scripts, streams }) => {
        const claim = await claimWork(streams)
        return async (bytes: string, done = false) => {
          await record(scripts, claim, Buffer.from(bytes), noEvidence, done)
        }
      }),
    )
    return { ref, writers }
  }

  it('counts a person once, whichever channel is first, whatever their receipts say later', async () => {
    const { ref, writers } = await started(4, ['telegram', 'vk'])
    const [telegram, vk] = writers as [(bytes: string) => Promise<void>, (bytes: string) => Promise<void>]
    await vk('aaaa')
    expect(await told(ref), 'whoever is attempted is not told').to.deep.equal([0, 0])
    await vk('ssf=')
    expect(await told(ref)).to.deep.equal([2, 0])
    await dueAgo(ref, minute + 1_000)
    await telegram('aaaa')
    await telegram('sssf')
    expect(await told(ref), 'the first two were in time').to.deep.equal([2, 1])
    await vk('===s')
    await report(fixture, ref, 0, { state: 'delivered' })
    await report(fixture, ref, 1, { state: 'failed', reason: 'undelivered' })
    expect(await deadlineOf(ref)).to.deep.equal({ within: 'PT1M', inTime: 2, late: 2 })
    const hour = Math.floor(Date.now() / hourMs)
    const stats = createStats({ redis: fixture.redis, shards: [shard] })
    const { deadlines } = statsTable(await stats.hours(hour - 1, hour + 1), { by: new Set(['type', 'channel']) })
    expect(deadlines).to.deep.equal([
      { type: 'news', channel: 'telegram', inTime: 0, late: 1 },
      { type: 'news', channel: 'vk', inTime: 2, late: 1 },
    ])
  })

  it('counts who was unknown from when it is known: by a report, or by the word of somebody', async () => {
    const { ref, writers } = await started(3, ['vk'])
    const [vk] = writers as [(bytes: string) => Promise<void>]
    await vk('aaa')
    await vk('uuu')
    expect(await told(ref)).to.deep.equal([0, 0])
    await report(fixture, ref, 0, { state: 'delivered' })
    await dueAgo(ref, minute + 1_000)
    const word = { ref, leg: 'vk', by: 'oleg' }
    await resolveUnknown(fixture.redis, { ...word, ordinals: [1] }, 'delivered')
    await resolveUnknown(fixture.redis, { ...word, ordinals: [2] }, 'failed')
    expect(await told(ref)).to.deep.equal([1, 1])
  })

  it('of a message without a deadline nothing is counted, and with it all is removed', async () => {
    const { ref, writers } = await started(2, ['vk'], { rules: { type: 'news' } })
    await writers[0]?.('aa')
    await writers[0]?.('ss', true)
    expect([await deadlineOf(ref), await fixture.redis.exists(keys.inTime(ref))]).to.deep.equal([undefined, 0])
    const other = await started(2, ['vk'])
    await other.writers[0]?.('aa')
    await other.writers[0]?.('ss', true)
    expect(await fixture.redis.get(keys.inTime(other.ref))).to.equal('tt')
    await fixture.redis.zadd(keys.retention(shard), 1, `${other.ref.sender}:${other.ref.id}`)
    await purge(fixture.redis, shard, 1_000, 10)
    expect(await fixture.redis.exists(keys.inTime(other.ref))).to.equal(0)
  })
})
