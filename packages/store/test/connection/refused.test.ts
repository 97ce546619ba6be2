/** What a Redis answers that does not serve now: who tries again, for how long, and what whoever cannot wait is told. */
import { silentLog } from '@courier-fleet/process'
import { type OwnRedis, openLink, ownRedis, type RedisGate, redisGate, until } from '@courier-fleet/testkit'
import { expect } from 'chai'
import { Redis as OneRedis } from 'ioredis'
import { connectRedis, lastRefusal, type Redis, reachRedis } from '../../src/connection/index.ts'
import { numberReply } from '../../src/replies.ts'
import { defineScript } from '../../src/script.ts'

/** one more than ioredis tries by itself */
const often = 17
const takeCall = defineScript('take-call', { keys: ['calls'], args: ['eachMs', 'burstMs'], reply: numberReply })
const said = {
  CLUSTERDOWN: 'CLUSTERDOWN The cluster is down',
  TRYAGAIN: 'TRYAGAIN Multiple keys request during rehashing of slot',
  READONLY: "READONLY You can't write against a read only replica.",
  LOADING: 'LOADING Redis is loading the dataset in memory',
  MASTERDOWN: "MASTERDOWN Link with MASTER is down and replica-serve-stale-data is set to 'no'.",
}

const messageOf = (call: Promise<unknown>) =>
  call.then(
    (answer) => `was done: ${answer}`,
    (error: Error) => error.message,
  )

describe('a command that is refused', () => {
  let server: OwnRedis
  let gate: RedisGate
  let name = 0
  const connections: Redis[] = []
  const fresh = () => {
    name += 1
    return `key:${name}`
  }
  /** What holds these bytes is answered so by the server, so many times. */
  function refuse(bytes: string, answer: string, times: number) {
    let count = 0
    let disarm = () => {}
    const arm = () => {
      disarm = gate.arm({
        moment: 'before',
        matches: (sent) => sent.includes(bytes),
        spring() {
          count += 1
          if (count < times) arm()
          return Buffer.from(`-${answer}\r\n`)
        },
      })
    }
    arm()
    return { count: () => count, end: () => disarm() }
  }
  async function connect(scheme: string, patienceMs?: number): Promise<Redis> {
    const url = `${scheme}://127.0.0.1:${gate.port}`
    const redis = connectRedis(url, { name: 'test', ...(patienceMs === undefined ? {} : { patienceMs }) })
    connections.push(redis)
    await reachRedis(silentLog, redis)
    return redis
  }
  async function serve(cluster: boolean): Promise<void> {
    server = await ownRedis({ cluster, appendonly: false })
    gate = await redisGate(server.url)
    if (cluster)
      await server.redis().config('SET', 'cluster-announce-ip', '127.0.0.1', 'cluster-announce-port', String(gate.port))
  }
  afterEach(async () => {
    for (const connection of connections.splice(0)) connection.disconnect()
    await gate.close()
    await server.stop()
  })

  describe('on a cluster', () => {
    beforeEach(() => serve(true))

    it('is tried again until its slot is served, however often it has to be', async () => {
      const redis = await connect('redis+cluster')
      for (const answer of Object.values(said)) {
        const key = fresh()
        const refusals = refuse(key, answer, often)
        expect(await redis.incr(key), answer).to.equal(1)
        expect(refusals.count(), answer).to.equal(often)
      }
      const key = fresh()
      const slot = await server.redis().cluster('KEYSLOT', key)
      refuse(key, `MOVED ${slot} 127.0.0.1:${gate.port}`, often)
      expect(await redis.incr(key)).to.equal(1)
    })

    it('fails in time where somebody waits, and says what it has waited for', async () => {
      await Promise.all(
        Object.entries(said).map(async ([word, answer]) => {
          const redis = await connect('redis+cluster', 6000)
          const key = fresh()
          const refusals = refuse(key, answer, Number.POSITIVE_INFINITY)
          // of one that was demoted nothing is known but that it is no master
          expect(await messageOf(redis.incr(key))).to.equal(word === 'READONLY' ? 'Command timed out' : answer)
          // refused to the end: it may be on its way once more when the time is up
          expect(await server.redis().exists(key)).to.equal(0)
          refusals.end()
        }),
      )
    })
  })

  describe('by one Redis', () => {
    beforeEach(() => serve(false))

    it('that is loading its data is sent again when it has; whoever waits is told that it is', async () => {
      const patient = await connect('redis')
      const before = gate.accepted()
      refuse('patient', said.LOADING, 3)
      expect(await patient.incr('patient')).to.equal(1)
      expect(gate.accepted() - before).to.be.at.least(3)

      const hurried = await connect('redis', 10_000)
      refuse('hurried', said.LOADING, 1)
      expect(await messageOf(hurried.incr('hurried'))).to.match(/^Stream isn't writeable/)
      expect(lastRefusal(hurried)?.message).to.equal(said.LOADING)
      await until(() => lastRefusal(hurried) === undefined, 'it is connected anew')
      expect(await hurried.incr('hurried')).to.equal(1)
    })

    it('that has become a replica fails at once; then whoever its name leads to is asked', async () => {
      const successor = await ownRedis({ appendonly: false })
      const to = { host: '127.0.0.1', port: Number(new URL(server.url).port) }
      const place = await openLink(to)
      try {
        const redis = connectRedis(`redis://127.0.0.1:${place.port}`, { name: 'test' })
        connections.push(redis)
        await redis.set('a', '1')
        await server.redis().replicaof('127.0.0.1', Number(new URL(successor.url).port))
        for (let times = 0; times < 20; times += 1) expect(await messageOf(redis.set('a', '2'))).to.match(/^READONLY /)
        expect(place.accepted(), 'it is looked, and not each time').to.be.within(2, 10)
        to.port = Number(new URL(successor.url).port)
        place.cut()
        expect(await redis.set('a', '3')).to.equal('OK')
        expect(await successor.redis().get('a')).to.equal('3')
      } finally {
        await place.close()
        await successor.stop()
      }
    })

    it('for a script that it does not know, in whatever words, is sent with the script', async () => {
      const redis = await connect('redis')
      refuse('evalsha', 'ERR proxy: upstream: NOSCRIPT No matching script.', 1)
      expect(await takeCall(redis, { calls: 'calls' }, { eachMs: 1, burstMs: 10 })).to.equal(0)
    })
  })
})

for (const [where, cluster] of [
  ['one Redis', false],
  ['a cluster', true],
] as const)
  describe(`${where} that is loading its data`, () => {
    it('is waited for, by whoever has asked and by whoever starts', async () => {
      // a node that nobody has met does not know where it is
      const place = cluster ? { 'cluster-announce-ip': '127.0.0.1' } : {}
      const server = await ownRedis({ cluster, config: { 'key-load-delay': '600', ...place } })
      const admin = server.redis()
      const unready = new OneRedis(server.url, { enableReadyCheck: false, retryStrategy: () => 20 })
      unready.on('error', () => {})
      const at = server.url.replace('redis', cluster ? 'redis+cluster' : 'redis')
      const connections = [connectRedis(at, { name: 'early' })]
      try {
        const [early] = connections as [Redis]
        await early.set('{a}', '1')
        await admin.eval("for i = 1, 8000 do redis.call('SET', '{a}' .. i, i) end", 1, '{a}')
        await server.kill()
        const isBack = server.restart()
        const asked = early.incr('{a}')
        await until(async () => (await messageOf(unready.info('persistence'))).includes('loading:1'), 'it is loading')
        const late = connectRedis(at, { name: 'late' })
        connections.push(late)
        const reached = reachRedis(silentLog, late)
        await unready.config('SET', 'key-load-delay', '0')
        await reached
        expect(await late.get('{a}8000')).to.equal('8000')
        expect(await asked).to.equal(2)
        await isBack
      } finally {
        for (const connection of [...connections, unready]) connection.disconnect()
        await server.stop()
      }
    })
  })
