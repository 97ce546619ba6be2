import { capturedLog, type OwnRedis, ownRedis, until } from '@courier-fleet/testkit'
import { expect } from 'chai'
import type { Redis } from 'ioredis'
import { type Service, startService } from './service.ts'

const message = { to: ['user:anna'], text: 'Hello', at: new Date(Date.now() + 86_400_000).toISOString() }

describe('Redis that answers, and refuses', () => {
  let server: OwnRedis
  let admin: Redis
  let service: Service
  let logged: ReturnType<typeof capturedLog>
  const others: OwnRedis[] = []
  beforeEach(async () => {
    // a folder of this name is there: nothing can be saved under it
    server = await ownRedis({ config: { dbfilename: 'appendonlydir' } })
    admin = server.redis()
    logged = capturedLog()
    service = await startService({ redis: server.redis(), url: server.url }, undefined, logged.log)
  })
  afterEach(async () => {
    await service.stop()
    for (const other of [server, ...others.splice(0)]) await other.stop()
  })

  const put = () => service.call('/v1/messages', { method: 'POST', as: 'trainer', body: message })
  /** Every call says the same, and all of them together one line. */
  async function expectTrouble(code: string, sentence: RegExp, retryAfter: string | undefined) {
    for (const answer of [await put(), await service.call('/readyz'), await put(), await put()]) {
      expect([answer.status, answer.json.code]).to.deep.equal([503, code])
      expect(answer.json.detail).to.match(sentence)
      expect(answer.headers['retry-after']?.toString()).to.equal(retryAfter)
      expect(answer.headers['content-type']).to.contain('application/problem+json')
    }
    const lines = logged.text().split('\n').filter(Boolean)
    const warned = lines.map((line) => JSON.parse(line)).filter(({ level }) => level >= 40)
    expect(warned.map(({ msg }) => msg)).to.have.length(1)
    expect(warned[0].msg).to.match(sentence)
  }
  async function expectWorks() {
    expect((await put()).status).to.equal(201)
    expect((await service.call('/readyz')).status).to.equal(200)
  }

  it('OOM: its memory is full', async () => {
    await admin.config('SET', 'maxmemory', '1mb')
    await expectTrouble('redis-full', /maxmemory.*Nothing new is accepted; what was accepted goes on$/, '60')
    await admin.config('SET', 'maxmemory', '0')
    await expectWorks()
  })

  it('MISCONF: it cannot save', async () => {
    await admin.config('SET', 'save', '3600 1')
    await admin.config('SET', 'stop-writes-on-bgsave-error', 'yes')
    await admin.set('to-be-saved', 1)
    await admin.bgsave()
    await until(
      async () => (await admin.info('persistence')).includes('rdb_last_bgsave_status:err'),
      'it has failed to save',
    )
    await expectTrouble('redis-read-only', /could not save to its disk/, '10')
    await admin.config('SET', 'stop-writes-on-bgsave-error', 'no')
    await expectWorks()
  })

  it('READONLY: it is a replica', async () => {
    // its data would take the place of what is here, the API keys too: so it waits with them
    const primary = await ownRedis({ appendonly: false, config: { 'repl-diskless-sync-delay': '3600' } })
    others.push(primary)
    await admin.replicaof('127.0.0.1', Number(new URL(primary.url).port))
    await expectTrouble('redis-read-only', /REDIS_URL leads to a replica/, '10')
  })

  it('NOREPLICAS: too few replicas are connected', async () => {
    await admin.config('SET', 'min-replicas-to-write', '1')
    await expectTrouble('redis-read-only', /min-replicas-to-write/, '10')
    await admin.config('SET', 'min-replicas-to-write', '0')
    await expectWorks()
  })

  it('NOPERM: its user may not do this, in a command or in a script', async () => {
    await admin.acl('SETUSER', 'default', '-hset')
    const answer = await put()
    expect([answer.status, answer.json.code], answer.text).to.deep.equal([503, 'redis-refuses'])
    await admin.acl('SETUSER', 'default', '+hset', '-set')
    await expectTrouble('redis-refuses', /may not use a command.*Trying again does not help/, undefined)
    await admin.acl('SETUSER', 'default', '+@all')
    await expectWorks()
  })

  it('BUSY: a script keeps it from everything else, until it is killed', async () => {
    await admin.config('SET', 'busy-reply-threshold', '2000')
    const busy = server.redis()
    const looping = busy.eval('while true do end', 0).catch((error: Error) => error.message)
    // before that Redis is silent: the connection is left, and no other can be had
    await until(async () => (await put()).json.code === 'redis-busy', 'it is called by its name')
    const { status, headers, json } = await put()
    expect([status, headers['retry-after']?.toString()]).to.deep.equal([503, '5'])
    expect(json.detail).to.contain('SCRIPT KILL')
    expect((await service.call('/readyz')).json.code).to.equal('redis-busy')
    await admin.script('KILL')
    expect(await looping).to.contain('killed by user')
    await until(async () => (await put()).status === 201, 'it serves again')
  })
})
