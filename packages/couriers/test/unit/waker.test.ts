import { expect } from 'chai'
import { createWaker, type Waker } from '../../src/engine/claims/waker.ts'

const tick = () => new Promise((resolve) => setImmediate(resolve))
const full = 50

describe('the waker', () => {
  let calls: string[]
  let answers: Map<string, number[]>
  let stopping: AbortController
  let waker: Waker
  beforeEach(() => {
    calls = []
    answers = new Map()
    stopping = new AbortController()
    waker = createWaker({
      wake: async (shard) => {
        calls.push(shard)
        await tick()
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

  it('in a burst wakes all shards in turn, four at a time, and ignores due triggers until none has more', async () => {
    answers.set('00', [full, full])
    waker.wake('00')
    await tick()
    await tick()
    expect(waker.isInBurst()).to.equal(true)
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
