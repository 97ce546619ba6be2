import { createHash } from 'node:crypto'
import { type HistoryRef, receiptBytes, receiptStates } from '@courier-fleet/api-types'
import { type FreshRedis, freshRedis } from '@courier-fleet/testkit'
import { expect } from 'chai'
import fc from 'fast-check'
import { idsInHead, readAudience } from '../src/history/audience.ts'
import { createHistories } from '../src/history/create-histories.ts'
import { countsOf, ledgerLine } from '../src/history/ledger.ts'
import { packRecord, parseRecord } from '../src/history/message-record.ts'
import { hashOfAudience, idsOf, packAudience } from '../src/history/packed-audience.ts'
import { keys } from '../src/keys.ts'
import { viewAt } from './view-at.ts'

const ref: HistoryRef = { shard: '00', sender: 'dean', id: 'abcdefgh' }
const record = {
  source: 'api',
  text: '[t]',
  to: ['group:a'],
  width: 1,
  sha256: undefined,
  senderLine: undefined,
  subject: undefined,
}
const ids = fc.uniqueArray(fc.stringMatching(/^[A-Za-z0-9_-]{1,64}$/), { minLength: 1, maxLength: 40 })

const large = {
  ref,
  issued: false,
  source: 'api',
  text: 't',
  to: ['role:student'],
  class: 'bulk' as const,
  dueMs: Date.now() + 60_000,
  expiresMs: 0,
}
const sha256Of = (people: readonly string[]) => createHash('sha256').update(people.join('\n')).digest('hex')

describe('history: audience and ledger', () => {
  let fresh: FreshRedis
  beforeEach(async () => {
    fresh = await freshRedis()
  })
  afterEach(() => fresh.stop())

  it('any range of a packed audience reads back as it was', async () => {
    await fc.assert(
      fc.asyncProperty(ids, fc.nat(40), fc.nat(40), async (people, from, length) => {
        const packed = packAudience(people)
        expect(packed.size).to.equal(people.length)
        expect(packed.rows.length).to.equal(packed.width * people.length)
        expect(idsOf(packed)).to.deep.equal(people)
        expect(idsOf(packed, from, from + length)).to.deep.equal(people.slice(from, from + length))
        expect(await hashOfAudience(packed)).to.equal(sha256Of(people))
        await fresh.redis.mset(keys.record(ref), packRecord(record, packed.rows), keys.audience(ref), packed.rows)
        const read = (a: number, b: number) => readAudience(fresh.redis, ref, packed.width, a, b)
        expect(await read(0, people.length)).to.deep.equal(people)
        expect(await read(from, from + length)).to.deep.equal(people.slice(from, from + length))
      }),
    )
  })

  it('has the same hash by one call as piece by piece', async () => {
    const width = 8
    const longest = 4096 / (width + 1)
    for (const size of [1, Math.floor(longest), Math.ceil(longest), 200_000]) {
      const people = Array.from({ length: size }, (_unused, index) => `p${String(index).padStart(width - 1, '0')}`)
      expect(await hashOfAudience(packAudience(people)), `${size} people`).to.equal(sha256Of(people))
    }
  })

  it('whole audiences of any length read back, and the first of them stand in the record', async () => {
    const histories = createHistories({ redis: fresh.redis, shards: 1 })
    const audiences = [1, 7, 8, 9, 3, 500].map((size) =>
      Array.from({ length: size }, (_unused, index) => `p${String(index).padStart(7, '0')}`),
    )
    const refs = audiences.map((_people, index) => ({ ...ref, id: `abcdefgh${index}` }))
    await histories.putMany(
      refs.map((of, index) => ({
        ref: of,
        issued: false,
        digest: 'd',
        source: 'api',
        text: 't',
        to: ['group:a'],
        class: 'normal' as const,
        audience: audiences[index] as string[],
        dueMs: Date.now() + 60_000,
        expiresMs: 0,
      })),
    )
    for (const [index, people] of audiences.entries()) {
      const record = (await fresh.redis.get(keys.record(refs[index] as HistoryRef))) as string
      expect(idsInHead(record, 8)).to.deep.equal(people.slice(0, 8))
      expect(await readAudience(fresh.redis, refs[index] as HistoryRef, 8, 0, people.length)).to.deep.equal(people)
      expect((await viewAt(histories, refs[index] as HistoryRef)).audience?.sha256).to.equal(sha256Of(people))
    }
  })

  it('a large audience is uploaded, taken whole, and nothing of it is left; the same put again says so', async () => {
    const histories = createHistories({ redis: fresh.redis, shards: 1 })
    const audience = Array.from({ length: 40_000 }, (_unused, index) => `person-${String(index).padStart(6, '0')}`)
    const put = () => histories.put({ ...large, digest: 'd', audience })
    const attempts = () => fresh.redis.keys(keys.upload(ref, '*'))
    expect((await put()).created).to.equal(true)
    expect(await readAudience(fresh.redis, ref, 13, 0, audience.length)).to.deep.equal(audience)
    expect(await fresh.redis.pttl(keys.audience(ref))).to.equal(-1)
    expect(await attempts()).to.deep.equal([])
    expect((await put()).created).to.equal(false)
    const [left] = await attempts()
    expect(await fresh.redis.pttl(left as string)).to.be.within(1, 600_000)
  })

  it('two that upload the same message at once do not mix, whomever it is for by then', async () => {
    const histories = createHistories({ redis: fresh.redis, shards: 1 })
    const people = (first: string) => Array.from({ length: 60_000 }, (_unused, index) => `${first}${100_000 + index}`)
    const outcomes = await Promise.all(
      ['a', 'wider-'].map((first) => histories.put({ ...large, digest: 'd', audience: people(first) })),
    )
    const accepted = outcomes[0]?.created ? people('a') : people('wider-')
    expect(outcomes.filter(({ created }) => created)).to.have.length(1)
    const { width } = parseRecord((await fresh.redis.get(keys.record(ref))) as string)
    expect(await readAudience(fresh.redis, ref, width, 0, accepted.length)).to.deep.equal(accepted)
    expect((await viewAt(histories, ref)).audience).to.deep.equal({ size: accepted.length, sha256: sha256Of(accepted) })
  })

  it('the states of a channel sum up to everyone accepted, always', () => {
    const states = receiptStates.filter((state) => state !== 'pending')
    fc.assert(
      fc.property(
        fc.array(fc.nat(50), { minLength: states.length, maxLength: states.length }),
        fc.nat(50),
        (counts, left) => {
          const size = counts.reduce((sum, count) => sum + count, left)
          const hash: Record<string, string> = { size: String(size) }
          for (const [index, state] of states.entries()) {
            hash[`vk:${String.fromCharCode(receiptBytes[state])}`] = String(counts[index])
          }
          const line = countsOf(hash, 'vk')
          expect(line.pending).to.equal(left)
          expect(Object.values(line).reduce((sum, count) => sum + count, 0)).to.equal(size)
          expect(ledgerLine({ ...hash, 'vk:settled': '1' }, 'vk').state).to.equal('settled')
        },
      ),
    )
  })
})
