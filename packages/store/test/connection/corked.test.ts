/** Commands of one tick leave together, and each is still sent again by itself. */
import { type FreshRedis, freshRedis, type Link, openLink, until } from '@courier-fleet/testkit'
import { expect } from 'chai'
import { Command } from 'ioredis'
import { connectNode, type RedisNode } from '../../src/connection/index.ts'

describe('the commands of one tick', () => {
  let fresh: FreshRedis
  let link: Link
  let redis: RedisNode
  let chunks: Buffer[]

  beforeEach(async () => {
    fresh = await freshRedis()
    const { hostname, port, pathname } = new URL(fresh.url)
    chunks = []
    link = await openLink({ host: hostname, port: Number(port) }, () => ({ asked: (chunk) => chunks.push(chunk) }))
    redis = connectNode(`redis://127.0.0.1:${link.port}${pathname}`, { name: 'corked' })
    await redis.connect()
    chunks.length = 0
  })
  afterEach(async () => {
    redis.disconnect()
    await link.close()
    await fresh.stop()
  })

  it('leave together, in their order, and those of the next tick after them', async () => {
    const first = Array.from({ length: 50 }, (_unused, index) => redis.rpush('list', `first-${index}`))
    expect(redis.stream, 'they are held back').to.have.property('writableCorked', 1)
    setImmediate(() => setImmediate(() => redis.rpush('list', 'second')))
    await Promise.all(first)
    expect(chunks).to.have.length.below(3)
    expect(redis.stream).to.have.property('writableCorked', 0)
    expect(await redis.lrange('list', 0, 49)).to.deep.equal(first.map((_call, index) => `first-${index}`))
    await until(async () => (await redis.llen('list')) === 51, 'the next tick')
  })

  it('are not sent any more where their time was up while they waited for a connection', async () => {
    await link.refuse()
    await until(() => redis.status !== 'ready', 'the connection is gone')
    const command = new Command('incr', ['told'])
    command.setTimeout(100)
    const failure = await Promise.resolve(redis.sendCommand(command)).catch((error: Error) => error.message)
    expect(failure).to.equal('Command timed out')
    await link.restore()
    expect(await redis.incr('later')).to.equal(1)
    expect(await redis.exists('told')).to.equal(0)
  })

  it('are each sent again, whichever answers were lost with the connection', async () => {
    const [answered, lost] = ['answered', 'lost'].map((text) => `${text}-${'x'.repeat(20_000)}`)
    await redis.mset('a', answered as string, 'b', lost as string)
    link.hold()
    const calls = ['a', 'b', 'a', 'b'].map((key) => redis.get(key))
    await until(() => chunks.length > 0, 'they have left')
    link.cut()
    await link.restore()
    expect(await Promise.all(calls)).to.deep.equal([answered, lost, answered, lost])
  })

  it('that are bytes and texts, and answered as bytes, are what was given', async () => {
    const bytes = Buffer.from([0, 255, 13, 10])
    const [, , read, script] = await Promise.all([
      redis.set('bytes', bytes),
      redis.set('text', 'ё'),
      redis.getBuffer('bytes'),
      redis.eval('return ARGV[1] .. KEYS[1]', 1, 'text', 'ё'),
    ])
    expect(read).to.deep.equal(bytes)
    expect(script).to.equal('ёtext')
  })
})
