/** How commands find their way on a cluster of three masters, whatever becomes of these. */

import { silentLog } from '@courier-fleet/process'
import { capturedLog, type OwnCluster, type OwnMember, ownCluster, until } from '@courier-fleet/testkit'
import { expect } from 'chai'
import {
  checkRedis,
  connectRedis,
  isCluster,
  mastersOf,
  type Redis,
  reachRedis,
  redisNow,
  scanKeys,
  slotMoves,
  tellOutages,
} from '../../src/connection/index.ts'
import { applyRedisSettings } from '../../src/redis-settings.ts'
import { numberReply } from '../../src/replies.ts'
import { defineScript } from '../../src/script.ts'

const takeCall = defineScript('take-call', { keys: ['calls'], args: ['eachMs', 'burstMs'], reply: numberReply })

describe('commands on a cluster', () => {
  let cluster: OwnCluster
  let redis: Redis
  let name = 0
  const connections: Redis[] = []
  const connect = async (patienceMs?: number) => {
    const made = connectRedis(cluster.url, { name: 'test', ...(patienceMs === undefined ? {} : { patienceMs }) })
    connections.push(made)
    await reachRedis(silentLog, made)
    return made
  }
  /** of a slot that no test before has touched, and of another one of the same master */
  const freshTags = async (): Promise<[string, string, OwnMember]> => {
    name += 1
    const owner = await cluster.masterOf(`{t${name}}`)
    const base = name
    do name += 1
    while ((await cluster.masterOf(`{t${name}}`)) !== owner)
    return [`{t${base}}`, `{t${name}}`, owner]
  }
  /** What a slot goes through on its way to another master; each step is one for the test to stand in. */
  const movingSlot = async (tag: string, from: OwnMember) => {
    const others = await Promise.all(Array.from({ length: 50 }, (_unused, i) => cluster.masterOf(`{other${i}}`)))
    const to = others.find((each) => each !== from) as OwnMember
    const [source, target] = [from.redis(), to.redis()]
    const slot = Number(await source.cluster('KEYSLOT', tag))
    const [sourceId, targetId] = await Promise.all(
      [source, target].map(async (node) => String(await node.cluster('MYID'))),
    )
    return {
      async begin() {
        await target.cluster('SETSLOT', slot, 'IMPORTING', sourceId as string)
        await source.cluster('SETSLOT', slot, 'MIGRATING', targetId as string)
      },
      move: (...keys: string[]) =>
        source.call('MIGRATE', '127.0.0.1', new URL(to.url).port, '', 0, 5000, 'KEYS', ...keys),
      async end() {
        for (const node of [target, source]) await node.cluster('SETSLOT', slot, 'NODE', targetId as string)
      },
    }
  }

  before(async () => {
    cluster = await ownCluster()
    redis = await connect()
  })
  after(async () => {
    for (const connection of connections) connection.disconnect()
    await cluster?.stop()
  })

  it('go to whoever has the slot; those of one tick to all of them', async () => {
    expect(isCluster(redis)).to.equal(true)
    expect(mastersOf(redis)).to.have.length(3).and.not.include(undefined)
    const names = Array.from({ length: 60 }, (_unused, index) => `spread:${index}`)
    expect(await Promise.all(names.map((each) => redis.incr(each)))).to.deep.equal(names.map(() => 1))
    const found: string[] = []
    let cursor: string | undefined = '0'
    while (cursor !== undefined) {
      const step: { found: string[]; next?: string } = await scanKeys(redis, cursor, 'spread:*', 7)
      found.push(...step.found)
      cursor = step.next
    }
    expect([...new Set(found)].sort()).to.deep.equal(names.sort())
  })

  it('follow a slot that has moved (MOVED), beside others of its former master in the same tick', async () => {
    const [moved, stays, owner] = await freshTags()
    const slot = await movingSlot(moved, owner)
    await redis.incr(moved)
    await slot.begin()
    await slot.move(moved)
    await slot.end()
    expect(await Promise.all([redis.incr(stays), redis.incr(moved), redis.incr(stays)])).to.deep.equal([1, 2, 2])
    expect(await takeCall(redis, { calls: `calls:${moved}` }, { eachMs: 1, burstMs: 10 })).to.equal(0)
  })

  it('follow a slot on its way (ASK), and wait for what is half there (TRYAGAIN)', async () => {
    const [tag, , owner] = await freshTags()
    const slot = await movingSlot(tag, owner)
    await redis.mset(`a${tag}`, '1', `b${tag}`, '2')
    await slot.begin()
    await slot.move(`a${tag}`)
    expect(await redis.get(`a${tag}`)).to.equal('1')
    expect(await redis.get(`b${tag}`)).to.equal('2')
    expect(await takeCall(redis, { calls: `new${tag}` }, { eachMs: 1, burstMs: 10 })).to.equal(0)
    const hurried = await connect(4000)
    const { log, text } = capturedLog()
    tellOutages(hurried, log)
    let isAnswered = false
    const both = redis.mget(`a${tag}`, `b${tag}`).finally(() => {
      isAnswered = true
    })
    const refused = async () =>
      Number(/errorstat_TRYAGAIN:count=(\d+)/.exec(await owner.redis().info('errorstats'))?.[1] ?? 0)
    await until(async () => (await refused()) > 1, 'it has been told to try again, and has')
    expect(isAnswered).to.equal(false)
    const given = await hurried.mget(`a${tag}`, `b${tag}`).catch((error: Error) => error)
    expect((given as Error).message, 'what it has waited for').to.match(/^TRYAGAIN/)
    const [move, ...others] = await slotMoves(redis)
    expect(others).to.deep.equal([])
    expect(move?.from).to.equal(new URL(owner.url).host)
    await until(() => text().includes('move key by key'), 'it is told')
    await slot.move(`b${tag}`)
    await slot.end()
    expect(await slotMoves(redis)).to.deep.equal([])
    await until(() => text().includes('slots of the Redis cluster have arrived'), 'that is told, too')
    expect(text()).to.not.contain('is away')
    expect(await both).to.deep.equal(['1', '2'])
  })

  it('give scripts again that a node does not have (NOSCRIPT)', async () => {
    const call = () => takeCall(redis, { calls: 'scripts' }, { eachMs: 1, burstMs: 10 })
    await call()
    for (const node of cluster.nodes) await node.redis().script('FLUSH')
    expect(await call()).to.equal(0)
  })

  it('wait while the cluster is down (CLUSTERDOWN), as does whoever starts then, and says so', async () => {
    const [tag, , owner] = await freshTags()
    const slot = Number(await owner.redis().cluster('KEYSLOT', tag))
    const nodes = cluster.nodes.map((node) => node.redis())
    // whoever has heard of the slot from another meanwhile forgets it again
    await until(async () => {
      for (const each of nodes) await each.cluster('DELSLOTS', slot).catch(() => {})
      const infos = await Promise.all(nodes.map((each) => each.cluster('INFO')))
      return infos.every((info) => String(info).includes('state:fail'))
    }, 'it is down')
    const waiting = redis.incr(tag)
    const late = connectRedis(cluster.url, { name: 'late' })
    connections.push(late)
    const { log, text } = capturedLog()
    const reached = reachRedis(log, late).then(() => late.incr(tag))
    const hurried = connectRedis(cluster.url, { name: 'hurried', patienceMs: 500 })
    connections.push(hurried)
    await until(() => text().includes('waiting for a fail-over'), 'it is said')
    expect(text()).to.contain('a part of its slots is not served')
    expect(await hurried.get(tag).catch((error: Error) => error.message)).to.match(/isn't ready|timed out/)
    await owner.redis().cluster('ADDSLOTS', slot)
    await cluster.untilWhole()
    expect((await Promise.all([waiting, reached])).sort()).to.deep.equal([1, 2])
  })

  it('wait for a replica to take over from a master that was killed; what is away is told, and that somebody has', async () => {
    const [tag, , owner] = await freshTags()
    const { log, text } = capturedLog()
    tellOutages(redis, log)
    const hurried = await connect(500)
    expect(await redis.incr(tag)).to.equal(1)
    await until(async () => (await hurried.get(tag).catch(() => '')) === '1', 'it is asked, too')
    await owner.kill()
    const refusal = await hurried.get(tag).catch((error: Error) => error.message)
    expect(refusal).to.match(/Command timed out|Connection is closed/)
    // the last that was written may not have reached the replica
    expect(await redis.incr(tag)).to.be.within(1, 2)
    await until(() => text().includes('another node of Redis has taken over'), 'it is told')
    expect(text()).to.contain('a node of Redis is away').and.contain(new URL(owner.url).port)
    await owner.restart()
    await cluster.untilWhole()
  })

  it('go on over a fail-over by agreement', async () => {
    const [tag, , owner] = await freshTags()
    let going = true
    let answered = 0
    const writer = (async () => {
      while (going) answered = await redis.incr(tag)
    })()
    await until(() => answered > 10, 'it writes')
    await cluster.failOver(owner)
    const then = answered
    await until(() => answered > then + 10, 'it goes on')
    going = false
    await writer
    expect(Number(await redis.get(tag))).to.be.at.least(answered)
    await cluster.untilWhole()
  })

  it('that are for nodes reach each of them, replicas too', async () => {
    for (const node of cluster.nodes) await node.redis().config('SET', 'notify-keyspace-events', '')
    const flags = () =>
      Promise.all(
        cluster.nodes.map((node) => node.redis().config('GET', 'notify-keyspace-events') as Promise<string[]>),
      )
    // one that was away before is known again when the slots are read
    await until(async () => {
      await applyRedisSettings(redis)
      return (await flags()).every((each) => each[1] === 'xE')
    }, 'they are on everywhere')
    await checkRedis(redis, silentLog)
    const replica = cluster.nodes.at(-1) as OwnMember
    await replica.redis().config('SET', 'maxmemory-policy', 'allkeys-lru')
    const refusal = await checkRedis(redis, silentLog).catch((error: Error) => error.message)
    expect(refusal).to.match(/allkeys-lru.*noeviction/)
    await replica.redis().config('SET', 'maxmemory-policy', 'noeviction')
  })

  it('read the clock of whoever serves the key', async () => {
    const [tag, , owner] = await freshTags()
    const reads = async () =>
      Number(/cmdstat_time:calls=(\d+)/.exec(await owner.redis().info('commandstats'))?.[1] ?? 0)
    const before = await reads()
    expect(await redisNow(redis, tag)).to.be.closeTo(Date.now(), 10_000)
    expect(await reads()).to.equal(before + 1)
  })
})
