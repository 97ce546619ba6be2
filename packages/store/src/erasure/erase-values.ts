/** Takes out of a key what tells of somebody: each field, member or entry that does. */
import type { Redis } from '../connection/client.ts'

const pageSize = 500

/** @param tells of the name of a field. @returns whether there was anything */
export async function eraseFields(redis: Redis, key: string, tells: (field: string) => boolean): Promise<boolean> {
  let cursor = '0'
  let found = false
  do {
    const [next, flat] = await redis.hscan(key, cursor, 'COUNT', pageSize)
    const wanted = flat.filter((field, at) => at % 2 === 0 && tells(field))
    if (wanted.length > 0) found = (await redis.hdel(key, ...wanted)) > 0 || found
    cursor = next
  } while (cursor !== '0')
  return found
}

/** Of a zset that is read whole. */
export async function eraseRanked(redis: Redis, key: string, tells: (member: string) => boolean): Promise<boolean> {
  const wanted = (await redis.zrange(key, '0', '-1')).filter(tells)
  return wanted.length > 0 && (await redis.zrem(key, ...wanted)) > 0
}

/** @param tells of the fields and values of one */
export async function eraseEntries(
  redis: Redis,
  key: string,
  tells: (fields: readonly string[]) => boolean,
): Promise<boolean> {
  let from = '-'
  let found = false
  for (;;) {
    const page = await redis.xrange(key, from, '+', 'COUNT', pageSize)
    const wanted = page.filter(([, fields]) => tells(fields)).map(([id]) => id)
    if (wanted.length > 0) found = (await redis.xdel(key, ...wanted)) > 0 || found
    const last = page.at(-1)
    if (!last || page.length < pageSize) return found
    from = `(${last[0]}`
  }
}
