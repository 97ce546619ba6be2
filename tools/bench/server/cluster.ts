/** A Redis Cluster of the bench's own, on loopback: each of its nodes says itself what it takes. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connectNode, connectRedis, type Redis, type RedisNode, reachRedis } from '@courier-fleet/store'
import { dataDir } from '../../../scripts/data-dir.mjs'
import { findRedisServer } from '../../../scripts/redis.mjs'
import { startRedisCluster } from '../../../scripts/redis-cluster.mjs'
import { settings } from './server.ts'

export interface Cluster {
  /** for whatever else belongs to this cluster only; gone after it */
  readonly dir: string
  readonly url: string
  readonly redis: Redis
  readonly masters: readonly RedisNode[]
  readonly replicas: readonly RedisNode[]
  stop(): Promise<void>
}

export interface ClusterOptions {
  readonly masters: number
  /** of each of them */
  readonly replicas: number
  readonly say: (text: string) => void
}

export async function startCluster({ masters, replicas, say }: ClusterOptions): Promise<Cluster> {
  const server = findRedisServer({ say, dataDir })
  const dir = mkdtempSync(join(tmpdir(), 'courier-fleet-bench-cluster-'))
  let running: Awaited<ReturnType<typeof startRedisCluster>> | undefined
  const end = () => {
    for (const node of running?.nodes ?? []) node.process.end()
    rmSync(dir, { recursive: true, force: true })
  }
  process.once('exit', end)
  running = await startRedisCluster({ server, dir: join(dir, 'redis'), masters, replicas, settings })
  const { url, stop } = running
  const redis = connectRedis(url, { name: 'bench' })
  await reachRedis({ warn: (_fields: unknown, text?: string) => say(String(text)) }, redis)
  const nodes = running.nodes.map((node) => connectNode(node.url, { name: 'bench' }))
  await Promise.all(nodes.map((node) => node.connect()))

  return {
    dir,
    url,
    redis,
    masters: nodes.slice(0, masters),
    replicas: nodes.slice(masters),
    async stop() {
      for (const connection of [redis, ...nodes]) connection.disconnect()
      await stop()
      process.removeListener('exit', end)
      rmSync(dir, { recursive: true, force: true })
    },
  }
}
