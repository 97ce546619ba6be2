import { silentLog } from '@courier-fleet/process'
import { capturedLog, type FreshRedis, freshRedis, ownRedis, until } from '@courier-fleet/testkit'
import { expect } from 'chai'
import type { Redis } from 'ioredis'
import { checkRedis } from '../src/connection/index.ts'
import { applyRedisSettings, expiredChannel, keepRedisSettings } from '../src/redis-settings.ts'

/** A server of another version, as far as checkRedis asks. */
const answering = (info: string) => ({ info: async () => info.replaceAll('\n', '\r\n') }) as unknown as Redis
const refusal = (redis: Redis) =>
  checkRedis(redis, silentLog).then(
    () => '',
    (error: Error) => error.message,
  )

describe('redis: what a fleet needs of it', () => {
  it('refuses a server that would evict messages; warns of one that keeps no append-only file', async () => {
    const server = await ownRedis({ appendonly: false })
    try {
      const redis = server.redis()
      const { log, text } = capturedLog()
      await checkRedis(redis, log)
      expect(text()).to.contain('appendonly yes')
      await redis.config('SET', 'maxmemory-policy', 'allkeys-lru')
      expect(await refusal(redis)).to.match(/allkeys-lru.*noeviction/)
      await redis.config('SET', 'maxmemory-policy', 'noeviction', 'appendonly', 'yes')
      const quiet = capturedLog()
      await checkRedis(redis, quiet.log)
      expect(quiet.text()).to.equal('')
    } finally {
      await server.stop()
    }
  })

  it('refuses versions that are too old, by the name of the server', async () => {
    expect(await refusal(answering('redis_version:6.2.14\n'))).to.match(/^Redis 6.2.14 is too old/)
    expect(await refusal(answering('redis_version:7.2.4\nvalkey_version:7.2.5\n'))).to.match(/^Valkey 7.2.5 is too old/)
    expect(await refusal(answering('redis_version:7.2.4\nvalkey_version:8.0.1\n'))).to.equal('')
    expect(await refusal(answering('redis_version:10.0.0\n'))).to.equal('')
  })

  for (const [before, after] of [
    ['', 'xE'],
    ['Kl', 'lxKE'],
    ['Ex', 'xE'],
    ['KEA', 'AKE'],
    ['Kx', 'xKE'],
  ] as const) {
    it(`turns expiry events on and keeps the flags "${before}"`, async () => {
      const server = await ownRedis({ events: before, appendonly: false })
      try {
        const redis = server.redis()
        const flags = async () => ((await redis.config('GET', 'notify-keyspace-events')) as string[])[1] as string
        await applyRedisSettings(redis)
        expect([...(await flags())].sort()).to.deep.equal([...after].sort())
      } finally {
        await server.stop()
      }
    })
  }

  for (const [before, after] of [
    ['100', '16'],
    ['0', '16'],
    ['8', '8'],
  ] as const) {
    it(`has at most 16 entries in a node of a stream where ${before} may be there`, async () => {
      const server = await ownRedis({ appendonly: false })
      try {
        const redis = server.redis()
        await redis.config('SET', 'stream-node-max-entries', before)
        await applyRedisSettings(redis)
        expect(await redis.config('GET', 'stream-node-max-entries')).to.deep.equal(['stream-node-max-entries', after])
      } finally {
        await server.stop()
      }
    })
  }

  it('has expiry events switched on again, however often they are switched off, and says so', async () => {
    const server = await ownRedis({ appendonly: false })
    const { log, text } = capturedLog()
    const redis = server.redis()
    await redis.ping()
    const settings = await keepRedisSettings(redis, log, 20)
    try {
      expect(text(), 'they were on').to.equal('')
      const flags = async () => ((await redis.config('GET', 'notify-keyspace-events')) as string[])[1]
      for (const lines of [1, 2]) {
        await redis.config('SET', 'notify-keyspace-events', '')
        await until(() => text().split('switched expiry events off').length === lines + 1, 'it was noticed')
        expect(await flags()).to.equal('xE')
      }
      await server.restart()
      await redis.config('SET', 'notify-keyspace-events', 'K')
      await until(async () => [...((await flags()) as string)].sort().join('') === 'EKx', 'on again, what was set kept')
    } finally {
      settings.stop()
      await server.stop()
    }
  })

  it('goes on without expiry events where CONFIG is forbidden, and says so once, until it is allowed', async () => {
    const server = await ownRedis({ appendonly: false, events: '' })
    const { log, text } = capturedLog()
    const admin = server.redis()
    const redis = server.redis()
    await admin.acl('SETUSER', 'bound', 'on', '>secret', '~*', '&*', '+@all', '-config')
    await redis.call('AUTH', 'bound', 'secret')
    const settings = await keepRedisSettings(redis, log, 20)
    try {
      expect(text()).to.contain('up to a second late')
      const asked = async () => /cmdstat_config[^\r]*rejected_calls=(\d+)/.exec(await admin.info('commandstats'))?.[1]
      await until(async () => Number((await asked()) ?? 0) > 3, 'it has looked again')
      expect(text().split('up to a second late')).to.have.length(2)
      await admin.acl('SETUSER', 'bound', '+config')
      await until(() => text().includes('they are on again'), 'it was allowed')
    } finally {
      settings.stop()
      await server.stop()
    }
  })

  describe('in a database of its own', () => {
    let fresh: FreshRedis
    beforeEach(async () => {
      fresh = await freshRedis()
    })
    afterEach(() => fresh.stop())

    it('names the channel on which its own keys expire', async () => {
      const subscriber = fresh.redis.duplicate()
      const heard = new Promise((resolve) => subscriber.on('message', (_channel, key) => resolve(key)))
      await subscriber.subscribe(expiredChannel(fresh.redis))
      await fresh.redis.set('expiring', '', 'PX', 1)
      while ((await fresh.redis.exists('expiring')) === 1);
      expect(await heard).to.equal('expiring')
      subscriber.disconnect()
    })
  })
})
