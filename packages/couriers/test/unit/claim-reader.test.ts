import { EventEmitter } from 'node:events'
import type { MessageClass } from '@courier-fleet/api-types'
import { settingsOf } from '@courier-fleet/store'
import { until } from '@courier-fleet/testkit'
import { expect } from 'chai'
import type { Claim } from '../../src/engine/claims/claim.ts'
import { type ClaimReader, createClaimReader } from '../../src/engine/claims/claim-reader.ts'
import { createReadiness, type OwnReadiness } from '../../src/readiness.ts'
import { claim } from './claims.ts'

const batchSize = 10

describe('the claim reader', () => {
  let streams: Map<string, Claim[]>
  let reads: { source: string; max: number }[]
  let enqueued: Claim[]
  let slots: number
  let kept: MessageClass[]
  let troubles: number
  let onTrouble = () => {}
  let failure: Error | undefined
  let stopping: AbortController
  let reader: ClaimReader
  let readiness: OwnReadiness
  let recoveries: number
  let bursts: number
  let waker: EventEmitter<{ waking: [shard: string]; burst: [] }>
  let scheduler: EventEmitter<{ trouble: []; free: [] }>
  let weights = { urgent: 4, normal: 2, bulk: 1 }
  beforeEach(() => {
    weights = { urgent: 4, normal: 2, bulk: 1 }
    streams = new Map()
    reads = []
    enqueued = []
    slots = 3
    kept = ['urgent']
    troubles = 0
    onTrouble = () => {}
    failure = undefined
    stopping = new AbortController()
    readiness = createReadiness({ now: () => 1 })
    readiness.ready()
    recoveries = 0
    bursts = 0
    waker = new EventEmitter()
    scheduler = new EventEmitter()
    reader = createClaimReader({
      streams: {
        async read(shard, cls, max) {
          const source = `${shard} ${cls}`
          reads.push({ source, max })
          const error = failure
          failure = undefined
          if (error) throw error
          return (streams.get(source) ?? []).splice(0, max)
        },
        ensureGroups: async () => void reads.push({ source: 'groups', max: 0 }),
      },
      scheduler: {
        events: scheduler,
        freeSlots: () => slots,
        hasSlotOf: (cls) => kept.includes(cls),
        async enqueue(claims) {
          enqueued.push(...claims)
          // what is work for a whole job takes a slot
          slots -= claims.filter(({ from, to }) => to - from >= batchSize / 2).length
        },
      },
      waker: {
        events: waker,
        isInBurst: () => bursts > 0,
        async burst() {
          bursts -= 1
          return bursts === 0
        },
      },
      readiness,
      shards: 2,
      courier: { batchSize },
      settings: { current: () => settingsOf({ weights }) },
      stopping: stopping.signal,
      recover: async () => {
        recoveries += 1
      },
      onTrouble: () => {
        troubles += 1
        onTrouble()
      },
      logThrottled: () => {},
    })
  })
  afterEach(() => stopping.abort())

  const put = (shard: string, cls: MessageClass, ...claims: Claim[]) =>
    streams.set(`${shard} ${cls}`, [...(streams.get(`${shard} ${cls}`) ?? []), ...claims])
  const waiting = () => until(() => reader.mode() === 'WAITING', 'it waits')

  it('reads a shard that may have something, and nothing else', async () => {
    put('01', 'normal', claim(1), claim(1))
    waker.emit('waking', '01')
    await waiting()
    expect(enqueued).to.have.length(2)
    expect(new Set(reads.map(({ source }) => source.slice(0, 2)))).to.deep.equal(new Set(['01']))
  })

  it('looks at a few of each stream, then reads everything that is small together, and the classes share 4 : 2 : 1', async () => {
    for (const cls of ['urgent', 'normal', 'bulk'] as const)
      put('00', cls, ...Array.from({ length: 50 }, () => claim(1)))
    slots = 1
    waker.emit('waking', '00')
    await until(() => enqueued.length >= 10, 'as many as one job takes')
    expect(reads.slice(0, 6)).to.deep.equal([
      { source: '00 urgent', max: 1 },
      { source: '00 normal', max: 1 },
      { source: '00 bulk', max: 1 },
      { source: '00 urgent', max: 6 },
      { source: '00 normal', max: 3 },
      { source: '00 bulk', max: 2 },
    ])
    stopping.abort()
  })

  it('has the classes share by the weights that are set now', async () => {
    weights = { urgent: 1, normal: 1, bulk: 8 }
    for (const cls of ['urgent', 'normal', 'bulk'] as const)
      put('00', cls, ...Array.from({ length: 50 }, () => claim(1)))
    slots = 1
    waker.emit('waking', '00')
    await until(() => enqueued.length >= 10, 'as many as one job takes')
    expect(reads.slice(3, 6)).to.deep.equal([
      { source: '00 urgent', max: 1 },
      { source: '00 normal', max: 1 },
      { source: '00 bulk', max: 8 },
    ])
    stopping.abort()
  })

  it('of pieces takes no more than there are slots for: other processes want some, too', async () => {
    put('00', 'bulk', ...Array.from({ length: 20 }, () => claim(batchSize)))
    reader.expectPieces('00', 'bulk')
    await until(() => reader.mode() === 'KEPT_SLOTS' || reader.mode() === 'WAITING', 'every slot is taken')
    expect(enqueued).to.have.length(3)
    slots = 1
    scheduler.emit('free')
    await until(() => enqueued.length === 4, 'one more')
  })

  it('takes no more than that either when it was told nothing of pieces', async () => {
    put('00', 'bulk', claim(1))
    waker.emit('waking', '00')
    await waiting()
    put('00', 'bulk', ...Array.from({ length: 20 }, () => claim(batchSize)))
    waker.emit('waking', '00')
    await until(() => reader.mode() === 'KEPT_SLOTS' || reader.mode() === 'WAITING', 'every slot is taken')
    expect(enqueued).to.have.length(1 + 3)
  })

  it('with no free slot reads only what is urgent, where something has come', async () => {
    slots = 0
    put('00', 'normal', claim(1))
    put('00', 'urgent', claim(1, { class: 'urgent' }))
    waker.emit('waking', '00')
    await waiting()
    expect(enqueued.map((each) => each.class)).to.deep.equal(['urgent'])
    slots = 1
    scheduler.emit('free')
    await until(() => enqueued.length === 2, 'the other, once there is a slot')
  })

  it('with no free slot goes on reading each class that one is kept for, as long as there is something', async () => {
    slots = 0
    kept = ['urgent', 'bulk']
    for (const cls of ['urgent', 'normal', 'bulk'] as const)
      put('00', cls, ...Array.from({ length: 3 }, () => claim(batchSize, { class: cls })))
    waker.emit('waking', '00')
    await waiting()
    expect(enqueued.map((each) => each.class).sort()).to.deep.equal([
      'bulk',
      'bulk',
      'bulk',
      'urgent',
      'urgent',
      'urgent',
    ])
  })

  it('in a burst reads what is urgent in every shard at each step: another process may have woken it', async () => {
    bursts = 3
    put('01', 'urgent', claim(1, { class: 'urgent' }))
    waker.emit('burst')
    await until(() => enqueued.length === 1, 'it has read')
    await until(() => bursts <= 0, 'the burst is over')
    await waiting()
    expect(reads.slice(0, 2).map(({ source }) => source)).to.deep.equal(['00 urgent', '01 urgent'])
  })

  it('makes groups anew that are gone, and looks at everything again', async () => {
    failure = new Error('NOGROUP No such key')
    onTrouble = () => put('00', 'normal', claim(1))
    reader.readAll()
    await until(() => enqueued.length === 1, 'it has read again')
    expect(troubles).to.equal(1)
    expect(reads.map(({ source }) => source)).to.include('groups')
  })

  it('claims nothing while the courier is not ready, wakes for others all the same, and reads again when it is', async () => {
    readiness.lose('the line is cut')
    put('00', 'urgent', claim(1, { class: 'urgent' }))
    bursts = 3
    reader.readAll()
    await until(() => reader.mode() === 'NOT_READY', 'it rests')
    expect([reads, recoveries, bursts]).to.deep.equal([[], 0, 0])
    waker.emit('waking', '00')
    expect(reads).to.deep.equal([])
    readiness.ready()
    await until(() => enqueued.length === 1, 'it has read')
  })

  it('claims nothing once it is stopped', async () => {
    put('00', 'normal', claim(1))
    stopping.abort()
    reader.readAll()
    await until(() => reader.mode() === 'STOPPED', 'it has stopped')
    expect(reads).to.deep.equal([])
  })
})
