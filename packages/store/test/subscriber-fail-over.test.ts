/** What is told on a cluster of three masters and three replicas, or by the master of Sentinels, is heard, whoever serves it, and after they have changed. */
import { shardNames } from '@courier-fleet/api-types'
import { type OwnMember, ownCluster, ownSentinel, until } from '@courier-fleet/testkit'
import { expect } from 'chai'
import { connectRedis, type Redis } from '../src/connection/index.ts'
import { tagOf } from '../src/hash-tags.ts'
import { hints } from '../src/keys.ts'
import { connectSubscriber } from '../src/subscriber/connect-subscriber.ts'
import type { Subscriber } from '../src/subscriber/subscriber.ts'

const expired = '__keyevent@0__:expired'
const shards = shardNames(16)
/** a fail-over takes the time after which a node counts as down, and a vote */
const takenOverMs = 60_000

interface Servers {
  readonly url: string
  /** of the first shard */
  master(): Promise<OwnMember>
  failOver(): Promise<unknown>
  untilWhole(): Promise<void>
  stop(): Promise<void>
}

const starters: Readonly<Record<string, () => Promise<Servers>>> = {
  async 'on a cluster'() {
    const cluster = await ownCluster()
    const master = () => cluster.masterOf(hints.dueHead('00'))
    return { ...cluster, master, failOver: async () => cluster.failOver(await master()) }
  },
  'with Sentinels': ownSentinel,
}

for (const [where, start] of Object.entries(starters))
  describe(`a subscriber ${where}`, () => {
    let servers: Servers
    let redis: Redis
    let subscriber: Subscriber
    let heard: Set<string>
    let returns: number
    let told = 0

    before(async () => {
      servers = await start()
    })
    after(() => servers?.stop())
    beforeEach(async () => {
      redis = connectRedis(servers.url, { name: 'telling' })
      subscriber = connectSubscriber(servers.url, { name: 'listening', askEveryMs: 500 })
      heard = new Set()
      returns = 0
      subscriber.on('message', (channel, payload) => heard.add(`${channel} ${payload}`))
      subscriber.on('ready', () => {
        returns += 1
      })
      await subscriber.subscribe(expired, ...shards.map(hints.dueHead))
    })
    afterEach(() => {
      subscriber.disconnect()
      redis.disconnect()
    })

    /** By script, as the fleet does. @returns what is heard of it */
    async function announce(shard: string): Promise<string> {
      told += 1
      const word = String(told)
      const channel = hints.dueHead(shard)
      await redis.eval("return redis.call('SPUBLISH', ARGV[1], ARGV[2])", 1, channel, channel, word)
      return `${channel} ${word}`
    }

    /** @returns what is heard of it */
    async function expire(shard: string): Promise<string> {
      told += 1
      const key = `delivery:{${tagOf(shard)}}:${told}`
      await redis.set(key, '0', 'PX', 1)
      await until(async () => (await redis.exists(key)) === 0, 'it has expired')
      return `${expired} ${key}`
    }

    /** Of every shard; what nobody heard, everyone was told to look for. */
    async function isAllHeard(): Promise<void> {
      for (const tell of [announce, expire])
        for (let waiting: readonly string[] = shards; waiting.length > 0; ) {
          const before = returns
          const words = await Promise.all(waiting.map(tell))
          const missing = () => words.filter((word) => !heard.has(word))
          await until(() => missing().length === 0 || returns > before, `they are heard, or looked for: ${words}`)
          waiting = waiting.filter((_shard, index) => !heard.has(words[index] as string))
        }
    }

    it('hears every shard from the start, and nothing of what it has unsubscribed from', async () => {
      for (const tell of [announce, expire]) {
        const words = await Promise.all(shards.map(tell))
        await until(() => words.every((word) => heard.has(word)), `they are heard: ${words}`)
      }
      subscriber.unsubscribe(expired, hints.dueHead('00'))
      await until(async () => (await redis.spublish(hints.dueHead('00'), 'x')) === 0, 'nobody listens')
      const silent = [await announce('00'), await expire('00')]
      const last = await announce('01')
      await until(() => heard.has(last), 'the others are heard')
      expect(silent.filter((each) => heard.has(each))).to.deep.equal([])
    })

    // before the other: on a cluster, a replica that was elected a moment ago must not lose its next master (docs/cluster.md)
    it('hears the others while a master stands still, and its successor; it is no obstacle when it goes on', async () => {
      const frozen = await servers.master()
      frozen.freeze()
      try {
        await until(async () => (await servers.master()) !== frozen, 'another has taken over', takenOverMs)
        await isAllHeard()
      } finally {
        frozen.thaw()
      }
      await servers.untilWhole()
      await isAllHeard()
    })

    it('hears them after a master was killed, after it is back, and when it is master again by agreement', async () => {
      const former = await servers.master()
      await former.kill()
      await until(async () => (await servers.master()) !== former, 'another has taken over', takenOverMs)
      await isAllHeard()
      await until(() => returns > 0, 'it is said that something may have been missed')
      await former.restart()
      await servers.untilWhole()
      await servers.failOver()
      await isAllHeard()
    })
  })
