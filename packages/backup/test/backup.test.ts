/** A backup of a real Redis while it is written to, and what an empty one has of it afterwards. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { joinFleet } from '@courier-fleet/store'
import {
  createCertificate,
  type OwnMember,
  type OwnRedis,
  type OwnSentinel,
  openTlsDoor,
  ownCluster,
  ownRedis,
  ownSentinel,
  until,
} from '@courier-fleet/testkit'
import { expect } from 'chai'
import type { Redis } from 'ioredis'
import { restoreBackup, takeBackup } from '../src/index.ts'

describe('a backup', () => {
  let dir: string
  let source: OwnRedis
  let target: OwnRedis
  let from: Redis
  let to: Redis
  const fileOf = (name: string) => join(dir, name)

  before(async () => {
    dir = mkdtempSync(join(tmpdir(), 'courier-fleet-backup-'))
    source = await ownRedis({ config: { 'repl-diskless-sync-delay': '0' } })
    target = await ownRedis()
    from = source.redis()
    to = target.redis()
    await joinFleet(from)
    await from.mset(
      Object.fromEntries(Array.from({ length: 5_000 }, (_unused, index) => [`text:${index}`, 'ё'.repeat(index % 200)])),
    )
    await from.xgroup('CREATE', 'stream', 'group', '0', 'MKSTREAM')
    await from.xadd('stream', '*', 'field', 'value')
    await from.xreadgroup('GROUP', 'group', 'somebody', 'STREAMS', 'stream', '>')
    await from.set('lapses', '1', 'PXAT', Date.now() + 3_600_000)
  })
  beforeEach(() => to.flushall())
  after(async () => {
    await source.stop()
    await target.stop()
    rmSync(dir, { recursive: true })
  })

  const messageOf = (call: Promise<unknown>) =>
    call.then(
      () => 'nothing was wrong',
      (error: Error) => error.message,
    )

  /** All but what is written while a backup is taken. */
  async function contentOf(redis: Redis): Promise<Map<string, readonly [Buffer | null, number]>> {
    const names = (await redis.keys('*')).filter((name) => !name.startsWith('later:')).sort()
    return new Map(
      await Promise.all(
        names.map(async (name) => [name, [await redis.dumpBuffer(name), await redis.pexpiretime(name)]] as const),
      ),
    )
  }

  for (const [how, diskless] of [
    ['through a file of its own', 'no'],
    ['straight from memory', 'yes'],
  ] as const)
    it(`is all of one moment, sent by Redis ${how}, and is all there afterwards`, async () => {
      await from.config('SET', 'repl-diskless-sync', diskless)
      const file = fileOf(`whole-${diskless}.rdb`)
      let isOver = false
      const writing = (async () => {
        // by one command: a backup that has one and not the other is of no moment
        for (let index = 0; !isOver; index += 1) await from.mset('later:a', index, 'later:b', index)
      })()
      const before = Date.now()
      const { bytes, takenMs } = await takeBackup(source.url, file)
      isOver = true
      await writing
      expect(bytes).to.equal(statSync(file).size)
      expect(statSync(file).mode & 0o777, 'nobody else reads it').to.equal(0o600)
      expect(takenMs).to.be.within(before - 2_000, Date.now())
      expect(readdirSync(dir)).to.not.include(`whole-${diskless}.rdb.part`)

      const auth = await to.config('GET', 'masterauth')
      expect(await restoreBackup(target.url, file, { sendAgain: false })).to.deep.equal({
        takenMs,
        unknown: { mail: 0, push: 0, sms: 0 },
      })
      const content = await contentOf(to)
      expect(content).to.deep.equal(await contentOf(from))
      expect(content.size).to.be.above(5_000)
      expect(await to.get('later:a')).to.equal(await to.get('later:b'))
      expect(await to.info('replication')).to.contain('role:master')
      expect(await to.config('GET', 'masterauth')).to.deep.equal(auth)
      await target.restart()
      expect(await contentOf(to), 'it is in the append-only file, too').to.deep.equal(content)
    })

  it('is taken and restored by users with passwords', async () => {
    await from.call('ACL', 'SETUSER', 'backup', 'on', '>taken', '+ping', '+replconf', '+sync')
    await to.call('ACL', 'SETUSER', 'restore', 'on', '>given', '~*', '&*', '+@all')
    const file = fileOf('users.rdb')
    await takeBackup(source.url.replace('//', '//backup:taken@'), file)
    await restoreBackup(target.url.replace('//', '//restore:given@'), file, { sendAgain: true })
    expect(await to.get('text:3')).to.equal('ёёё')
    const refused = await messageOf(takeBackup(source.url.replace('//', '//backup:false@'), fileOf('refused.rdb')))
    expect(refused).to.match(/^Redis refuses AUTH: WRONGPASS/)
    expect(refused).to.not.contain('false@')
  })

  it('is taken and restored by TLS, where its certificate is trusted', async () => {
    const certificate = createCertificate()
    const authority = fileOf('authority.pem')
    writeFileSync(authority, certificate.cert)
    const doors = await Promise.all(
      [source, target].map(({ url }) => openTlsDoor(Number(new URL(url).port), certificate)),
    )
    try {
      const [there, here] = doors.map(({ port }) => `rediss://127.0.0.1:${port}`) as [string, string]
      const refused = await messageOf(takeBackup(there, fileOf('untrusted.rdb')))
      expect(refused).to.match(/^Redis cannot be asked: self-signed certificate/)
      const child = join(import.meta.dirname, 'backup-child.ts')
      const running = spawn(
        process.execPath,
        ['--import', 'tsx', '--conditions', 'source', child, there, here, fileOf('tls.rdb')],
        { env: { ...process.env, NODE_EXTRA_CA_CERTS: authority }, stdio: ['ignore', 'ignore', 'pipe'] },
      )
      let said = ''
      running.stderr.on('data', (chunk: Buffer) => {
        said += chunk.toString()
      })
      const [code] = (await once(running, 'close')) as [number]
      expect([code, said]).to.deep.equal([0, ''])
      expect(await to.get('text:3')).to.equal('ёёё')
    } finally {
      await Promise.all(doors.map((door) => door.close()))
    }
  })

  it('is never written over a file, and leaves nothing where it could not be taken', async () => {
    const file = fileOf('there.rdb')
    writeFileSync(file, 'mine')
    expect(await messageOf(takeBackup(source.url, file))).to.equal(`${file} is there already: name another file`)
    expect(readFileSync(file, 'utf8')).to.equal('mine')
    const before = readdirSync(dir)
    const nowhere = await messageOf(takeBackup('redis://127.0.0.1:1', fileOf('nowhere.rdb')))
    expect(nowhere).to.match(/^Redis cannot be asked: .*ECONNREFUSED/)
    const cluster = await messageOf(takeBackup('redis+cluster://127.0.0.1:1', fileOf('cluster.rdb')))
    expect(cluster).to.match(/^a backup is of one moment of one Redis, and a cluster is several: copy the append-only/)
    expect(await messageOf(takeBackup('127.0.0.1', fileOf('no-url.rdb')))).to.match(/^Redis is named by a URL such as/)
    expect(await messageOf(takeBackup(source.url, fileOf('no-such-folder/x.rdb')))).to.match(/^ENOENT/)
    expect(readdirSync(dir)).to.deep.equal(before)
  })

  it('leaves nothing of what broke off', async () => {
    const half = createServer((socket) => {
      socket.on('error', () => {})
      socket.on('data', (chunk) => {
        if (chunk.includes('SYNC')) socket.end('\n\n$100\r\nREDIS0010')
        else socket.write('+OK\r\n')
      })
    })
    await new Promise<void>((resolve) => half.listen(0, '127.0.0.1', resolve))
    const { port } = half.address() as AddressInfo
    const before = readdirSync(dir)
    const message = await messageOf(takeBackup(`redis://127.0.0.1:${port}`, fileOf('half.rdb')))
    half.close()
    expect(message).to.equal('Redis has ended the connection; its log says why')
    expect(readdirSync(dir)).to.deep.equal(before)
  })

  it('is restored into an empty Redis and no other, and only where it is whole', async () => {
    const file = fileOf('good.rdb')
    await takeBackup(source.url, file)
    const restored = (path: string) => messageOf(restoreBackup(target.url, path, { sendAgain: false }))

    await to.set('mine', '1')
    expect(await restored(file)).to.equal('that Redis holds data already: stop the fleet, and name an empty one')
    expect(await to.keys('*')).to.deep.equal(['mine'])
    await to.flushall()
    await takeBackup(target.url, fileOf('nothing.rdb'))
    const nothing = readFileSync(fileOf('nothing.rdb'))

    const short = fileOf('short.rdb')
    writeFileSync(short, readFileSync(file))
    truncateSync(short, statSync(file).size - 20)
    expect(await restored(short)).to.equal(`${short} is not whole: take it again`)
    for (let size = 0; size < nothing.length; size += 1) {
      const start = nothing.subarray(0, size)
      writeFileSync(short, start)
      const isTold = /^[A-Z]+\d/.test(start.toString('latin1'))
      const what = isTold ? 'is not whole: take it again' : 'is no backup: it holds no data of Redis (RDB)'
      expect(await restored(short), `${size} of ${nothing.length} bytes`).to.equal(`${short} ${what}`)
    }
    const other = fileOf('other.txt')
    writeFileSync(other, 'REDIS, a book of 400 pages'.repeat(10))
    expect(await restored(other)).to.equal(`${other} is no backup: it holds no data of Redis (RDB)`)
    expect(await restored(fileOf('missing.rdb'))).to.match(/^ENOENT/)
    expect(await to.dbsize()).to.equal(0)
  })

  it('is restored where it is of a fleet of this layout, and no other', async () => {
    const restored = async (file: string) => {
      await takeBackup(source.url, file)
      return messageOf(restoreBackup(target.url, file, { sendAgain: false }))
    }
    const layout = await from.hget('fleet', 'layout')
    await from.hset('fleet', 'layout', '3')
    const former = await restored(fileOf('former.rdb'))
    await from.hset('fleet', 'layout', String(layout))
    expect(former).to.match(/^Redis holds data of layout 3, and this version of courier-fleet needs layout/)
    await to.flushall()
    await from.rename('fleet', 'no-fleet')
    const foreign = await restored(fileOf('foreign.rdb'))
    await from.rename('no-fleet', 'fleet')
    expect(foreign).to.equal(`${fileOf('foreign.rdb')} is a backup, but of no fleet`)
  })

  it('of a fleet whose shards have grown, or grow, has by how many messages are laid', async () => {
    const before = await from.hgetall('fleet')
    for (const since of [{}, { since: '1700000000000' }]) {
      const grown = { ...before, layout: '6', shards: '64', former: '16', ...since }
      await from.hset('fleet', grown)
      const file = fileOf(`grown-${Object.keys(since).length}.rdb`)
      await takeBackup(source.url, file)
      await restoreBackup(target.url, file, { sendAgain: false })
      expect(await to.hgetall('fleet')).to.deep.equal(grown)
      await to.flushall()
    }
    await from.hdel('fleet', 'former', 'since')
    await from.hset('fleet', before)
  })

  it('is not given to a replica', async () => {
    const file = fileOf('for-replica.rdb')
    await takeBackup(source.url, file)
    await to.replicaof('127.0.0.1', 1)
    const message = await messageOf(restoreBackup(target.url, file, { sendAgain: false }))
    await to.replicaof('NO', 'ONE')
    expect(message).to.equal('that Redis is a replica: name its master')
  })
})

describe('a backup of a Redis with Sentinels', () => {
  let dir: string
  let server: OwnSentinel
  const fileOf = (name: string) => join(dir, name)

  before(async () => {
    dir = mkdtempSync(join(tmpdir(), 'courier-fleet-backup-'))
    server = await ownSentinel({ replicas: 1 })
  })
  after(async () => {
    await server.stop()
    rmSync(dir, { recursive: true })
  })

  const messageOf = (call: Promise<unknown>) =>
    call.then(
      () => 'nothing was wrong',
      (error: Error) => error.message,
    )

  it('is no replica to a Sentinel that looks while it is being taken', async () => {
    const redis = (await server.master()).redis()
    await redis.set('text', 'ё')
    // µs for each key: Redis prepares the data for ten minutes, unless everything is removed meanwhile
    await redis.config('SET', 'rdb-key-save-delay', '600000000')
    const backup = messageOf(takeBackup(server.url, fileOf('looked-at.rdb')))
    await until(async () => /state=wait_bgsave/.test(await redis.info('replication')), 'it is asked for')
    const askedMs = Date.now()
    const known = await Promise.all(server.sentinels.map((sentinel) => replicasKnown(sentinel.redis(), askedMs)))
    await redis.config('SET', 'rdb-key-save-delay', '0')
    await redis.flushall()
    expect(await backup).to.equal('Redis has ended the connection; its log says why')
    expect(known).to.deep.equal(server.sentinels.map(() => '1'))
  })

  /** @returns how many replicas a Sentinel knows once it has looked again */
  async function replicasKnown(sentinel: Redis, sinceMs: number) {
    const asked = async () => {
      const list = (await sentinel.call('SENTINEL', 'MASTER', 'fleet')) as string[]
      return (name: string) => list[list.indexOf(name) + 1]
    }
    await until(async () => Date.now() - Number((await asked())('info-refresh')) > sinceMs, 'the Sentinel has looked')
    return (await asked())('num-slaves')
  }

  it('is taken of whoever is master, and given to a master whose Sentinels do not watch it meanwhile', async () => {
    const master = await server.failOver()
    // until then the former one calls itself master, too
    await server.untilWhole()
    const redis = master.redis()
    await joinFleet(redis)
    await redis.set('text', 'ё')
    const [first, ...others] = server.sentinels
    await first?.kill()
    const file = fileOf('master.rdb')
    // who of the others has heard nothing of the fail-over yet names a Redis that is none
    await until(() => takeBackup(server.url, file).catch(() => undefined), 'it is taken')

    await redis.flushall()
    expect(await messageOf(restoreBackup(server.url, file, { sendAgain: false }))).to.equal(
      'Sentinels would take the Redis for a replica while it is being given the data: stop them, and name their master itself (redis://…)',
    )
    for (const each of others) await each.kill()
    expect(await messageOf(takeBackup(server.url, fileOf('nobody.rdb')))).to.match(
      /^no master is found by the Sentinels.*127\.0\.0\.1:\d+: Redis cannot be asked: .*ECONNREFUSED/,
    )
    await restoreBackup(master.url, file, { sendAgain: false })
    for (const each of server.sentinels) await each.restart()
    await server.untilWhole()
    for (const node of server.nodes) expect(await node.redis().get('text'), 'its replica has it, too').to.equal('ё')
    expect(await server.master()).to.equal(master)
  })

  it('is of a master that it is said to be', async () => {
    const other = server.url.replace(/[^/]*$/, 'other')
    expect(await messageOf(takeBackup(other, fileOf('other.rdb')))).to.match(
      /^no master is found by the Sentinels.*127\.0\.0\.1:\d+: it knows no master "other"/,
    )
  })
})

describe('a backup of a cluster', () => {
  it('is none of one of its nodes', async () => {
    const dir = mkdtempSync(join(tmpdir(), 'courier-fleet-backup-'))
    const cluster = await ownCluster({ masters: 1, replicas: 0 })
    const [node] = cluster.nodes
    const url = (node as OwnMember).url
    const refused = await takeBackup(url, join(dir, 'node.rdb')).catch((error: Error) => error.message)
    await cluster.stop()
    expect(refused).to.contain(`${url.slice('redis://'.length)} is a node of a cluster: a backup is of one moment`)
    expect(readdirSync(dir)).to.deep.equal([])
    rmSync(dir, { recursive: true })
  })
})
