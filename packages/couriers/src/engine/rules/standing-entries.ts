/** Whether what counts for people has reached them: the receipts of the messages that are in the way of another. */
import { type HistoryRef, receiptBytes } from '@courier-fleet/api-types'
import { channelsInBits } from '@courier-fleet/channels'
import { grouped } from '@courier-fleet/process'
import { type DiaryEntry, keys, type Redis, refOfEntry } from '@courier-fleet/store'

/** `stands`: they have it, or may have. `open`: it is on its way. `failed`: they certainly were not sent it. */
export type Standing = 'stands' | 'open' | 'failed'

const openBytes = new Set<number>([receiptBytes.pending, receiptBytes.attempting])
const failedBytes = new Set<number>(
  (['failed', 'cancelled', 'expired', 'suppressed', 'no-contact'] as const).map((state) => receiptBytes[state]),
)
/** Bytes read for one that is wanted, at most: neighbours mostly are wanted together. */
const maxBytesEach = 32

/** Of each entry. One that stands for several messages stands, and so does one of a message that is gone: nobody knows better. */
export async function standingsOf(redis: Redis, entries: Iterable<DiaryEntry>): Promise<Map<DiaryEntry, Standing>> {
  const known = new Map<DiaryEntry, Standing>()
  const reads: Promise<void>[] = []
  for (const [message, own] of grouped(entries, ({ message }) => message)) {
    if (message === '') for (const entry of own) known.set(entry, 'stands')
    else reads.push(readMessage(redis, own, known))
  }
  await Promise.all(reads)
  return known
}

async function readMessage(redis: Redis, entries: readonly DiaryEntry[], known: Map<DiaryEntry, Standing>) {
  const ref = refOfEntry(entries[0] as DiaryEntry)
  const bytes = new Map<DiaryEntry, number[]>(entries.map((entry) => [entry, []]))
  const byChannel = new Map<string, DiaryEntry[]>()
  for (const entry of entries)
    for (const channel of channelsInBits(entry.channels))
      byChannel.set(channel, [...(byChannel.get(channel) ?? []), entry])
  const [exists] = await Promise.all([
    redis.exists(keys.history(ref)),
    ...[...byChannel].map(([channel, own]) => readChannel(redis, ref, channel, own, bytes)),
  ])
  for (const [entry, own] of bytes) known.set(entry, exists === 1 ? standingOf(own) : 'stands')
}

async function readChannel(
  redis: Redis,
  ref: HistoryRef,
  channel: string,
  entries: readonly DiaryEntry[],
  bytes: ReadonlyMap<DiaryEntry, number[]>,
): Promise<void> {
  const sorted = [...entries].sort((a, b) => a.ordinal - b.ordinal)
  const runs: DiaryEntry[][] = []
  for (const entry of sorted) {
    const last = runs.at(-1)?.at(-1)
    if (last && entry.ordinal - last.ordinal <= maxBytesEach) runs.at(-1)?.push(entry)
    else runs.push([entry])
  }
  await Promise.all(
    runs.map(async (run) => {
      const [from, to] = [run[0]?.ordinal ?? 0, run.at(-1)?.ordinal ?? 0]
      const found = await redis.getrangeBuffer(keys.receipts(ref, channel), from, to)
      for (const entry of run) bytes.get(entry)?.push(found[entry.ordinal - from] ?? receiptBytes.pending)
    }),
  )
}

function standingOf(bytes: readonly number[]): Standing {
  if (bytes.length === 0 || bytes.some((byte) => !openBytes.has(byte) && !failedBytes.has(byte))) return 'stands'
  return bytes.some((byte) => openBytes.has(byte)) ? 'open' : 'failed'
}
