/** Whoever asks in one turn shares a read, and nobody is told what was there before they asked. */
import { type FreshRedis, freshRedis } from '@courier-fleet/testkit'
import { expect } from 'chai'
import { connectNode, type RedisNode, sharedRead } from '../../src/connection/index.ts'

describe('a read that several ask for', () => {
  let fresh: FreshRedis
  let redis: RedisNode
  let made: string[]
  let read: (name: string) => Promise<string | null>

  beforeEach(async () => {
    fresh = await freshRedis()
    redis = connectNode(fresh.url, { name: 'shared-read' })
    await redis.connect()
    made = []
    read = sharedRead((name) => {
      made.push(name)
      return redis.get(name)
    })
  })
  afterEach(async () => {
    redis.disconnect()
    await fresh.stop()
  })
  const nextTurn = () => new Promise<void>((resolve) => setImmediate(resolve))

  it('in one turn is made once for each name', async () => {
    await redis.mset({ one: 1, other: 2 })
    expect(await Promise.all(['one', 'other', 'one', 'one'].map(read))).to.deep.equal(['1', '2', '1', '1'])
    expect(made).to.deep.equal(['one', 'other'])
  })

  it('is made anew in the next turn, though the first was not answered', async () => {
    const first = read('one')
    await nextTurn()
    await redis.set('one', 1)
    expect(await read('one')).to.equal('1')
    expect(await first).to.equal(null)
    expect(made).to.deep.equal(['one', 'one'])
  })

  it('is joined by nobody who knows of a write behind it', async () => {
    // what is asked for while immediates run leaves with what was held back before, and here both are answered before the next ones run
    const asked = new Promise<(string | null)[]>((resolve) => {
      setImmediate(() => {
        const before = read('one')
        const after = redis.set('one', 1).then(() => read('one'))
        resolve(Promise.all([before, after]))
      })
    })
    void redis.ping()
    setImmediate(() => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 100))
    expect(await asked).to.deep.equal([null, '1'])
  })

  it('that fails fails for those who share it, and for nobody after them', async () => {
    await redis.rpush('one', 'a list')
    const failed = await Promise.allSettled([read('one'), read('one')])
    expect(failed.map(({ status }) => status)).to.deep.equal(['rejected', 'rejected'])
    await redis.set('one', 1)
    expect(await read('one')).to.equal('1')
  })
})
