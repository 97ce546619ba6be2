import { capturedLog, type OwnRedis, ownRedis, type RedisGate, redisGate, until } from '@courier-fleet/testkit'
import { expect } from 'chai'
import type { Redis } from 'ioredis'
import { connectRedis, reachRedis, tellOutages } from '../src/redis.ts'
import { connectSubscriber } from '../src/subscriber.ts'

describe('redis: one that accepts and falls silent', () => {
  let server: OwnRedis
  let gate: RedisGate
  const connections: Redis[] = []
  const keep = (redis: Redis) => {
    connections.push(redis)
    return redis
  }

  beforeEach(async () => {
    server = await ownRedis({ appendonly: false })
    gate = await redisGate(server.url)
  })
  afterEach(async () => {
    for (const connection of connections.splice(0)) connection.disconnect()
    await gate.close()
    await server.stop()
  })

  it('is left, by those who ask and by those who only listen; what was asked is answered, what is said is heard', async () => {
    const asking = keep(connectRedis(gate.url, { name: 'asking' }))
    const listening = keep(connectSubscriber(gate.url, { name: 'listening', askEveryMs: 100 }))
    await reachRedis(asking, listening)
    const { log, text } = capturedLog()
    tellOutages(asking, log)
    const heard: string[] = []
    listening.on('message', (_channel, word: string) => heard.push(word))
    await listening.subscribe('news')

    gate.silence()
    const answer = asking.incr('asked')
    await until(() => gate.accepted() >= 4, 'both have tried to connect again')
    gate.abandon()
    const back = performance.now()
    expect(await answer).to.equal(1)
    // the next try a second later at most, and not one after a pause that has grown
    expect(performance.now() - back, 'ms until it is answered').to.be.below(15_000)
    await until(() => listening.status === 'ready', 'the listener is back')
    const speaker = server.redis()
    while (heard.length === 0) await speaker.publish('news', 'again')

    const lines = text().split('\n').filter(Boolean)
    expect(lines).to.have.length(2)
    expect(lines[0]).to.contain('Redis is away').and.contain('Socket timeout')
    expect(lines[1]).to.contain('Redis is back')
  })

  it('is not left for a stall of a second', async () => {
    const asking = keep(connectRedis(gate.url, { name: 'asking' }))
    const listening = keep(connectSubscriber(gate.url, { name: 'listening', askEveryMs: 100 }))
    await reachRedis(asking, listening)
    server.freeze()
    setTimeout(() => server.thaw(), 1000)
    expect(await asking.ping()).to.equal('PONG')
    expect(await listening.ping()).to.equal('PONG')
    expect(gate.accepted()).to.equal(2)
  })

  it('that stands still at the start, or is not there, is named in one line', async () => {
    const refusal = (redis: Redis) =>
      reachRedis(redis).then(
        () => '',
        (error: Error) => error.message,
      )
    gate.silence()
    const port = new URL(gate.url).port
    expect(await refusal(keep(connectRedis(gate.url, { name: 'early' })))).to.match(
      new RegExp(`^Redis at 127.0.0.1:${port} cannot be reached: Socket timeout`),
    )
    await gate.refuse()
    expect(await refusal(keep(connectRedis(gate.url, { name: 'early' })))).to.match(/cannot be reached: connect ECONN/)
    await gate.restore()
  })
})
