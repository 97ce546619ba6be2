import { receiptStates } from '@courier-fleet/api-types'
import { type FreshRedis, freshRedis } from '@courier-fleet/testkit'
import { expect } from 'chai'
import type { Redis } from 'ioredis'
import { connectNode } from '../src/connection/connect.ts'
import { readStandings } from '../src/history/standings.ts'
import { keys } from '../src/keys.ts'

const ref = { shard: '01', sender: 'dean', id: 'lecture-0000' }
const standings = { size: 3, channels: ['sms'] }

describe('the standings of a block', () => {
  let fresh: FreshRedis
  let redis: Redis
  beforeEach(async () => {
    fresh = await freshRedis()
    redis = connectNode(fresh.url, { name: 'standings' })
    await redis.connect()
  })
  afterEach(async () => {
    redis.disconnect()
    await fresh.stop()
  })

  const statesRead = async () =>
    [...(await readStandings(redis, { ref }, standings, 0)).subarray(0, 3)].map((state) => receiptStates[state])

  it('are pending where nothing was written', async () => {
    expect(await statesRead()).to.deep.equal(['pending', 'pending', 'pending'])
    await redis.set(keys.receipts(ref, 'sms'), 's')
    expect(await statesRead()).to.deep.equal(['sent', 'pending', 'pending'])
  })

  it('are not said to be pending where Redis refuses to read them', async () => {
    await redis.rpush(keys.receipts(ref, 'sms'), 'of another kind')
    expect(await statesRead().catch(String)).to.match(/WRONGTYPE/)
  })
})
