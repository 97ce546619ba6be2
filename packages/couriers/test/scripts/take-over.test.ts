import { shardName } from '@courier-fleet/api-types'
import { silentLog, systemClock } from '@courier-fleet/process'
import { expect } from 'chai'
import type { Claim } from '../../src/engine/claims/claim.ts'
import { createLeases } from '../../src/engine/claims/leases.ts'
import { createRecovery } from '../../src/engine/claims/recovery.ts'
import { type ClaimFixture, claimWork, createClaimFixture, wakeDue } from './claim-fixture.ts'

const leaseMs = 60_000

describe('claims whose leases have run out', () => {
  let fixture: ClaimFixture
  before(async () => {
    fixture = await createClaimFixture()
  })
  after(() => fixture.stop())

  it("are another process's that works no more; what it works on itself a process goes on with", async () => {
    const [own, other] = [await fixture.process('vk', 'vk-a'), await fixture.process('vk', 'vk-b')]
    const claimed: Claim[] = []
    for (const { streams } of [own, other]) {
      await fixture.put(1)
      await wakeDue(fixture)
      claimed.push(await claimWork(streams))
    }
    const [mine, left] = claimed as [Claim, Claim]
    const leases = createLeases({ scripts: own.scripts, log: silentLog })
    leases.hold([mine])
    await leases.renew()
    // it, or Redis, stood still for longer than a lease
    for (const [consumer, { stream, entry }] of [
      ['vk-a', mine],
      ['vk-b', left],
    ] as const)
      await fixture.redis.xclaim(stream, 'vk', consumer, 0, entry, 'IDLE', 2 * leaseMs, 'JUSTID')

    const taken: Claim[] = []
    const recovery = createRecovery({
      ...{ streams: own.streams, leases, shards: 1, leaseMs, clock: systemClock, log: silentLog },
      scheduler: { freeSlots: () => 10, enqueue: async (claims) => void taken.push(...claims) },
      note: async () => {},
      stopping: new AbortController().signal,
    })
    recovery.lapsed([shardName(0)])
    await recovery.run()
    expect(taken).to.deep.equal([{ ...left, consumer: 'vk-a', deliveries: 2 }])
    expect(await own.scripts.renew([mine]), 'not fenced from itself').to.deep.equal([true])
  })
})
