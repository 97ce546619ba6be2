import { type HistoryRef, type HistoryView, Problem, reportsComeMs } from '@courier-fleet/api-types'
import { type Histories, hints, keys } from '@courier-fleet/store'
import { cutListeners, until } from '@courier-fleet/testkit'
import { expect } from 'chai'
import { createFixture, type Fixture, neverMs } from './fixture.ts'

const never = () => new AbortController().signal

describe('tracker', () => {
  let fixture: Fixture
  beforeEach(async () => {
    fixture = await createFixture()
  })
  afterEach(() => fixture.stop())

  /** Resolves once someone listens to this history. */
  async function listened(ref: HistoryRef): Promise<void> {
    await until(async () => (await fixture.awaited()).includes(hints.change(ref)), 'somebody listens')
  }
  async function noneLeft(): Promise<void> {
    await until(async () => (await fixture.awaited()).length === 0, 'nobody is subscribed any more')
  }

  const attachments: [string, (ref: HistoryRef) => Promise<void>, (ref: HistoryRef) => Promise<void>][] = [
    ['before anything is put', async () => {}, (ref) => fixture.put(ref)],
    ['after it was put, before it starts', (ref) => fixture.put(ref), async () => {}],
    [
      'while it runs',
      async (ref) => {
        await fixture.put(ref)
        await fixture.change(ref, { state: 'running', expected: 'vk' })
      },
      async () => {},
    ],
  ]
  for (const [when, before, after] of attachments) {
    it(`attached ${when} it answers when it is told that everything has settled`, async () => {
      const ref = await fixture.issued()
      await before(ref)
      const tracked = fixture.tracker.track(ref, { timeoutMs: neverMs })
      await listened(ref)
      await after(ref)
      await fixture.change(ref, { state: 'running', expected: 'vk' })
      await fixture.settle(ref)
      const report = await tracked
      expect(report).to.include({ settled: true, ending: 'handed-over' })
      expect(report.silent).to.deep.equal([])
      await noneLeft()
    })
  }

  it('attached after it has settled, or was cancelled, it answers at once', async () => {
    const [over, cancelled] = [await fixture.issued(), await fixture.issued()]
    await fixture.put(over)
    await fixture.settle(over)
    await fixture.put(cancelled)
    await fixture.histories.cancel(cancelled, 'dean')
    expect(await fixture.tracker.track(over, { timeoutMs: neverMs })).to.include({
      settled: true,
      ending: 'handed-over',
    })
    expect(await fixture.tracker.track(cancelled, { timeoutMs: neverMs })).to.include({
      settled: true,
      ending: 'nothing',
    })
    expect(await fixture.awaited()).to.deep.equal([])
  })

  it('names the silent channels at the timeout, with what the others have done', async () => {
    const ref = await fixture.issued()
    await fixture.put(ref)
    await fixture.redis.set(keys.receipts(ref, 'vk'), 's')
    await fixture.change(ref, { state: 'running', expected: 'sms,vk', 'vk:s': 1, 'vk:settled': 1 })
    const report = await fixture.tracker.track(ref, { timeoutMs: 100 })
    expect(report).to.include({ settled: false, ending: 'some' })
    expect(report.silent).to.deep.equal(['sms'])
    expect(report.history.people).to.include({ sentToChat: 1, pending: 1 })
    await noneLeft()
  })

  it('a change between the read and the listening is not lost', async () => {
    await fixture.stop()
    let reads = 0
    let meddle: (ref: HistoryRef) => Promise<void> = async () => {}
    fixture = await createFixture((histories): Histories => {
      return {
        ...histories,
        async snapshot(ref) {
          const snapshot = await histories.snapshot(ref)
          reads += 1
          await meddle(ref) // after every read the history changes, before anyone can act on what was read
          return snapshot
        },
      }
    })
    const ref = await fixture.issued()
    await fixture.put(ref)
    for (const fatalRead of [1, 2]) {
      reads = 0
      await fixture.change(ref, { state: 'running', expected: 'vk' })
      await fixture.redis.hdel(keys.history(ref), 'vk:settled', 'settled')
      meddle = async (about) => {
        if (reads !== fatalRead) return
        const heard = new Promise((resolve) => fixture.subscriber.once('message', resolve))
        await fixture.settle(about)
        if (fatalRead === 2) await heard // it listens by now, and has been told before it acts on what it saw
      }
      expect(await fixture.tracker.track(ref, { timeoutMs: neverMs })).to.include({ settled: true })
    }
  })

  it('a change that nobody told of is seen when it looks by itself', async () => {
    await fixture.stop()
    fixture = await createFixture(undefined, 100)
    const ref = await fixture.issued()
    await fixture.put(ref)
    const tracked = fixture.tracker.track(ref, { timeoutMs: neverMs })
    await listened(ref)
    await fixture.redis.set(keys.receipts(ref, 'vk'), 'ss')
    const settled = { state: 'settled', expected: 'vk', 'vk:s': 2, 'vk:settled': 1, settled: 1 }
    await fixture.change(ref, settled, false)
    expect(await tracked).to.include({ settled: true, ending: 'handed-over' })
  })

  it('still ends when its subscriber connection is cut while it waits', async () => {
    const ref = await fixture.issued()
    await fixture.put(ref)
    const tracked = fixture.tracker.track(ref, { timeoutMs: neverMs })
    await listened(ref)
    await cutListeners(fixture.redis, 'events')
    await fixture.settle(ref) // nobody hears this
    expect(await tracked).to.include({ settled: true })
  })

  it('500 trackers leave no subscription, listener or warning behind', async () => {
    const warnings: Error[] = []
    const onWarning = (warning: Error) => warnings.push(warning)
    process.on('warning', onWarning)
    const refs = await Promise.all(Array.from({ length: 250 }, () => fixture.issued()))
    await Promise.all(refs.map((ref) => fixture.put(ref)))
    const tracked = refs.flatMap((ref) => [
      fixture.tracker.track(ref, { timeoutMs: neverMs }),
      fixture.tracker.track(ref, { timeoutMs: neverMs }),
    ])
    await until(async () => (await fixture.awaited()).length === refs.length, 'all of them listen')
    await Promise.all(refs.map((ref) => fixture.settle(ref)))
    expect((await Promise.all(tracked)).every(({ settled }) => settled)).to.equal(true)
    await noneLeft()
    process.off('warning', onWarning)
    expect(warnings).to.deep.equal([])
    expect(fixture.subscriber.listenerCount('message')).to.equal(1)
    await fixture.tracker.stop()
    expect(fixture.subscriber.listenerCount('message')).to.equal(0)
  })

  it('an unknown key is a problem, for track and watch alike, and leaves nothing behind', async () => {
    const ref = { shard: '00', sender: fixture.sender, id: 'never-issued' }
    for (const call of [
      () => fixture.tracker.track(ref, { timeoutMs: 1000 }),
      async () => {
        for await (const _view of fixture.tracker.watch(ref, { until: 'settled', everyMs: 10 }, never()))
          expect.fail('nothing to see')
      },
    ]) {
      const error = await call().then(
        () => undefined,
        (reason: unknown) => reason,
      )
      expect(error).to.be.instanceOf(Problem)
      expect(error).to.include({ status: 404, code: 'unknown-key' })
    }
    await noneLeft()
  })

  it('watch shows the history at once and after changes, many changes as one, and ends when it has settled', async () => {
    const ref = await fixture.issued()
    await fixture.put(ref)
    const seen: HistoryView[] = []
    const everyMs = 100
    const begun = performance.now()
    const watching = (async () => {
      for await (const view of fixture.tracker.watch(ref, { until: 'settled', everyMs }, never())) seen.push(view)
    })()
    await until(() => seen.length === 1, 'it was seen as it is')
    await fixture.change(ref, { state: 'running', expected: 'vk', size: 1000 })
    for (let sent = 1; sent <= 400; sent += 1) await fixture.change(ref, { 'vk:s': sent })
    await fixture.change(ref, { size: 2 })
    await fixture.settle(ref)
    await watching
    expect(seen[0]?.state).to.equal('scheduled')
    expect(seen.at(-1)?.state).to.equal('settled')
    // a timer may fire a millisecond early
    expect(seen.length).to.be.at.most(1 + (performance.now() - begun) / (everyMs - 1))
    const shown = seen.map((view) => JSON.stringify(view))
    expect(new Set(shown).size).to.equal(shown.length)
    await noneLeft()
  })

  it('watch ends when it is told to, or nobody asks for more', async () => {
    const ref = await fixture.issued()
    await fixture.put(ref)
    const stop = new AbortController()
    const watching = (async () => {
      for await (const _view of fixture.tracker.watch(ref, { until: 'settled', everyMs: 10 }, stop.signal))
        setImmediate(() => stop.abort())
    })()
    await watching
    for await (const _view of fixture.tracker.watch(ref, { until: 'settled', everyMs: 10 }, never())) break
    await noneLeft()
  })

  /** Settled, with both taken by the SMS centre and not confirmed. */
  async function handedOver(): Promise<HistoryRef> {
    const ref = await fixture.issued()
    await fixture.put(ref)
    await fixture.redis.set(keys.receipts(ref, 'sms'), 'ss')
    const settled = { 'sms:settled': 1, settled: Date.now() }
    await fixture.change(ref, { state: 'settled', expected: 'sms', 'sms:s': 2, ...settled })
    return ref
  }
  async function reported(ref: HistoryRef, states: string, counters: Record<string, number>): Promise<void> {
    await fixture.redis.set(keys.receipts(ref, 'sms'), states)
    await fixture.change(ref, counters)
  }

  it('goes on after settling until all that was handed over is confirmed, where that is asked for', async () => {
    const ref = await handedOver()
    expect(await fixture.tracker.track(ref, { timeoutMs: neverMs })).to.include({
      settled: true,
      ending: 'handed-over',
    })
    expect(await fixture.tracker.track(ref, { until: 'delivered', timeoutMs: 50 })).to.include({
      ending: 'handed-over',
    })
    const tracked = fixture.tracker.track(ref, { until: 'delivered', timeoutMs: neverMs })
    await listened(ref)
    await reported(ref, 'df', { 'sms:s': 0, 'sms:d': 1, 'sms:f': 1 })
    const report = await tracked
    expect(report).to.include({ settled: true, ending: 'some' })
    expect(report.history.people).to.include({ delivered: 1, handedOver: 0, notDelivered: 1 })
  })

  it('watch goes on after settling while reports are open, and waits for none that can come no more', async () => {
    const ref = await handedOver()
    const seen: (HistoryView['people'] | undefined)[] = []
    const watching = (async () => {
      for await (const { people } of fixture.tracker.watch(ref, { until: 'delivered', everyMs: 10 }, never()))
        seen.push(people)
    })()
    await until(() => seen.length === 1, 'it was seen as it settled')
    await reported(ref, 'sd', { 'sms:s': 1, 'sms:d': 1 })
    await until(() => seen.length === 2, 'a report was seen')
    await reported(ref, 'dd', { 'sms:s': 0, 'sms:d': 2 })
    await watching
    expect(seen.map((people) => people?.delivered)).to.deep.equal([0, 1, 2])

    const old = await handedOver()
    await fixture.change(old, { settled: Date.now() - reportsComeMs })
    for await (const _view of fixture.tracker.watch(old, { until: 'delivered', everyMs: 10 }, never()));
    await noneLeft()
  })

  it('stopping lets those who wait go, with what is known', async () => {
    const ref = await fixture.issued()
    await fixture.put(ref)
    const tracked = fixture.tracker.track(ref, { timeoutMs: neverMs })
    await listened(ref)
    await fixture.tracker.stop()
    expect(await tracked).to.include({ settled: false, ending: 'nothing' })
  })
})
