import { silentLog } from '@courier-fleet/process'
import { capturedLog, type OwnRedis, ownRedis, type RedisGate, redisGate, until } from '@courier-fleet/testkit'
import { expect } from 'chai'

import { connectRedis, type Redis, reachRedis, tellOutages } from '../src/connection/index.ts'
import { connectSubscriber } from '../src/subscriber/connect-subscriber.ts'

const refusal = (redis: Redis) =>
  reachRedis(silentLog, redis).then(
    () => '',
    (error: Error) => error.message,
  )

describe('redis: one that accepts and falls silent', () => {
  let server: OwnRedis
  let gate: RedisGate
  const connections: { disconnect(): void }[] = []
  const keep = <Connection extends { disconnect(): void }>(connection: Connection) => {
    connections.push(connection)
    return connection
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
    await reachRedis(silentLog, asking)
    const { log, text } = capturedLog()
    tellOutages(asking, log)
    const heard: string[] = []
    listening.on('message', (_channel, word: string) => heard.push(word))
    await listening.subscribe('news')
    const isBack = new Promise<void>((resolve) => listening.once('ready', resolve))

    gate.silence()
    const answer = asking.incr('asked')
    await until(() => gate.accepted() >= 4, 'both have tried to connect again')
    gate.abandon()
    const back = performance.now()
    expect(await answer).to.equal(1)
    // the next try a second later at most, and not one after a pause that has grown
    expect(performance.now() - back, 'ms until it is answered').to.be.below(15_000)
    await isBack
    await server.redis().spublish('news', 'again')
    await until(() => heard.length === 1, 'it is heard')

    const lines = text().split('\n').filter(Boolean)
    expect(lines).to.have.length(2)
    expect(lines[0]).to.contain('Redis is away').and.contain('Socket timeout')
    expect(lines[1]).to.contain('Redis is back')
  })

  it('is not left for a stall of a second', async () => {
    const asking = keep(connectRedis(gate.url, { name: 'asking' }))
    const listening = keep(connectSubscriber(gate.url, { name: 'listening', askEveryMs: 100 }))
    const heard = new Promise((resolve) => listening.on('message', (_channel, word) => resolve(word)))
    await Promise.all([reachRedis(silentLog, asking), listening.subscribe('news')])
    server.freeze()
    setTimeout(() => server.thaw(), 1000)
    expect(await asking.ping()).to.equal('PONG')
    await asking.spublish('news', 'still there')
    expect(await heard).to.equal('still there')
    expect(gate.accepted()).to.equal(2)
  })

  it('that stands still for a moment at the start is waited for', async () => {
    gate.silence()
    const starting = keep(connectRedis(gate.url, { name: 'starting' }))
    const reached = reachRedis(silentLog, starting)
    await until(() => gate.accepted() >= 2, 'it has tried again')
    await gate.restore()
    await reached
    expect(await starting.incr('asked')).to.equal(1)
  })

  it('behind Sentinels or of a cluster is waited for no more by whoever has disconnected', async () => {
    gate.silence()
    const place = new URL(gate.url).host
    for (const url of [`redis+sentinel://${place}/somebody`, `redis+cluster://${place}`]) {
      const left = connectRedis(url, { name: 'left' })
      const asked = gate.accepted()
      const reached = refusal(left)
      await until(() => gate.accepted() > asked, 'it is connecting')
      left.disconnect()
      expect(await reached, url).to.contain('is waited for no more')
      expect(await refusal(left), `${url}, once more`).to.contain('is waited for no more')
    }
  })

  it('that goes on standing still at the start, or is not there, is named in one line', async () => {
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
