import { type FreshRedis, freshRedis } from '@courier-fleet/testkit'
import { expect } from 'chai'
import { ask, readAsks } from '../src/asked.ts'
import { bucketOf } from '../src/buckets.ts'
import { keys, newHistoryRef } from '../src/keys.ts'

const dayMs = 86_400_000

describe('the numbers by which people name messages', () => {
  let fresh: FreshRedis
  before(async () => {
    fresh = await freshRedis()
  })
  after(() => fresh.stop())

  const refs = Array.from({ length: 95 }, () => newHistoryRef('staff-1', 4))
  const [first, second] = refs as [(typeof refs)[number], (typeof refs)[number]]

  it('are of two digits, of a person, and the same at every call', async () => {
    const number = await ask(fresh.redis, 'anna', { ref: first, ordinal: 3, version: 1 })
    expect(number).to.match(/^[1-9]\d$/)
    expect(await ask(fresh.redis, 'anna', { ref: first, ordinal: 3, version: 1 })).to.equal(number)
    expect(await ask(fresh.redis, 'boris', { ref: first, ordinal: 4, version: 1 })).to.equal(number)
    const asks = await readAsks(fresh.redis, 'anna', Date.now())
    expect(asks).to.have.length(1)
    expect(asks[0]).to.deep.include({ number, ref: first, ordinal: 3 })
  })

  it('stand for one message each, though asked for at once; with all of them given the oldest is given again', async () => {
    const given = await Promise.all(
      refs.slice(0, 90).map((ref) => ask(fresh.redis, 'clara', { ref, ordinal: 0, version: 1 })),
    )
    expect(new Set(given).size).to.equal(90)
    const asked = keys.asked(bucketOf('clara'), 'clara')
    const oldest = given[17] as string
    const entry = (await fresh.redis.hget(asked, oldest)) as string
    await fresh.redis.hset(asked, oldest, entry.replace(/^\d+/, String(Date.now() - dayMs)))
    expect(await ask(fresh.redis, 'clara', { ref: refs[93] as typeof first, ordinal: 0, version: 1 })).to.equal(oldest)
  })

  it('are kept for thirty days, and free after them', async () => {
    const number = await ask(fresh.redis, 'dora', { ref: first, ordinal: 0, version: 1 })
    const asked = keys.asked(bucketOf('dora'), 'dora')
    expect(await fresh.redis.pttl(asked)).to.be.within(29 * dayMs, 30 * dayMs)
    const later = Date.now() + 31 * dayMs
    expect(await readAsks(fresh.redis, 'dora', later)).to.deep.equal([])
    const entry = (await fresh.redis.hget(asked, number)) as string
    await fresh.redis.hset(asked, number, entry.replace(/^\d+/, String(Date.now() - 31 * dayMs)))
    for (const ref of refs.slice(1, 91)) await ask(fresh.redis, 'dora', { ref, ordinal: 0, version: 1 })
    expect((await readAsks(fresh.redis, 'dora', Date.now())).some(({ ref }) => ref.id === first.id)).to.equal(false)
    expect(await readAsks(fresh.redis, 'dora', Date.now())).to.have.length(90)
  })

  it('are read the latest first', async () => {
    const older = await ask(fresh.redis, 'emma', { ref: first, ordinal: 0, version: 1 })
    const asked = keys.asked(bucketOf('emma'), 'emma')
    const entry = (await fresh.redis.hget(asked, older)) as string
    await fresh.redis.hset(asked, older, entry.replace(/^\d+/, String(Date.now() - dayMs)))
    const newer = await ask(fresh.redis, 'emma', { ref: second, ordinal: 0, version: 1 })
    expect((await readAsks(fresh.redis, 'emma', Date.now())).map(({ number }) => number)).to.deep.equal([newer, older])
  })
})
