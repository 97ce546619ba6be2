import type { MessageClass } from '@courier-fleet/api-types'
import { keys, redisNow } from '@courier-fleet/store'
import { expect } from 'chai'
import { createLooks, lookAt } from '../../src/engine/claims/look.ts'
import { type ClaimFixture, claimWork, createClaimFixture, shard, wakeDue } from './claim-fixture.ts'

const leaseMs = 60_000

describe('a look at a shard', () => {
  let fixture: ClaimFixture
  beforeEach(async () => {
    fixture = await createClaimFixture()
  })
  afterEach(() => fixture.stop())
  const look = () => lookAt(fixture.redis, shard, 'vk', leaseMs)

  it('finds what nobody has read, who has claims, and whose lease has run out', async () => {
    const { streams } = await fixture.process()
    const nowMs = () => redisNow(fixture.redis, keys.due(shard))
    const before = await nowMs()
    const idle = await look()
    expect(idle).to.include({ claims: 'none', nextMs: undefined })
    expect(idle.unread).to.deep.equal([])
    expect(idle.nowMs).to.be.within(before, await nowMs())

    const to = await fixture.put(1)
    const due = Number(await fixture.redis.zscore(keys.due(shard), `${to.sender}:${to.id}:0`))
    expect((await look()).nextMs).to.equal(due)
    await wakeDue(fixture)
    const woken = await look()
    expect([woken.claims, woken.unread, woken.nextMs]).to.deep.equal(['none', ['normal'], undefined])

    const { stream, entry } = await claimWork(streams)
    const claimed = await look()
    expect([claimed.claims, claimed.unread]).to.deep.equal(['held', []])
    await fixture.redis.xclaim(stream, 'vk', 'vk-a', 0, entry, 'IDLE', leaseMs + 1, 'JUSTID')
    expect((await look()).claims).to.equal('lapsed')
  })

  it('finds a channel whose group is not there: whoever reads makes it', async () => {
    expect((await look()).unread).to.deep.equal(['urgent', 'normal', 'bulk'])
  })

  it('is made again soon where somebody has claims, and seldom where nobody has', async () => {
    const { streams } = await fixture.process()
    let now = 0
    let asked = 0
    const unread: MessageClass[] = []
    const lapsed: string[] = []
    const looks = createLooks({
      redis: fixture.redis,
      channel: 'vk',
      shards: 1,
      leaseMs,
      clock: { now: () => now },
      dueTimes: {
        asking() {
          asked += 1
        },
        note() {},
      },
      onUnread: (_shard, classes) => unread.push(...classes),
      onLapsed: (shards) => lapsed.push(...shards),
    })
    const looksAt = async (ms: number) => {
      now = ms
      asked = 0
      await looks()
      return asked === 1
    }
    expect(await looksAt(0)).to.equal(true)
    expect(await looksAt(5000)).to.equal(false)
    await fixture.put(1)
    await wakeDue(fixture)
    expect(await looksAt(10_000)).to.equal(true)
    expect(unread).to.deep.equal(['normal'])
    const { stream, entry } = await claimWork(streams)
    expect(await looksAt(20_000)).to.equal(true)
    expect(await looksAt(25_000), 'it has claims').to.equal(true)
    expect(lapsed).to.deep.equal([])
    await fixture.redis.xclaim(stream, 'vk', 'vk-a', 0, entry, 'IDLE', leaseMs + 1, 'JUSTID')
    expect(await looksAt(30_000)).to.equal(true)
    expect(lapsed).to.deep.equal([shard])
  })
})
