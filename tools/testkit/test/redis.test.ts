import { freshRedis, ownRedis } from '@courier-fleet/testkit'
import { expect } from 'chai'

describe('freshRedis', () => {
  it('gives every caller an empty database of its own', async () => {
    const one = await freshRedis()
    const two = await freshRedis()
    try {
      await one.redis.set('here', '1')
      expect(one.db).to.not.equal(two.db)
      expect(await one.redis.dbsize()).to.equal(1)
      expect(await two.redis.dbsize()).to.equal(0)
    } finally {
      await Promise.all([one.stop(), two.stop()])
    }
  })

  it('leaves nothing behind and may be stopped twice', async () => {
    const one = await freshRedis()
    const two = await freshRedis()
    await one.redis.set('here', '1')
    await Promise.all([one.stop(), one.stop()])
    await two.redis.select(one.db)
    expect(await two.redis.dbsize()).to.equal(0)
    await two.redis.select(two.db)
    await two.stop()
    expect(one.redis.status).to.equal('end')
  })

  it('says what to do when it is not run by npm test', async () => {
    const url = process.env.TEST_REDIS_URL
    delete process.env.TEST_REDIS_URL
    try {
      await freshRedis()
      expect.fail('no error')
    } catch (error) {
      expect(String(error)).to.contain('npm test')
    } finally {
      process.env.TEST_REDIS_URL = url
    }
  })
})

describe('ownRedis', () => {
  it('keeps what it acknowledged through kill -9 and a restart on the same port', async () => {
    const server = await ownRedis()
    try {
      const redis = server.redis()
      await redis.set('kept', 'yes')
      const pid = /process_id:(\d+)/.exec(await redis.info('server'))?.[1]
      await server.kill()
      await server.restart()
      expect(await redis.get('kept')).to.equal('yes')
      expect(/process_id:(\d+)/.exec(await redis.info('server'))?.[1]).to.not.equal(pid)
    } finally {
      await server.stop()
    }
  })

  it('announces expired keys unless told otherwise', async () => {
    const loud = await ownRedis()
    const quiet = await ownRedis({ events: '' })
    try {
      expect((await loud.redis().config('GET', 'notify-keyspace-events')) as string[]).to.include('xE')
      expect((await quiet.redis().config('GET', 'notify-keyspace-events')) as string[]).to.include('')
    } finally {
      await Promise.all([loud.stop(), quiet.stop()])
    }
  })

  it('reports the server’s own words when it cannot start', async () => {
    try {
      await (await ownRedis({ config: { port: 'none' } })).stop()
      expect.fail('no error')
    } catch (error) {
      expect(String(error)).to.match(/Redis ended with code 1/)
    }
  })
})
