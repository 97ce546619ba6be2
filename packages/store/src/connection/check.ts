import type { Log } from '@courier-fleet/process'
import { everyNode, isCluster, type Redis } from './client.ts'

/** What INFO says, by name. */
export function parseInfo(text: string): Map<string, string> {
  return new Map(
    text
      .split('\r\n')
      .filter((line) => line.includes(':'))
      .map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1)]),
  )
}

/** Refuses a Redis that would lose messages, and says loudly what is merely unwise, of each node. @throws Error in one line */
export async function checkRedis(redis: Redis, log: Pick<Log, 'warn'>): Promise<void> {
  const nodes = await everyNode(redis, async (node) => {
    const info = await node.info().catch((error: Error) => {
      // one of several that is away now: whoever takes over for it is asked too
      if (error.name === 'ReplyError' || !isCluster(redis)) throw error
    })
    return info === undefined ? [] : [parseInfo(info)]
  })
  for (const info of nodes.flat()) refuseUnfit(info)
  if (nodes.flat().some((info) => info.get('aof_enabled') === '0'))
    log.warn('Redis keeps no append-only file: a crash of Redis may lose accepted messages (set appendonly yes)')
}

function refuseUnfit(info: ReadonlyMap<string, string>): void {
  const valkey = info.get('valkey_version')
  const version = valkey ?? info.get('redis_version') ?? '0'
  const wanted = valkey ? 8 : 7
  if (Number.parseInt(version, 10) < wanted) {
    throw new Error(`${valkey ? 'Valkey' : 'Redis'} ${version} is too old: courier-fleet needs Redis 7 or Valkey 8`)
  }
  const policy = info.get('maxmemory_policy')
  if (policy && policy !== 'noeviction') {
    throw new Error(`Redis would evict messages (maxmemory-policy ${policy}): set it to noeviction`)
  }
}
