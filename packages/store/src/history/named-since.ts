/** Which of some people any message names that was accepted since: one that is for them, or of theirs. The fleet's own messages aside. */
import type { HistoryRef } from '@courier-fleet/api-types'
import type { Redis } from '../connection/client.ts'
import { readAudience } from './audience.ts'
import { listNewest } from './list-newest.ts'
import { parseRecord } from './message-record.ts'
import { readSnapshot } from './snapshot.ts'

/** more are not looked at: then a message may name any of them */
const maxMessages = 20_000
/** of each stream of messages */
const readAtOnce = 50
const rowsAtOnce = 20_000

interface NamedDeps {
  readonly redis: Redis
  readonly shards: number
}

/** @param sinceMs Unix ms, inclusive */
export async function namedSince(deps: NamedDeps, people: readonly string[], sinceMs: number): Promise<Set<string>> {
  const named = new Set<string>()
  const asked = new Set(people)
  if (asked.size === 0) return named
  let lookedAt = 0
  let before: number | undefined = Number.MAX_SAFE_INTEGER
  while (before !== undefined && before > sinceMs) {
    const { found, next }: Awaited<ReturnType<typeof listNewest>> = await listNewest(
      deps,
      undefined,
      before,
      readAtOnce,
    )
    const refs = found.filter(({ at }) => at >= sinceMs).map(({ ref }) => ref)
    lookedAt += refs.length
    if (lookedAt > maxMessages) return asked
    for (const { sender } of refs) if (asked.has(sender)) named.add(sender)
    await Promise.all(refs.map((ref) => addNamed(deps.redis, ref, asked, named)))
    before = next
  }
  return named
}

async function addNamed(redis: Redis, ref: HistoryRef, asked: ReadonlySet<string>, named: Set<string>): Promise<void> {
  const snapshot = await readSnapshot(redis, ref)
  if (snapshot?.record === undefined) return
  const { width } = parseRecord(snapshot.record)
  const size = Number(snapshot.hash.size ?? 0)
  for (let from = 0; from < size; from += rowsAtOnce)
    for (const id of await readAudience(redis, ref, width, from, Math.min(size, from + rowsAtOnce)))
      if (asked.has(id)) named.add(id)
}
