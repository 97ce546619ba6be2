/** Looks through the whole of a Redis: every key, of every type, its name and all that is in it, also what is packed. */
import { gunzipSync } from 'node:zlib'
import type { RedisNode } from '@courier-fleet/store'

/** @returns of each place that has one of these in it, which and where, sorted */
export async function findAnywhere(redis: RedisNode, wanted: readonly string[]): Promise<string[]> {
  const found = new Set<string>()
  for (const key of await redis.keys('*')) {
    const parts = [Buffer.from(key), ...(await contentOf(redis, key))]
    for (const bytes of parts.flatMap(alsoUnpacked))
      for (const word of wanted) if (bytes.includes(word)) found.add(`${word} in ${key}`)
  }
  return [...found].sort()
}

async function contentOf(redis: RedisNode, key: string): Promise<Buffer[]> {
  switch (await redis.type(key)) {
    case 'string':
      return [(await redis.getBuffer(key)) ?? Buffer.alloc(0)]
    case 'hash':
      return Object.entries(await redis.hgetallBuffer(key)).flatMap(([field, value]) => [Buffer.from(field), value])
    case 'set':
      return redis.smembersBuffer(key)
    case 'zset':
      return redis.zrangeBuffer(key, '0', '-1')
    case 'list':
      return redis.lrangeBuffer(key, 0, -1)
    case 'stream':
      return (await redis.xrangeBuffer(key, '-', '+')).flatMap(([, fields]) => fields)
    case 'none':
      return []
    default:
      throw new Error(`${key} is of a type that nobody looks into`)
  }
}

const isPacked = (bytes: Buffer) => bytes[0] === 0x1f && bytes[1] === 0x8b
const alsoUnpacked = (bytes: Buffer) => (isPacked(bytes) ? [bytes, gunzipSync(bytes)] : [bytes])
