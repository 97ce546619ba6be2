/** What actual_queue's users see by type: seven days of the fleet, 24 hours, and nothing of before. */
import { createStats, hourMs, keys } from '@courier-fleet/store'
import { freshRedis } from '@courier-fleet/testkit'
import { expect } from 'chai'
import type { Redis } from 'ioredis'
import { type Span, typeStatistics } from '../src/actual-queue/statistics.ts'

const shards = ['00', '01']
const nowMs = Date.parse('2026-03-29T15:20:00Z')
const timeZone = 'Europe/Berlin'

describe('the statistics of actual_queue', () => {
  let fresh: Awaited<ReturnType<typeof freshRedis>>
  let redis: Redis
  before(async () => {
    fresh = await freshRedis()
    redis = fresh.redis
  })
  after(() => fresh.stop())

  const hourOf = (iso: string) => Math.floor(Date.parse(iso) / hourMs)
  const countIn = (shard: string, iso: string, fields: Record<string, number>) =>
    redis.hset(keys.stats(shard, hourOf(iso)), fields)
  const told = (span: Span) => {
    const stats = createStats({ redis, shards })
    return typeStatistics(span, { stats, nowMs, timeZone })
  }
  const at = (iso: string) => String(Date.parse(iso))

  it('are of the hours and days that end now, summed over shards and channels', async () => {
    // this hour, the first of the 24, the one before it
    await countIn('00', '2026-03-29T15:00:00Z', { 'news::accepted': 3, 'news:http:s': 2, 'news:http:f': 1 })
    await countIn('01', '2026-03-29T15:00:00Z', {
      'news::accepted': 4,
      'news:vk:s': 5,
      'news:vk:-s': 5,
      'news:vk:d': 5,
    })
    await countIn('00', '2026-03-28T16:00:00Z', { 'news::accepted': 10, 'coupon:http:s': 7 })
    await countIn('01', '2026-03-28T15:00:00Z', { 'news::accepted': 100 })
    // the first hour of the seven days, in Berlin an hour before that of UTC, and the last of the day before
    await countIn('00', '2026-03-22T23:00:00Z', { 'coupon::accepted': 1000 })
    await countIn('00', '2026-03-22T22:00:00Z', { 'coupon::accepted': 10_000 })

    expect(await told('hourly')).to.deep.equal({
      news: {
        [at('2026-03-28T16:00:00Z')]: { received: 10, sent: 0 },
        [at('2026-03-29T15:00:00Z')]: { received: 7, sent: 7 },
      },
      coupon: { [at('2026-03-28T16:00:00Z')]: { received: 0, sent: 7 } },
    })
    // the last day has 23 hours: clocks were put forward that night
    expect(await told('daily')).to.deep.equal({
      news: {
        [at('2026-03-27T23:00:00Z')]: { received: 110, sent: 0 },
        [at('2026-03-28T23:00:00Z')]: { received: 7, sent: 7 },
      },
      coupon: {
        [at('2026-03-22T23:00:00Z')]: { received: 1000, sent: 0 },
        [at('2026-03-27T23:00:00Z')]: { received: 0, sent: 7 },
      },
    })
  })
})
