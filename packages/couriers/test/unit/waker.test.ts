import { until } from '@courier-fleet/testkit'
import { expect } from 'chai'
import { createWaker, type Waker } from '../../src/engine/claims/waker.ts'

const tick = () => new Promise((resolve) => setImmediate(resolve))
const first = 10
const full = 50

describe('the waker', () => {
  let calls: string[]
  let answers: Map<string, number[]>
  let limits: number[]
  /** long calls that are not answered yet, and the most there ever were */
  let open: { now: number; most: number }
  let stopping: AbortController
  let waker: Waker
  beforeEach(() => {
    calls = []
    answers = new Map()
    limits = []
    open = { now: 0, most: 0 }
    stopping = new AbortController()
    waker = createWaker({
      wake: async (shard, limit) => {
        calls.push(shard)
        limits.push(limit)
        const own = limit === full ? 1 : 0
        open.now += own
        open.most = Math.max(open.most, open.now)
        await tick()
        open.now -= own
        const woken = answers.get(shard)?.shift() ?? 0
        if (woken < 0) throw new Error('Redis is away')
        return woken
      },
      shards: 8,
      stopping: stopping.signal,
      unsubscribe: () => void calls.push('unsubscribe'),
      subscribe: async () => void calls.push('subscribe'),
      logThrottled: (_fields, text) => calls.push(text),
    })
    waker.events.on('waking', (shard) => calls.push(`may have work: ${shard}`))
    waker.events.on('burst', () => calls.push('burst'))
  })
  const wakes = () => calls.filter((call) => /^\d\d$/.test(call))

  it('wakes a shard at once, and once more when something has fallen due in it meanwhile', async () => {
    waker.wake('03')
    expect(calls).to.deep.equal(['may have work: 03', '03'])
    waker.wake('03')
    waker.wake('03')
    await tick()
    await tick()
    await tick()
    expect(wakes()).to.deep.equal(['03', '03'])
  })

  it('asks for few at once, and for more where that was not all: no burst, as long as one call has the rest', async () => {
    answers.set('03', [first, full - 1])
    waker.wake('03')
    expect(limits).to.deep.equal([first])
    await until(() => open.now === 0 && limits.length === 2, 'both are answered')
    expect(limits).to.deep.equal([first, full])
    expect(waker.isInBurst()).to.equal(false)
    expect(calls, 'a read that was sent before the second call does not see what that wakes').to.deep.equal([
      ...['may have work: 03', '03'],
      ...['may have work: 03', '03'],
    ])
  })

  it('makes every first call at once, and two of the long ones at a time', async () => {
    const shards = ['00', '01', '02', '03', '04', '05', '06', '07']
    for (const shard of shards) answers.set(shard, [first, 0])
    for (const shard of shards) waker.wake(shard)
    expect(wakes()).to.deep.equal(shards)
    await until(() => open.now === 0 && limits.length === 16, 'all are answered')
    expect(limits).to.deep.equal([...shards.map(() => first), ...shards.map(() => full)])
    expect(wakes().slice(8), 'in the order of asking').to.deep.equal(shards)
    expect(open.most).to.equal(2)
  })

  it('asks for no more of what waits its turn once it is stopped', async () => {
    for (const shard of ['00', '01', '02', '03']) answers.set(shard, [first])
    for (const shard of ['00', '01', '02', '03']) waker.wake(shard)
    await until(() => limits.length > 4, 'the first long call is made')
    stopping.abort()
    const made = limits.length
    for (let i = 0; i < 10; i++) await tick()
    expect(limits).to.have.length(made)
  })

  it('in a burst wakes all shards in turn, four between two reads, and ignores due triggers until none has more', async () => {
    answers.set('00', [first, full, full])
    waker.wake('00')
    await until(() => waker.isInBurst(), 'a burst has begun')
    expect(calls.slice(-2)).to.deep.equal(['unsubscribe', 'burst'])
    calls = []
    waker.wakeAll()
    waker.wakeOverdue('05')
    expect(wakes(), 'whoever looks leaves it to the burst').to.deep.equal([])
    expect(await waker.burst()).to.equal(false)
    expect(wakes()).to.deep.equal(['00', '01', '02', '03'])
    expect(await waker.burst(), 'the first has had more').to.equal(false)
    expect(await waker.burst()).to.equal(true)
    expect(waker.isInBurst()).to.equal(false)
    expect(calls.at(-1)).to.equal('subscribe')
    expect(wakes()).to.deep.equal(['00', '01', '02', '03', '04', '05', '06', '07', '00', '01', '02', '03'])
  })

  it('begins a burst by due triggers alone, where as many come before the answer as one call wakes', async () => {
    for (let i = 0; i < full; i++) waker.wake('00')
    expect(waker.isInBurst(), 'one for the call, and one less than it wakes').to.equal(false)
    waker.wake('00')
    expect(waker.isInBurst()).to.equal(true)
    expect(calls.slice(-2)).to.deep.equal(['unsubscribe', 'burst'])
    for (let i = 0; i < full; i++) waker.wake('00')
    expect(calls.filter((call) => call === 'unsubscribe')).to.have.length(1)
    await tick()
    await tick()
    expect(wakes(), 'the rest is left to the burst').to.deep.equal(['00'])
    expect(await waker.burst()).to.equal(false)
    expect(await waker.burst()).to.equal(true)
    expect(waker.isInBurst()).to.equal(false)
  })

  it('wakes what is overdue', () => {
    waker.wakeOverdue('05')
    expect(wakes()).to.deep.equal(['05'])
  })

  it('goes on when Redis fails', async () => {
    answers.set('01', [-1])
    waker.wake('01')
    await tick()
    await tick()
    expect(calls.at(-1)).to.equal('cannot wake what is due')
    waker.wake('01')
    expect(wakes()).to.deep.equal(['01', '01'])
  })

  it('wakes nothing once it is stopped', () => {
    stopping.abort()
    waker.wake('01')
    waker.wakeAll()
    expect(calls).to.deep.equal([])
  })
})
