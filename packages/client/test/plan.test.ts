/** What a rehearsal says of rules that count is what becomes of the message when nothing else runs: against couriers that work. */
import type { HistoryView, MessageInput, Plan } from '@courier-fleet/api-types'
import { until } from '@courier-fleet/testkit'
import { expect } from 'chai'
import { startFleet } from './fleet.ts'

const hourMs = 3_600_000
const clockIn = (atMs: number) =>
  new Date(atMs).toLocaleTimeString('en-GB', { timeZone: 'Europe/Moscow', hour: '2-digit', minute: '2-digit' })
const name = { ru: 'Тип', en: 'Type' }

describe('a plan, where rules count', () => {
  let fleet: Awaited<ReturnType<typeof startFleet>>
  beforeEach(async () => {
    fleet = await startFleet()
    const { fixture, service } = fleet
    for (const [index, id] of ['anna', 'boris', 'clara'].entries()) {
      await fixture.directory.linkContact('telegram', id, String(1001 + index))
      await fixture.directory.linkContact('vk', id, String(1001 + index))
    }
    await service.set({
      quietJitterSeconds: 0,
      types: [
        { id: 'news', number: 2, name, caps: [{ n: 1, per: 'PT6H', over: 'drop' }] },
        { id: 'once', number: 3, name, duplicates: { window: 'PT6H' } },
        { id: 'slow', number: 4, name, interval: 'PT1H' },
      ],
    })
  })
  afterEach(() => fleet.stop())

  const ended = async (message: MessageInput): Promise<HistoryView> => {
    const { key } = await fleet.client.send(message)
    return (await fleet.client.track(key, 20)).history
  }
  const rehearsed = async (message: MessageInput): Promise<Plan> => {
    const { to, text, type } = message
    return (await fleet.client.rehearse({ to, text, ...(type === undefined ? {} : { type }) })).plan as Plan
  }
  const without = ({ asOf: _asOf, forecast: _forecast, ...plan }: Plan) => plan

  it('says who has had as many as they are to get, and the text before', async () => {
    for (const [type, why, again] of [
      ['news', 'capped', 'Another text'],
      ['once', 'duplicate', 'The same text'],
    ] as const) {
      expect(
        (await ended({ to: ['user:clara'], text: type === 'once' ? again : 'A text', type })).people?.sentToChat,
      ).to.equal(1)
      const message = { to: ['group:own'], text: again, type }
      const plan = await rehearsed(message)
      expect(without(plan)).to.deep.equal({ now: 2, later: [], never: [{ people: 1, why }] })
      const { people, plan: kept } = await ended(message)
      expect([people?.sentToChat, people?.why]).to.deep.equal([2, { [why]: 1 }])
      expect(kept && without(kept)).to.deep.equal(without(plan))
      expect(without(await rehearsed(message)).never).to.deep.equal([{ people: 3, why }])
    }
    expect(without(await rehearsed({ to: ['group:own'], text: 'Other words', type: 'once' })).now).to.equal(3)
  })

  it('says until when somebody waits who had one so short a time ago, and whose quiet hours come after that', async () => {
    const begun = Date.now()
    expect((await ended({ to: ['user:clara', 'user:boris'], text: 'One', type: 'slow' })).people?.sentToChat).to.equal(
      2,
    )
    const before = Date.now()
    // boris sleeps when he may have the next one
    const from = clockIn(before + 0.5 * hourMs)
    const to = clockIn(before + 3 * hourMs)
    await fleet.fixture.directory.changeWishes('boris', () => ({ off: [], quiet: { from, to } }))
    const message = { to: ['group:own'], text: 'Two', type: 'slow' }
    const plan = await rehearsed(message)
    expect([plan.now, plan.never]).to.deep.equal([1, []])
    const [soon, morning] = plan.later
    expect([soon?.people, soon?.cause, morning?.people, morning?.cause]).to.deep.equal([1, 'too-soon', 1, 'quiet'])
    expect(Date.parse(soon?.at ?? '')).to.be.within(begun + hourMs, before + hourMs)
    expect(Date.parse(morning?.at ?? '')).to.equal(Math.floor((before + 3 * hourMs) / 60_000) * 60_000)
    const { key } = await fleet.client.send(message)
    await until(async () => {
      const { waiting = [], people } = await fleet.client.history(key)
      const held = waiting.filter(({ channel }) => channel === 'vk').reduce((sum, each) => sum + each.people, 0)
      return people?.sentToChat === 1 && held === 2
    }, 'one has it, and two wait')
    for (const { cause } of (await fleet.client.history(key)).waiting ?? []) expect(cause).to.equal('too-soon')
  })

  it('has the end of the while over which people are written to after their quiet hours, whatever falls to a message', async () => {
    const before = Date.now()
    const quiet = { from: clockIn(before - hourMs), to: clockIn(before + 3 * hourMs) }
    await fleet.service.set({ quiet, quietJitterSeconds: 1_800 })
    const endsMs = Math.floor((before + 3 * hourMs) / 60_000) * 60_000
    const window = { at: new Date(endsMs).toISOString(), until: new Date(endsMs + 1_800_000).toISOString() }
    let probes = 0
    await until(async () => {
      probes += 1
      const { key } = await fleet.client.send({ to: ['user:clara'], text: `Probe ${probes}` })
      const decided = async () => {
        const { state, waiting } = await fleet.client.history(key)
        return waiting !== undefined || state === 'settled'
      }
      await until(decided, 'it is decided')
      return (await fleet.client.history(key)).waiting !== undefined
    }, 'the couriers know of the hours')
    const times = new Set<string>()
    for (let turn = 0; turn < 8; turn += 1) {
      const message = { to: ['user:clara'], text: `Turn ${turn}` }
      expect((await rehearsed(message)).later).to.deep.equal([{ ...window, people: 1, cause: 'quiet' }])
      const { key, plan } = await fleet.client.send(message)
      expect(plan?.later).to.deep.equal([{ ...window, people: 1, cause: 'quiet' }])
      await until(async () => (await fleet.client.history(key)).waiting !== undefined, 'she waits')
      for (const { at } of (await fleet.client.history(key)).waiting ?? []) {
        expect(at >= window.at && at <= window.until, at).to.equal(true)
        times.add(at)
      }
    }
    expect(times.size, 'not all at once').to.be.above(1)
  })
})
