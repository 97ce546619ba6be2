import { createStats, hourMs, readAllStats } from '@courier-fleet/store'
import { generatedId, until } from '@courier-fleet/testkit'
import { expect } from 'chai'
import type { Item, Outcome } from '../../src/courier.ts'
import { sumsOfLedgers, sumsOfStats } from '../scripts/ledger-sums.ts'
import { fakeCourier } from './fake-courier.ts'
import { createFixture, type Fixture } from './fixture.ts'

const shards = ['00', '01']

describe('engine: statistics', () => {
  let fixture: Fixture
  beforeEach(async () => {
    fixture = await createFixture()
  })
  afterEach(() => fixture.stop())

  it('of processes that freeze with batches in flight and are taken over: the sum of hours is the ledgers', async () => {
    const everyone = await fixture.people(30)
    const answerOf = ({ address }: Item): Outcome => {
      const kind = Number(address) % 5
      if (kind === 0) return { kind: 'rejected', class: 'refused', detail: 'no' }
      if (kind === 1) return { kind: 'unknown', why: 'no answer' }
      return { kind: 'sent', providerId: `id-${address}` }
    }
    const frozen = [0, 1].map(() => {
      let answers = 0
      const answer = (item: Item) => {
        answers += 1
        return answers > 12 ? new Promise<Outcome>(() => {}) : answerOf(item)
      }
      return fakeCourier({ answer, foldsResends: false, batchSize: 4, concurrency: 1 })
    })
    for (const [index, courier] of frozen.entries())
      await fixture.run(courier, { leaseMs: 1e9, consumer: `frozen-${index}` })
    const refs = await Promise.all(Array.from({ length: 6 }, () => fixture.put([...everyone, generatedId(1)].sort())))
    await until(() => frozen.every(({ handed }) => handed.length > 12), 'both are frozen')
    await fixture.run(fakeCourier({ answer: answerOf, foldsResends: false, batchSize: 7 }), { leaseMs: 200 })
    await Promise.all(refs.map((ref) => fixture.settled(ref)))

    const stats = sumsOfStats(await readAllStats(fixture.redis, shards))
    expect(stats).to.deep.equal(
      await sumsOfLedgers(
        fixture.histories,
        refs.map((ref) => ({ ref, type: 'general' })),
      ),
    )
    // a batch of each frozen process is in doubt
    expect([...stats.values()].reduce((sum, count) => sum + count)).to.equal(6 * 31)
    expect(stats.get('general vk no-contact')).to.equal(6)
    expect(stats.get('general vk unknown')).to.be.above(36)

    const hour = Math.floor(Date.now() / hourMs)
    const hours = await createStats({ redis: fixture.redis, shards }).hours(hour - 1, hour + 1)
    const people = [...hours.values()].reduce((sum, sums) => sum + (sums.get('general::accepted-to') ?? 0), 0)
    expect(people).to.equal(6 * 31)
  })
})
