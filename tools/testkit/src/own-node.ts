/** A Redis process of a test's own: to be killed, frozen and started again. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Redis } from 'ioredis'
import type { startRedis } from '../../../scripts/redis-process.mjs'

const graceMs = 10_000

/** Written before it is answered, and not held back while a slow disk syncs: the process is killed, not the machine. */
export const writtenAtOnce = { appendfsync: 'no' }

export interface OwnNode {
  readonly url: string
  /** A new connection to just this one, closed when the test is over; connection errors while it is down are expected and not printed. */
  redis(): Redis
  /** Resolves when the process is gone. Default SIGKILL. */
  kill(signal?: NodeJS.Signals): Promise<void>
  /** The server stands still: it accepts what the kernel accepts for it, and answers nothing. */
  freeze(): void
  /** It goes on as if nothing had been. */
  thaw(): void
  /** Same port, same data. Resolves when it has loaded them and answers. */
  restart(): Promise<void>
}

type Server = Awaited<ReturnType<typeof startRedis>>

/** @returns `end` closes the connections and resolves when the process is gone */
export function ownNode(server: Server): { node: OwnNode; end(): Promise<void> } {
  const connections = new Set<Redis>()
  const endAtExit = () => server.process.end()
  process.once('exit', endAtExit)
  const kill = async (signal: NodeJS.Signals = 'SIGKILL') => void (await server.process.stop(graceMs, signal))
  const node = {
    url: server.url,
    redis() {
      const redis = new Redis(server.url, { maxRetriesPerRequest: null, retryStrategy: () => 25 })
      redis.on('error', () => {})
      connections.add(redis)
      return redis
    },
    kill,
    freeze: () => server.process.signal('SIGSTOP'),
    thaw: () => server.process.signal('SIGCONT'),
    async restart() {
      await kill()
      server.process.start()
      await server.ready()
    },
  }
  const end = async () => {
    for (const connection of connections) connection.disconnect()
    connections.clear()
    await kill()
    process.removeListener('exit', endAtExit)
  }
  return { node, end }
}

export interface OwnFolder {
  readonly dir: string
  forget(): Promise<void>
}

export function ownFolder(): OwnFolder {
  const dir = mkdtempSync(join(tmpdir(), 'courier-fleet-redis-'))
  return { dir, forget: () => removeData(dir) }
}

/** A child of a killed server that was rewriting the append-only file may add files for a moment longer: so it is looked again what there is. */
async function removeData(dir: string): Promise<void> {
  for (let left = 200; ; left -= 1) {
    try {
      return rmSync(dir, { recursive: true, force: true })
    } catch (error) {
      if (left === 0 || (error as NodeJS.ErrnoException).code !== 'ENOTEMPTY') throw error
      await sleep(50)
    }
  }
}

export function required(name: 'TEST_REDIS_URL' | 'REDIS_SERVER'): string {
  const value = process.env[name]
  if (!value) throw new Error(`${name} is not set: run the tests through npm test, which starts a Redis for them`)
  return value
}
