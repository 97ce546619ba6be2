import type { Redis } from 'ioredis'

const perRoundTrip = 5000

/** A whole set, read in steps, so that a group of 100 000 does not hold up everyone else on the server for its sake. */
export async function readSet(redis: Redis, key: string): Promise<Set<string>> {
  const members = new Set<string>()
  let cursor = '0'
  do {
    const [next, some] = await redis.sscan(key, cursor, 'COUNT', perRoundTrip)
    for (const member of some) members.add(member)
    cursor = next
  } while (cursor !== '0')
  return members
}

/** Pieces of a long list, each short enough for one command. */
export function* piecesOf<T>(list: readonly T[]): Generator<T[]> {
  for (let from = 0; from < list.length; from += perRoundTrip) yield list.slice(from, from + perRoundTrip)
}
