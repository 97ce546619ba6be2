/**
 * The one Redis of a bench, on a free port, with an append-only file flushed each second for whoever uses it. Ours lives in
 * database 0 and BullMQ in database 1.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { connectNode } from '@courier-fleet/store'
import { dataDir } from '../../../scripts/data-dir.mjs'
import { findRedisServer } from '../../../scripts/redis.mjs'
import { startRedis } from '../../../scripts/redis-process.mjs'
import { parseInfo, readFigures, type ServerFigures } from './info.ts'

export type Redis = ReturnType<typeof connectNode>

export interface Slow {
  readonly ms: number
  readonly command: readonly string[]
}

export interface Server {
  /** for whatever else belongs to this bench only; gone after it */
  readonly dir: string
  readonly url: string
  readonly port: number
  /** on database 0 */
  readonly redis: Redis
  /** name and version */
  readonly version: string
  /** Empties every database, and waits until nothing is being written behind it. */
  clear(): Promise<void>
  figures(): Promise<ServerFigures>
  /** After what was freed has been given back. */
  usedMemory(): Promise<number>
  /** Forgets the slow commands so far, and notes those above `ms` from now on. */
  watchSlow(ms: number): Promise<void>
  slow(): Promise<Slow[]>
  stop(): Promise<void>
}

/** so many slow commands are kept */
const slowLogLength = 10_000
/** the file is rewritten between cases, so that no rewrite falls into the time of one side only */
export const settings = {
  appendonly: 'yes',
  appendfsync: 'everysec',
  'auto-aof-rewrite-percentage': 0,
  'slowlog-max-len': slowLogLength,
}
export const aofSetting = 'appendonly yes, appendfsync everysec, rewritten between cases'

export async function startServer(say: (text: string) => void): Promise<Server> {
  const server = findRedisServer({ say, dataDir })
  const dir = mkdtempSync(join(tmpdir(), 'courier-fleet-bench-'))
  let running: Awaited<ReturnType<typeof startRedis>> | undefined
  const end = () => {
    running?.process.end()
    rmSync(dir, { recursive: true, force: true })
  }
  process.once('exit', end)
  running = await startRedis({ server, dir: join(dir, 'redis'), settings })
  const { url, stop } = running
  const redis = connectNode(url, { name: 'bench' })
  await redis.connect()
  const info = parseInfo(await redis.info('server'))
  const valkey = info.get('valkey_version')

  async function untilRewritten(): Promise<void> {
    for (;;) {
      const state = parseInfo(await redis.info('persistence'))
      if (state.get('aof_rewrite_in_progress') === '0' && state.get('aof_rewrite_scheduled') === '0') return
      await sleep(50)
    }
  }

  return {
    dir,
    url,
    port: Number(new URL(url).port),
    redis,
    version: valkey ? `Valkey ${valkey}` : `Redis ${info.get('redis_version')}`,
    async clear() {
      await untilRewritten()
      await redis.flushall('SYNC')
      await redis.bgrewriteaof()
      await untilRewritten()
      await redis.call('MEMORY', 'PURGE')
    },
    figures: async () => readFigures(await redis.info('everything')),
    async usedMemory() {
      await redis.call('MEMORY', 'PURGE')
      return readFigures(await redis.info('everything')).usedMemory
    },
    async watchSlow(ms) {
      await redis.config('SET', 'slowlog-log-slower-than', ms * 1000)
      await redis.slowlog('RESET')
    },
    async slow() {
      const entries = (await redis.slowlog('GET', slowLogLength)) as [number, number, number, string[]][]
      return entries.map(([, , usec, command]) => ({ ms: usec / 1000, command: command.slice(0, 8) }))
    },
    async stop() {
      redis.disconnect()
      await stop()
      process.removeListener('exit', end)
      rmSync(dir, { recursive: true, force: true })
    },
  }
}
