import { createAudienceBuilder, type PackedAudience, type Redis } from '@courier-fleet/store'

/** Redis does nothing else meanwhile: some 0.7 ms. Five times as many take five times as long, and cost the same in the end. */
const perRoundTrip = 1000
/** of one of many sets that are read side by side */
const leastPerStep = 100

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

/** Whole sets of people, as one and sorted: as readSet(), but never as a million strings. The next step is asked for while one is put down. */
export async function readPeople(redis: Redis, ...names: readonly string[]): Promise<PackedAudience> {
  const count = Math.max(leastPerStep, Math.ceil(perRoundTrip / names.length))
  const step = (name: string, cursor: string) => redis.sscan(name, cursor, 'COUNT', count)
  // both at once: on a cluster one may fail while the other is still asked for, and somebody must hear of each
  const [firsts, sizes] = await Promise.all([
    Promise.all(names.map((name) => step(name, '0'))),
    Promise.all(names.map((name) => redis.scard(name))),
  ])
  const builder = createAudienceBuilder(sizes.reduce((sum, size) => sum + size, 0))
  const putDown = (people: string[]) => {
    builder.add(people)
    // one reply of many keeps the next alive, until all of them are in the old generation: 25 MB of a million people
    people.length = 0
  }
  await Promise.all(
    names.map(async (name, index) => {
      let [cursor, people] = firsts[index] as (typeof firsts)[number]
      while (cursor !== '0') {
        const next = step(name, cursor)
        putDown(people)
        ;[cursor, people] = await next
      }
      putDown(people)
    }),
  )
  return builder.finish()
}

/** Pieces of a long list, each short enough for one command. */
export function* piecesOf<T>(list: readonly T[]): Generator<T[]> {
  for (let from = 0; from < list.length; from += perRoundTrip) yield list.slice(from, from + perRoundTrip)
}
