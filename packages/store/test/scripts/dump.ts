import type { Redis } from 'ioredis'

/**
 * All keys of the connection's database with type, value and moment of expiry; streams with their groups and what is
 * pending, without idle times. Two dumps are equal when nothing a script may rely on differs.
 */
export async function dump(redis: Redis): Promise<Record<string, unknown>> {
  const names = (await redis.keys('*')).sort()
  const rows = await Promise.all(
    names.map(async (name) => {
      const type = await redis.type(name)
      return [
        name,
        { type, value: await contentOf(redis, type, name), expires: await redis.pexpiretime(name) },
      ] as const
    }),
  )
  return Object.fromEntries(rows.filter(([, { expires }]) => expires !== -2)) // a delivery that has expired meanwhile
}

async function contentOf(redis: Redis, type: string, name: string): Promise<unknown> {
  if (type === 'string') return (await redis.getBuffer(name))?.toString('latin1')
  if (type === 'hash') return sorted(await redis.hgetall(name))
  if (type === 'set') return (await redis.smembers(name)).sort()
  if (type === 'zset') return redis.zrange(name, '0', '-1', 'WITHSCORES')
  if (type === 'none') return undefined
  if (type !== 'stream') throw new Error(`${name} is a ${type}: teach dump() to read it`)
  const groups = (await redis.xinfo('GROUPS', name)) as unknown[][]
  return {
    entries: await redis.xrange(name, '-', '+'),
    groups: await Promise.all(
      groups.map(async (info) => {
        const group = String(info[1])
        const pending = (await redis.xpending(name, group, '-', '+', 1000)) as [string, string, number, number][]
        return { group, pending: pending.map(([id, consumer, _idleMs, deliveries]) => [id, consumer, deliveries]) }
      }),
    ),
  }
}

const sorted = (hash: Record<string, string>) =>
  Object.fromEntries(Object.entries(hash).sort(([a], [b]) => (a < b ? -1 : 1)))
