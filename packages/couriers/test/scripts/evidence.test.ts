import { keys, packEvidence, readEvidence, type Snapshot } from '@courier-fleet/store'
import { randomNumbers } from '@courier-fleet/testkit'
import { expect } from 'chai'
import type { Claim } from '../../src/engine/claims/claim.ts'
import type { ClaimScripts } from '../../src/engine/claims/claim-scripts.ts'
import { createDeliveryReports } from '../../src/engine/delivery-reports.ts'
import {
  type ClaimFixture,
  claimWork,
  createClaimFixture,
  evidenceOf,
  noEvidence,
  record,
  report,
  wakeDue,
} from './claim-fixture.ts'

const size = 350
/** what no five bytes hold, what has other digits than its number, and what is none */
const odd = ['#34359738368', '#99999999999', '#007', '#0', '#-1', '#1,2', '#a7', '!no such subscriber', '']
const largest = '#34359738367'

describe('what is kept of recipients', () => {
  let fixture: ClaimFixture
  let scripts: ClaimScripts
  let claim: Claim
  beforeEach(async () => {
    fixture = await createClaimFixture()
    const process = await fixture.process()
    scripts = process.scripts
    await fixture.put(size, { confirm: true })
    await wakeDue(fixture)
    claim = await claimWork(process.streams)
    await record(scripts, claim, Buffer.alloc(size, 'a'), noEvidence, false)
  })
  afterEach(() => fixture.stop())

  const fields = () => fixture.redis.hkeys(keys.evidence(claim.ref, 'vk'))
  const tell = (from: number, state: string, lines: readonly string[]) =>
    record(scripts, { ...claim, from }, Buffer.alloc(lines.length, state), new Map(lines.entries()), false)
  const snapshot = async () => (await fixture.histories.snapshot(claim.ref)) as Snapshot
  const all = () => evidenceOf(fixture, claim.ref, size)

  it('packs the ids that are numbers, a hundred to a field, and keeps the rest as it is', async () => {
    const lines = Array.from({ length: size }, (_unused, ordinal) => `#${1_000_000 + ordinal}`)
    lines.splice(150, odd.length, ...odd)
    lines[200] = largest
    await tell(0, 's', lines)
    const kept = Object.fromEntries(lines.entries())
    for (const [ordinal, line] of Object.entries(kept)) if (line === '') delete kept[ordinal]
    expect(await all()).to.deep.equal(kept)
    const texts = odd.flatMap((line, index) => (line === '' ? [] : [String(150 + index)]))
    expect(await fields()).to.have.members(['#0', '#1', '#2', '#3', ...texts])
  })

  it('takes six bytes for each of very many', async () => {
    const people = 20_000
    const ref = await fixture.put(people)
    await wakeDue(fixture)
    const { scripts: own, streams } = await fixture.process()
    const large = await claimWork(streams)
    await record(own, large, Buffer.alloc(people, 'a'), noEvidence, false)
    const ids = new Map(Array.from({ length: people }, (_unused, ordinal) => [ordinal, `#${2_000_000_000 + ordinal}`]))
    await record(own, large, Buffer.alloc(people, 's'), ids, false)
    const bytes = (await fixture.redis.call('MEMORY', 'USAGE', keys.evidence(ref, 'vk'), 'SAMPLES', '0')) as number
    expect(bytes / people).to.be.below(6)
    expect(await readEvidence(fixture.redis, ref, 'vk', [0, 99, 100, 19_999])).to.deep.equal(
      [0, 99, 100, 19_999].map((ordinal) => `#${2_000_000_000 + ordinal}`),
    )
  })

  it('says of each what was written of them last, in whatever pieces and order', async () => {
    const random = randomNumbers(7)
    const dice = (sides: number) => Math.floor(random() * sides)
    const model = new Map<number, string>()
    const lineOf = () => (dice(4) === 0 ? (odd[dice(odd.length)] as string) : `#${1 + dice(2_000_000_000)}`)
    // each may come to a state once: in pieces that overlap, what was taken before is taken by nobody after it
    for (let round = 0; round < 60; round += 1) {
      const from = dice(size)
      const lines = Array.from({ length: Math.min(size - from, 1 + dice(40)) }, lineOf)
      const before = await fixture.redis.getrange(keys.receipts(claim.ref, 'vk'), from, from + lines.length - 1)
      await tell(from, 's', lines)
      for (const [place, line] of lines.entries())
        if (before[place] === 'a' && line !== '') model.set(from + place, line)
    }
    for (let round = 0; round < 40; round += 1) {
      const ordinal = dice(size)
      const state = await fixture.redis.getrange(keys.receipts(claim.ref, 'vk'), ordinal, ordinal)
      await report(fixture, claim.ref, ordinal, { state: 'failed', reason: `round ${round}` })
      if (state === 's') model.set(ordinal, `!round ${round}`)
    }
    expect(await all()).to.deep.equal(
      Object.fromEntries([...model].sort(([a], [b]) => a - b).map(([ordinal, line]) => [String(ordinal), line])),
    )
  })

  it('has a number take the place of words, and words that of a number', async () => {
    await tell(0, 'f', ['!too late'])
    await createDeliveryReports({ redis: fixture.redis, channel: 'vk' }).reportAccepted(claim.ref, 'vk', [
      { ordinal: 0, evidence: '#77' },
    ])
    expect(await all()).to.deep.equal({ '0': '#77' })
    await tell(1, 's', ['#78'])
    await report(fixture, claim.ref, 1, { state: 'failed', reason: 'lost' })
    expect(await all()).to.deep.equal({ '0': '#77', '1': '!lost' })
    // as who is tried again
    await tell(2, 's', ['#79', '#80'])
    await fixture.redis.setrange(keys.receipts(claim.ref, 'vk'), 2, 'a')
    await tell(2, 'f', ['!refused'])
    expect(await all()).to.deep.equal({ '0': '#77', '1': '!lost', '2': '!refused', '3': '#80' })
  })

  it('leaves what is there where an answer comes after its report, and adds it where nothing is', async () => {
    await report(fixture, claim.ref, 0, { state: 'delivered' })
    await report(fixture, claim.ref, 1, { state: 'delivered' })
    await tell(0, 's', ['#5', '#a5'])
    await tell(0, 's', ['#6', '#6'])
    expect(await all()).to.deep.equal({ '0': '#5', '1': '#a5' })
  })

  it('names who has told what became of somebody, before the number', async () => {
    await tell(0, 's', ['#5', '#6'])
    // as a lost answer leaves it beside an id that came late
    await fixture.redis.setrange(keys.receipts(claim.ref, 'vk'), 0, 'u')
    const unknown = { channel: 'vk', people: ['p000000'], by: 'op' }
    expect(await fixture.histories.resolve(await snapshot(), unknown, 'delivered')).to.equal(1)
    expect(await all()).to.deep.equal({ '0': '@op #5', '1': '#6' })
  })

  it('takes the number away where what it was of is over', async () => {
    await tell(0, 's', ['#5', '#6'])
    await fixture.redis.setrange(keys.receipts(claim.ref, 'vk'), 0, 'u')
    await fixture.histories.confirm(await snapshot(), { ordinal: 0, version: 1, person: 'p000000', channel: 'vk' })
    expect(await all()).to.deep.equal({ '1': '#6' })
  })

  it('packs nothing of nobody', () => {
    expect(packEvidence([])).to.deep.equal({ ids: '', lines: [] })
    expect(packEvidence(['', ''])).to.deep.equal({ ids: '', lines: [] })
    expect(packEvidence(['#1', ''])).to.deep.equal({ ids: '\0\0\0\0\x01\0\0\0\0\0', lines: [] })
  })
})
