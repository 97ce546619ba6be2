import { connect } from 'node:net'
import { expect } from 'chai'
import { Redis } from 'ioredis'
import { type FreshRedis, freshRedis, until } from '../src/index.ts'
import type { Link } from '../src/link.ts'
import { openRedisLine, withThose } from '../src/redis-line.ts'

const aheadMs = 5000
const time = "local time = redis.call('TIME') return time[1] * 1000 + math.floor(time[2] / 1000)"
const nearMs = 1000

describe('the clock of a Redis, moved on a line before it', () => {
  let server: FreshRedis
  let link: Link
  let moved: Redis
  let real: Redis

  before(async () => {
    server = await freshRedis()
    const { port, pathname } = new URL(server.url)
    link = await openRedisLine(Number(port), aheadMs)
    moved = new Redis(`redis://127.0.0.1:${link.port}${pathname}`)
    real = new Redis(server.url)
  })
  after(async () => {
    moved.disconnect()
    real.disconnect()
    await link.close()
    await server.stop()
  })

  /** The time that is answered lies, so much ahead, between when it was asked for and when it came. */
  async function expectAhead(ask: () => Promise<unknown>, aheadMs: number): Promise<void> {
    const askedMs = Date.now()
    const atMs = Number(await ask()) - aheadMs
    expect(atMs).to.be.within(askedMs - nearMs, Date.now() + nearMs)
  }

  it('is what scripts and TIME see, by their text and by their names', async () => {
    await expectAhead(async () => {
      const [seconds, micros] = await moved.time()
      return Number(seconds) * 1000 + Number(micros) / 1000
    }, aheadMs)
    await expectAhead(() => moved.eval(`#!lua\n${time}`, 0), aheadMs)
    const sha = (await real.script('LOAD', time)) as string
    await expectAhead(() => moved.eval(time, 0), aheadMs)
    await expectAhead(() => moved.evalsha(sha, 0), aheadMs)
    await expectAhead(() => real.evalsha(sha, 0), 0)
  })

  it('is asked for anew by whoever finds that the server has forgotten its scripts', async () => {
    const text = `${time} -- forgotten`
    await moved.eval(text, 0)
    await real.script('FLUSH')
    const sha = (await real.script('LOAD', text)) as string
    const error = await moved.evalsha(sha, 0).catch((caught: Error) => caught)
    expect(String(error)).contain('NOSCRIPT')
    await expectAhead(() => moved.eval(text, 0), aheadMs)
  })

  it('is that by which keys expire, which live as long as ever', async () => {
    const keep = `local now = redis.call('TIME')[1] * 1000
      redis.call('SET', KEYS[1], '0', 'PXAT', now + 60000)
      redis.call('SET', KEYS[2], '0')
      redis.call('PEXPIREAT', KEYS[2], now + 60000)
      redis.call('SET', KEYS[3], '0', 'PX', 60000)
      return { now, redis.call('PEXPIRETIME', KEYS[1]), redis.call('PEXPIRETIME', KEYS[4]) }`
    const begun = performance.now()
    const [now, at, never] = (await moved.eval(keep, 4, 'a', 'b', 'c', 'd')) as [number, number, number]
    expect([at - now, never]).eql([60_000, -2])
    for (const key of ['a', 'b', 'c'])
      expect(await real.pttl(key), key).within(58_000 - (performance.now() - begun), 60_000)
  })

  it('is moved on a line that tells apart who speaks, as ever', async () => {
    let heard = 0
    withThose(link, (name) => name === 'anna').arm({
      moment: 'before',
      matches: (sent) => sent.includes('said by anna'),
      spring() {
        heard += 1
        return 'forward'
      },
    })
    const anna = new Redis(link.port, { connectionName: 'anna' })
    try {
      expect(await anna.echo('said by anna')).equal('said by anna')
      expect(heard).equal(1)
    } finally {
      anna.disconnect()
    }
  })

  it('takes requests that come in pieces, or several at once, and answers each in its turn', async () => {
    const socket = connect(link.port, '127.0.0.1')
    let heard = ''
    socket.on('data', (data) => {
      heard += data.toString()
    })
    const requests = `*2\r\n$4\r\nECHO\r\n$3\r\none\r\n*3\r\n$4\r\nEVAL\r\n$${time.length}\r\n${time}\r\n$1\r\n0\r\n*2\r\n$4\r\nECHO\r\n$3\r\ntwo\r\n`
    try {
      await expectAhead(async () => {
        for (const piece of requests.match(/[\s\S]{1,7}/g) as string[]) {
          socket.write(piece)
          await new Promise((resolve) => setImmediate(resolve))
        }
        await until(() => heard.includes('two'), 'the last is answered')
        return /^\$3\r\none\r\n:(\d+)\r\n\$3\r\ntwo\r\n$/.exec(heard)?.[1]
      }, aheadMs)
    } finally {
      socket.destroy()
    }
  })
})
