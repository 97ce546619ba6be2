import { type FreshRedis, freshRedis } from '@courier-fleet/testkit'
import { expect } from 'chai'
import { fixBuckets, personBuckets } from '../src/buckets.ts'
import { keys } from '../src/keys.ts'
import { grownLayout, joinFleet, layout, wantedShards } from '../src/layout.ts'

describe('the layout of what is in Redis', () => {
  let fresh: FreshRedis
  beforeEach(async () => {
    fresh = await freshRedis()
  })
  afterEach(() => fresh.stop())
  afterEach(() => fixBuckets(16))

  const refusal = async () => {
    const before = await fresh.redis.hgetall(keys.fleet)
    const error = await joinFleet(fresh.redis).then(
      () => expect.fail('it was let in'),
      (reason: Error) => reason,
    )
    expect(await fresh.redis.hgetall(keys.fleet)).to.deep.equal(before)
    expect(error.message).not.to.contain('\n')
    return error.message
  }

  it('is fixed by whoever starts first, with the numbers of shards and buckets', async () => {
    expect(await Promise.all([joinFleet(fresh.redis, 4), joinFleet(fresh.redis, 8)])).to.deep.equal([4, 4])
    expect(await joinFleet(fresh.redis)).to.equal(4)
    expect(await fresh.redis.hgetall(keys.fleet)).to.deep.equal({ layout: String(layout), shards: '4', buckets: '16' })
  })

  it('has 16 shards and 16 buckets on one Redis', async () => {
    expect(await joinFleet(fresh.redis)).to.equal(16)
    expect(personBuckets()).to.equal(16)
  })

  it('has as many shards as SHARDS says, which is one of three numbers', () => {
    expect([{}, { SHARDS: '' }, { SHARDS: '256' }, { SHARDS: '16' }].map(wantedShards)).to.deep.equal([
      undefined,
      undefined,
      256,
      16,
    ])
    for (const SHARDS of ['17', '0', '064', 'many'])
      expect(() => wantedShards({ SHARDS })).to.throw('SHARDS must be 16, 64 or 256')
  })

  it('counts as many buckets as the fleet has, however many this Redis would get', async () => {
    await fresh.redis.hset(keys.fleet, { layout, shards: 64, buckets: 256 })
    expect(await joinFleet(fresh.redis)).to.equal(64)
    expect(personBuckets()).to.equal(256)
  })

  it('of a newer version is refused: what is there, what is needed, what to do', async () => {
    await fresh.redis.hset(keys.fleet, { layout: grownLayout + 1, shards: 16 })
    expect(await refusal()).to.equal(
      `Redis holds data of layout ${grownLayout + 1}, and this version of courier-fleet needs layout ${layout} or ${grownLayout}: run the version ` +
        'that wrote them, or give this one an empty Redis (npm start keeps its own in the folder .data/redis)',
    )
  })

  it('of a version that wrote no number is refused as layout 1', async () => {
    await fresh.redis.hset(keys.fleet, 'shards', 16)
    expect(await refusal()).to.match(/^Redis holds data of layout 1, /)
  })

  it('of somebody who died between layout and shards is joined', async () => {
    await fresh.redis.hset(keys.fleet, 'layout', layout)
    expect(await joinFleet(fresh.redis, 2)).to.equal(2)
  })

  it('of another version that has only just begun is refused too', async () => {
    await fresh.redis.hset(keys.fleet, 'layout', grownLayout + 1)
    expect(await refusal()).to.contain(`layout ${grownLayout + 1},`)
  })
})
