import { silentLog } from '@courier-fleet/process'
import { expect } from 'chai'
import type { Claim } from '../../src/engine/claims/claim.ts'
import { createRecovery, type Recovery } from '../../src/engine/claims/recovery.ts'
import { claim } from './claims.ts'

const leaseMs = 1000

describe('recovery', () => {
  let now: number
  let calls: string[]
  let enqueued: Claim[]
  let noted: Claim[]
  let slots: number
  let recovery: Recovery
  beforeEach(() => {
    now = 50_000
    calls = []
    enqueued = []
    noted = []
    slots = 5
    recovery = createRecovery({
      streams: {
        async takeOver(shard) {
          calls.push(`over ${shard}`)
          return shard === '01' ? [claim(1)] : []
        },
        async takeBack(shard) {
          calls.push(`back ${shard}`)
          return []
        },
      },
      leases: {
        holds: () => false,
        size: () => 0,
        async renew(shard) {
          calls.push(`renew ${shard}`)
        },
      },
      scheduler: {
        freeSlots: () => slots,
        async enqueue(claims) {
          enqueued.push(...claims)
        },
      },
      note: async (claims) => void noted.push(...claims),
      shards: 2,
      leaseMs,
      clock: { now: () => now },
      log: silentLog,
      stopping: new AbortController().signal,
    })
  })

  it('takes over in the shards where a lease has run out, and in no others', async () => {
    recovery.lapsed(['01'])
    await recovery.run()
    expect(calls).to.deep.equal(['renew 01', 'over 01'])
    await recovery.run()
    expect(calls).to.have.length(2)
  })

  it('does nothing that it was not asked for', async () => {
    await recovery.run()
    expect(calls).to.deep.equal([])
  })

  it('takes over what nobody has renewed, but not within a lease after Redis was away', async () => {
    recovery.lapsed(['00', '01'])
    await recovery.run()
    expect(calls, 'its own leases first').to.deep.equal(['renew 00', 'over 00', 'renew 01', 'over 01'])
    expect(enqueued).to.have.length(1)
    expect(noted).to.deep.equal(enqueued)

    recovery.onReachable()
    calls = []
    recovery.lapsed(['00', '01'])
    await recovery.run()
    expect(calls.filter((call) => call.startsWith('over'))).to.deep.equal([])
    now += leaseMs
    recovery.lapsed(['00', '01'])
    await recovery.run()
    expect(calls.filter((call) => call.startsWith('over'))).to.deep.equal(['over 00', 'over 01'])
  })

  it('looks back three times, a second after each other: what Redis was told may be done late', async () => {
    recovery.lookBackSoon()
    await recovery.run()
    expect(calls).to.deep.equal([])
    for (let look = 1; look <= 5; look += 1) {
      now += 1000
      await recovery.run()
    }
    expect(calls.filter((call) => call === 'back 00')).to.have.length(3)
  })

  it('claims nothing there is no slot for, and looks back later', async () => {
    slots = 0
    recovery.lookBackSoon()
    now += 1000
    await recovery.run()
    expect(calls).to.deep.equal([])
    slots = 1
    now += 1000
    await recovery.run()
    expect(calls).to.deep.equal(['back 00', 'back 01'])
  })
})
