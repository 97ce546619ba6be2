import { maxShards, shardName, shardNames } from '@courier-fleet/api-types'
import { expect } from 'chai'
import { bucketOf, fixBuckets, personBuckets, tagsOfBuckets } from '../src/buckets.ts'
import { shardOfTag, tagOf, tagOfBucket, tagsOfShards } from '../src/hash-tags.ts'
import { bucketFirsts, bucketSlots, chosenTags, shardFirsts, shardSlots, slotOf, slots } from './chosen-tags.ts'

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

const differenceOf = (counts: readonly number[]) => Math.max(...counts) - Math.min(...counts)
const sizes = [1, 2, 4, 8, 16, 32, 64, 128, 256]
const allBuckets = Array.from({ length: 256 }, (_unused, bucket) => tagOfBucket(bucket))

describe('hash tags', () => {
  it('the slot is the one the Redis cluster specification computes', () => {
    expect(slotOf('123456789')).to.equal(0x31c3)
  })

  it('the tables are what was chosen by slot', () => {
    expect(tagsOfShards(maxShards)).to.deep.equal(chosenTags(shardFirsts, shardSlots))
    expect(allBuckets).to.deep.equal(chosenTags(bucketFirsts, bucketSlots))
    expect(new Set([...tagsOfShards(maxShards), ...allBuckets]).size).to.equal(2 * maxShards)
  })

  for (const size of sizes)
    it(`of ${size} shards, or buckets, up to 256 masters get as many, or one more`, () => {
      for (const tags of [tagsOfShards(size), allBuckets.slice(0, size)])
        for (let masters = 1; masters <= 256; masters += 1) {
          const counts = shares(tags, masters)
          expect(differenceOf(counts), `${masters} masters: ${counts.join(' : ')}`).to.be.at.most(1)
        }
    })

  it('where a master has one shard more, it has not one bucket more, too', () => {
    for (const masters of [3, 5, 6]) {
      const both = [...tagsOfShards(16), ...allBuckets.slice(0, 16)]
      expect(differenceOf(shares(both, masters)), `${masters} masters`).to.be.at.most(1)
    }
  })

  it('numbers as tags would be uneven: what this is for', () => {
    expect(shares(shardNames(16), 3).toSorted()).to.deep.equal([4, 4, 8])
  })

  it('a tag leads back to its shard, and neither is taken for the other', () => {
    for (const [index, tag] of tagsOfShards(maxShards).entries()) {
      expect(tagOf(shardName(index))).to.equal(tag)
      expect(shardOfTag(tag)).to.equal(shardName(index))
      expect(shardOfTag(shardName(index))).to.equal(undefined)
      expect(() => tagOf(tag)).to.throw(RangeError)
    }
    expect(() => tagOf('256')).to.throw(RangeError, '"256"')
    expect(() => tagOf('007')).to.throw(RangeError, '"007"')
    expect(() => tagOfBucket(256)).to.throw(RangeError, '256')
  })
})

describe('buckets of people', () => {
  afterEach(() => fixBuckets(16))

  for (const buckets of [16, 256])
    it(`people whose ids differ in the last digits only spread over all ${buckets}`, () => {
      fixBuckets(buckets)
      const counts = new Array<number>(buckets).fill(0)
      for (let index = 0; index < 100 * buckets; index += 1) {
        const bucket = bucketOf(`s-ivt-101-${index}`)
        counts[bucket] = (counts[bucket] ?? 0) + 1
      }
      expect(counts).to.have.length(buckets)
      expect(Math.max(...counts)).to.be.below(150)
      expect(Math.min(...counts)).to.be.above(50)
      expect(personBuckets()).to.equal(buckets)
      expect(tagsOfBuckets()).to.deep.equal(allBuckets.slice(0, buckets))
    })

  it('nobody is looked for before the fleet was joined', () => {
    fixBuckets(undefined)
    expect(() => bucketOf('anna')).to.throw('joinFleet() comes first')
  })
})
