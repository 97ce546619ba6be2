import { shardName } from '@courier-fleet/api-types'
import { expect } from 'chai'
import { bucketOf, bucketTags, personBuckets, shardOfTag, shardTags, tagOf } from '../src/hash-tags.ts'
import { bucketCandidates, chosenTags, shardCandidates, slotOf, slots } from './chosen-tags.ts'

/** First slots of the masters, as `redis-cli --cluster create` deals them out. */
function firstSlots(masters: number): number[] {
  return Array.from({ length: masters }, (_unused, index) => Math.round((index * slots) / masters))
}

/** How many of these tags each master holds. */
function shares(tags: readonly string[], masters: number): number[] {
  const firsts = firstSlots(masters)
  const counts = new Array<number>(masters).fill(0)
  for (const tag of tags) {
    const master = firsts.findLastIndex((first) => first <= slotOf(tag))
    counts[master] = (counts[master] ?? 0) + 1
  }
  return counts
}

describe('hash tags', () => {
  it('the slot is the one the Redis cluster specification computes', () => {
    expect(slotOf('123456789')).to.equal(0x31c3)
  })

  it('the tables are what was chosen by slot', () => {
    expect([...shardTags]).to.deep.equal(chosenTags(shardCandidates, 16))
    expect([...bucketTags]).to.deep.equal(chosenTags(bucketCandidates, 16))
  })

  for (let masters = 1; masters <= 8; masters += 1) {
    it(`${masters} masters get shares that differ by at most one, of the shards and of the people`, () => {
      for (const tags of [shardTags, bucketTags]) {
        const counts = shares(tags, masters)
        expect(Math.max(...counts) - Math.min(...counts), counts.join(' : ')).to.be.at.most(1)
      }
    })
  }

  it('numbers as tags would be uneven: what this is for', () => {
    const numbers = Array.from({ length: 16 }, (_unused, index) => shardName(index))
    expect(shares(numbers, 3).toSorted()).to.deep.equal([4, 4, 8])
  })

  it('a tag leads back to its shard, and neither is taken for the other', () => {
    for (const [index, tag] of shardTags.entries()) {
      expect(tagOf(shardName(index))).to.equal(tag)
      expect(shardOfTag(tag)).to.equal(shardName(index))
      expect(shardOfTag(shardName(index))).to.equal(undefined)
      expect(() => tagOf(tag)).to.throw(RangeError)
    }
    expect(() => tagOf('16')).to.throw(RangeError, '"16"')
  })

  it('people whose ids differ in the last digit only spread over all buckets', () => {
    const used = new Set(Array.from({ length: 200 }, (_unused, index) => bucketOf(`s-ivt-101-${index}`)))
    expect([...used].every((bucket) => bucket >= 0 && bucket < personBuckets)).to.equal(true)
    expect(used.size).to.equal(personBuckets)
  })
})
