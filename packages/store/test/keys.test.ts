import {
  type HistoryRef,
  historyKeyOf,
  memberOf,
  Problem,
  parseHistoryKey,
  refOfMember,
  shardName,
} from '@courier-fleet/api-types'
import { expect } from 'chai'
import fc from 'fast-check'
import { keys, newHistoryKey } from '../src/keys.ts'

const idOf = (minLength: number, maxLength: number) =>
  fc.stringMatching(new RegExp(`^[A-Za-z0-9_-]{${minLength},${maxLength}}$`))
const ref: fc.Arbitrary<HistoryRef> = fc.record({
  shard: fc.integer({ min: 0, max: 99 }).map(shardName),
  sender: idOf(1, 64),
  id: idOf(8, 40),
})

describe('keys', () => {
  it('a history key reads back as what it was made of', () => {
    fc.assert(
      fc.property(ref, (made) => {
        expect(parseHistoryKey(historyKeyOf(made))).to.deep.equal(made)
        expect(refOfMember(made.shard, memberOf(made))).to.deep.equal(made)
      }),
    )
  })

  it('anything else is a problem of the caller, told without repeating all of it', () => {
    const isKey = /^\d{2}\.[\w-]{1,64}\.[\w-]{8,40}$/
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.string({ maxLength: 500 }),
          ref.map((made) => `${historyKeyOf(made)}\n`),
        ),
        (text) => {
          fc.pre(!isKey.test(text) || text.endsWith('\n'))
          try {
            parseHistoryKey(text)
          } catch (error) {
            expect(error).to.be.instanceOf(Problem)
            expect(error).to.include({ status: 400, code: 'bad-key', field: 'key' })
            expect((error as Problem).message.length).to.be.below(140)
            return
          }
          expect.fail(`took ${JSON.stringify(text)}`)
        },
      ),
    )
  })

  it('new keys spread over all shards, and the same id always lands on the same', () => {
    const shards = new Set(Array.from({ length: 400 }, () => parseHistoryKey(newHistoryKey('dean', 16)).shard))
    expect(shards.size).to.equal(16)
    expect(newHistoryKey('dean', 16, 'same-id-0')).to.equal(newHistoryKey('dean', 16, 'same-id-0'))
  })

  it('all keys of one message carry its shard as hash tag, and no two are the same', () => {
    fc.assert(
      fc.property(ref, (made) => {
        const all = [
          keys.history(made),
          keys.record(made),
          keys.audience(made),
          keys.staged(made, 'd'),
          keys.delivery(made, 0),
          keys.delivery(made, 1),
          keys.receipts(made, 'vk'),
          keys.evidence(made, 'vk'),
          keys.due(made.shard),
          keys.sent(made.shard, made.sender),
          keys.orders(made.shard, 'normal'),
          keys.batches(made.shard, 'vk', 'normal'),
        ]
        expect(new Set(all).size).to.equal(all.length)
        for (const key of all) expect(/\{(.*?)\}/.exec(key)?.[1]).to.equal(made.shard)
      }),
    )
  })
})
