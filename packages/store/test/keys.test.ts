import {
  type HistoryRef,
  historyKeyOf,
  maxShards,
  memberOf,
  Problem,
  parseHistoryKey,
  refOfMember,
  shardName,
} from '@courier-fleet/api-types'
import { expect } from 'chai'
import fc from 'fast-check'
import { tagOf } from '../src/hash-tags.ts'
import { keys, newHistoryKey } from '../src/keys.ts'

const idOf = (minLength: number, maxLength: number) =>
  fc.stringMatching(new RegExp(`^[A-Za-z0-9_-]{${minLength},${maxLength}}$`))
const ref: fc.Arbitrary<HistoryRef> = fc.record({
  shard: fc.integer({ min: 0, max: maxShards - 1 }).map(shardName),
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
    const isKey = /^(\d\d|1\d\d|2[0-4]\d|25[0-5])\.[\w-]{1,64}\.[\w-]{8,40}$/
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.string({ maxLength: 500 }),
          ref.map((made) => `${historyKeyOf(made)}\n`),
          fc
            .tuple(fc.constantFrom('256', '007', '1', '999'), ref)
            .map(([shard, made]) => historyKeyOf({ ...made, shard })),
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

  it('all keys of one message carry the hash tag of its shard, and no two are the same', () => {
    fc.assert(
      fc.property(ref, (made) => {
        const all = [
          keys.history(made),
          keys.record(made),
          keys.audience(made),
          keys.upload(made, 'd'),
          keys.delivery(made, 0),
          keys.delivery(made, 1),
          keys.receipts(made, 'vk'),
          keys.reasons(made, 'vk'),
          keys.evidence(made, 'vk'),
          keys.pieces(made, 0),
          keys.pieces(made, 1),
          keys.due(made.shard),
          keys.sent(made.shard, made.sender),
          keys.retention(made.shard),
          keys.channels(made.shard),
          keys.work(made.shard, 'vk', 'normal'),
        ]
        expect(new Set(all).size).to.equal(all.length)
        for (const key of all) expect(/\{(.*?)\}/.exec(key)?.[1]).to.equal(tagOf(made.shard))
      }),
    )
  })
})
