import { until } from '@courier-fleet/testkit'
import { expect } from 'chai'
import { createDueTimes, type DueTimes } from '../../src/engine/claims/due-times.ts'

/** Redis's clock is years away from this one, and stands as still. */
const redisMs = 1_700_000_000_000
const hourMs = 3_600_000

describe('the times at which shards have something due', () => {
  let now: number
  let overdue: { shard: string; at: number }[]
  let times: DueTimes
  beforeEach(() => {
    now = 1000
    overdue = []
    times = createDueTimes({ clock: { now: () => now }, onOverdue: (shard) => overdue.push({ shard, at: now }) })
  })
  afterEach(() => times.stop())

  async function advanced(ms: number): Promise<void> {
    now += ms
    await until(() => overdue.length > 0, 'something is overdue')
  }

  it('says half a second after its time that a shard is overdue, and a second later again, until it was asked', async () => {
    times.asking('03')
    times.note('03', { nowMs: redisMs, nextMs: redisMs + 1 })
    expect(overdue).to.deep.equal([])
    await advanced(501)
    expect(overdue).to.deep.equal([{ shard: '03', at: 1501 }])
    overdue = []
    await advanced(1000)
    expect(overdue).to.deep.equal([{ shard: '03', at: 2501 }])
    times.asking('03')
    times.note('03', { nowMs: redisMs + 1501, nextMs: undefined })
    overdue = []
    times.announce('04', redisMs)
    await advanced(5000)
    expect(overdue.map(({ shard }) => shard)).to.deep.equal(['04'])
  })

  it('goes by the earlier of what was announced and what was found', async () => {
    times.note('01', { nowMs: redisMs, nextMs: redisMs + hourMs })
    times.announce('01', redisMs + 10)
    times.announce('01', redisMs + 2 * hourMs)
    await advanced(510)
    expect(overdue).to.have.length(1)
  })

  it('keeps what was announced while it was being asked: the answer may be from before', async () => {
    times.asking('01')
    times.announce('01', redisMs + 10)
    times.note('01', { nowMs: redisMs, nextMs: undefined })
    await advanced(510)
    expect(overdue).to.have.length(1)
  })

  it('goes by the clock of the Redis that has the shard, and by no other', async () => {
    times.note('03', { nowMs: redisMs + hourMs, nextMs: redisMs + hourMs + 5000 })
    times.note('01', { nowMs: redisMs, nextMs: redisMs + 1 })
    times.note('02', { nowMs: redisMs - hourMs, nextMs: redisMs - hourMs + 1 })
    await advanced(501)
    expect(overdue.map(({ shard }) => shard)).to.deep.equal(['01', '02'])
  })

  it('takes what is announced before it knows the time of Redis as due', async () => {
    times.announce('01', redisMs + hourMs)
    await until(() => overdue.length === 1, 'it is overdue')
  })
})
