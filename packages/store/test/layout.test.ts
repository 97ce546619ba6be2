import { type FreshRedis, freshRedis } from '@courier-fleet/testkit'
import { expect } from 'chai'
import { keys } from '../src/keys.ts'
import { joinFleet, layout } from '../src/layout.ts'

describe('the layout of what is in Redis', () => {
  let fresh: FreshRedis
  beforeEach(async () => {
    fresh = await freshRedis()
  })
  afterEach(() => fresh.stop())

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

  it('is fixed by whoever starts first, with the number of shards', async () => {
    expect(await Promise.all([joinFleet(fresh.redis, 4), joinFleet(fresh.redis, 8)])).to.deep.equal([4, 4])
    expect(await joinFleet(fresh.redis)).to.equal(4)
    expect(await fresh.redis.hgetall(keys.fleet)).to.deep.equal({ layout: String(layout), shards: '4' })
  })

  it('of a newer version is refused: what is there, what is needed, what to do', async () => {
    await fresh.redis.hset(keys.fleet, { layout: layout + 1, shards: 16 })
    expect(await refusal()).to.equal(
      `Redis holds data of layout ${layout + 1}, and this version of courier-fleet needs layout ${layout}: run the version ` +
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
    await fresh.redis.hset(keys.fleet, 'layout', layout + 1)
    expect(await refusal()).to.contain(`layout ${layout + 1},`)
  })
})
