import type { HistoryRef } from '@courier-fleet/api-types'
import { keys } from '@courier-fleet/store'
import { expect } from 'chai'
import {
  type ClaimFixture,
  claimWork,
  createClaimFixture,
  noEvidence,
  record as recordClaim,
  report,
  wakeDue,
} from './claim-fixture.ts'

const day = 86_400_000

describe('lua: when each receipt came to its state', () => {
  let fixture: ClaimFixture
  beforeEach(async () => {
    fixture = await createClaimFixture()
  })
  afterEach(() => fixture.stop())

  async function claimed(size: number) {
    const { scripts, streams } = await fixture.process()
    const ref = await fixture.put(size)
    await wakeDue(fixture)
    const claim = await claimWork(streams)
    return {
      ref,
      record: (bytes: string, { from = 0, done = false } = {}) =>
        recordClaim(scripts, { ...claim, from }, Buffer.from(bytes, 'latin1'), noEvidence, done),
    }
  }

  const nowMs = async () => {
    const [seconds, micros] = await fixture.redis.time()
    return Number(seconds) * 1000 + Math.floor(Number(micros) / 1000)
  }
  const startedMs = async (ref: HistoryRef) => Number(await fixture.redis.hget(keys.history(ref), 'started'))

  async function timesOf(ref: HistoryRef, page = { from: 0, limit: 10 }): Promise<(number | undefined)[]> {
    const snapshot = await fixture.histories.snapshot(ref)
    if (!snapshot) throw new Error('there is no history')
    const { rows } = await fixture.histories.receipts(snapshot, page)
    return rows.map(({ channels: { vk } }) => (vk?.at === undefined ? undefined : Date.parse(vk.at)))
  }

  it('is kept with the state, to the millisecond; who is pending or attempted has none', async () => {
    const { ref, record } = await claimed(6)
    await record('aaaa=n')
    const [none, , , alsoNone, pending, absent] = await timesOf(ref)
    expect([none, alsoNone, pending]).to.deep.equal([undefined, undefined, undefined])
    expect(absent).to.be.within(await startedMs(ref), await nowMs())

    const before = await nowMs()
    await record('sf=\0==')
    const after = await nowMs()
    const [sent, failed, attempted, givenBack, , same] = await timesOf(ref)
    expect(sent).to.be.within(before, after)
    expect(failed).to.equal(sent)
    expect([attempted, givenBack]).to.deep.equal([undefined, undefined])
    expect(same).to.equal(absent)
  })

  it('is that of the state that stands: a repetition, or a weaker state, does not move it', async () => {
    const { ref, record } = await claimed(2)
    await record('aa')
    await record('ss')
    const [sent] = await timesOf(ref)
    await fixture.redis.hset(keys.history(ref), 'started', (await startedMs(ref)) - 1000)
    await record('ss', { done: true })
    await report(fixture, ref, 0, { state: 'delivered' })
    const [delivered, other] = await timesOf(ref)
    expect(delivered).to.be.at.least(sent as number)
    expect(other).to.equal((sent as number) - 1000)
    await report(fixture, ref, 0, { state: 'failed', reason: 'too late' })
    expect(await timesOf(ref)).to.deep.equal([delivered, other])
  })

  it('lies between the start and the settling of the message, for everyone who was told within it', async () => {
    const { ref, record } = await claimed(3)
    await record('aaa')
    await record('sfu', { done: true })
    const { started, settled, accepted } = await fixture.redis.hgetall(keys.history(ref))
    expect(Number(started)).to.be.at.least(Number.parseInt(accepted as string, 10))
    for (const at of await timesOf(ref)) expect(at).to.be.within(Number(started), Number(settled))
  })

  it('is whole seconds where it is told 24 days after the start or later, for decades', async () => {
    for (const days of [24, 25, 20_000]) {
      const { ref, record } = await claimed(2)
      await record('aa')
      await record('ss', { done: true })
      const started = (await nowMs()) - days * day
      await fixture.redis.hset(keys.history(ref), 'started', started)
      const before = await nowMs()
      await report(fixture, ref, 1, { state: 'delivered' })
      const [, delivered] = await timesOf(ref)
      expect(delivered, `${days} days`).to.be.within(before - (days < 25 ? 0 : 1000), await nowMs())
    }
  })

  it('takes four bytes a person, in whichever order batches are written', async () => {
    const size = 10_000
    const { ref, record } = await claimed(size)
    for (const from of [6000, 0, 9000, 3000]) {
      const people = Math.min(3000, size - from)
      await record('a'.repeat(people), { from })
      await record('s'.repeat(people), { from })
    }
    const bytes = Number(await fixture.redis.call('MEMORY', 'USAGE', keys.receipts(ref, 'vk')))
    expect(bytes).to.be.within(5 * size, 6 * size)
    expect(await timesOf(ref, { from: 5999, limit: 2 })).to.not.include(undefined)
  })
})
