import { silentLog, steadyClock } from '@courier-fleet/process'
import { expect } from 'chai'
import { type Claim, Fenced } from '../../src/engine/claims/claim.ts'
import type { ClaimScripts } from '../../src/engine/claims/claim-scripts.ts'
import { createLeases } from '../../src/engine/claims/leases.ts'
import { createScheduler, groupWork, type SchedulerDeps } from '../../src/engine/jobs/scheduler.ts'
import type { Message } from '../../src/engine/texts/messages.ts'
import { fakeCourier } from '../engine/fake-courier.ts'
import { claim, messageTo } from './claims.ts'

const work = (people: number, more: Partial<Claim> = {}) => ({ claim: claim(people, more), message: messageTo(1) })
const sizes = (groups: ReturnType<typeof groupWork>) => groups.map((group) => group.map((each) => each.claim.to))

describe('the scheduler', () => {
  it('puts small claims into as few jobs as will do, in order', () => {
    expect(
      sizes(
        groupWork(
          [4, 4, 4, 10, 1, 1].map((people) => work(people)),
          10,
        ),
      ),
    ).to.deep.equal([[4, 4], [4], [10], [1, 1]])
    expect(groupWork([], 10)).to.deep.equal([])
  })

  it('puts urgent claims by themselves, ahead of others', () => {
    const groups = groupWork([work(1), work(2, { class: 'urgent' }), work(3), work(4, { class: 'urgent' })], 10)
    expect(sizes(groups)).to.deep.equal([
      [2, 4],
      [1, 3],
    ])
  })

  const told: string[] = []
  const schedulerWith = (found: readonly (Message | undefined)[], scripts: Partial<ClaimScripts> = {}) => {
    told.length = 0
    const never = new AbortController().signal
    const leases = createLeases({ scripts: { renew: async () => [] }, log: silentLog })
    const deps = {
      courier: fakeCourier({ batchSize: 10, concurrency: 3 }),
      scripts,
      leases,
      messages: { load: async () => [...found] },
      streams: { drop: async (claims: readonly Claim[]) => void told.push(`dropped ${claims.length}`) },
      handBack: () => never,
      killed: never,
      gone: never,
      clock: steadyClock,
      log: silentLog,
      logThrottled: (_fields: object, text: string) => told.push(text),
    }
    // a job is never started here: what it would need is left out
    const scheduler = createScheduler(deps as unknown as SchedulerDeps)
    scheduler.events.on('trouble', () => told.push('trouble'))
    return { scheduler, leases }
  }

  it('cuts what is wider than a batch, and lets go of it', async () => {
    const split = async (cut: Claim, people: number) => told.push(`cut ${cut.to} by ${people}`)
    const { scheduler, leases } = schedulerWith([], { split })
    await scheduler.enqueue([claim(25)])
    expect(told).to.deep.equal(['cut 25 by 10'])
    expect([leases.size(), scheduler.freeSlots()]).to.deep.equal([0, 2])
  })

  it('takes it well that another process has cut it', async () => {
    const { scheduler } = schedulerWith([], { split: () => Promise.reject(new Fenced('taken over')) })
    await scheduler.enqueue([claim(25)])
    expect(told).to.deep.equal([])
  })

  it('takes claims off their streams whose message is gone', async () => {
    const { scheduler, leases } = schedulerWith([undefined, undefined])
    await scheduler.enqueue([claim(1), claim(1)])
    expect(told).to.deep.equal(['dropped 2'])
    expect(leases.size()).to.equal(0)
  })

  it('lets go of claims it cannot open, so that they are found again', async () => {
    const { scheduler, leases } = schedulerWith([], { split: () => Promise.reject(new Error('Redis is away')) })
    await scheduler.enqueue([claim(25)])
    expect(told).to.deep.equal(['cannot open a claim; trying again', 'trouble'])
    expect(leases.size()).to.equal(0)
  })
})
