import type { Redis } from 'ioredis'
import { type HistoryRef, historyKeyOf, keys } from '../keys.ts'
import type { HistoryState, HistoryView } from '../schemas.ts'
import { audienceIn, hashOfAudience, readAudience } from './audience.ts'
import { channelsOf, ledgerLine } from './ledger.ts'
import { parseRecord } from './message-record.ts'
import { summarizePeople } from './people-summary.ts'

export const dayMs = 86_400_000

/** When it was accepted, by the entry of its sender's stream. */
export const acceptedMs = (entry: string) => Number.parseInt(entry, 10)

const iso = (ms: string | number) => new Date(Number(ms)).toISOString()

/** Reads a history as the API shows it; `undefined` when there is none. */
export async function readHistory(redis: Redis, ref: HistoryRef): Promise<HistoryView | undefined> {
  const [hash, json] = await Promise.all([redis.hgetall(keys.history(ref)), redis.get(keys.record(ref))])
  if (!hash.state) return undefined
  const key = historyKeyOf(ref)
  const state = hash.state as HistoryState
  if (!json) return { key, state, sender: ref.sender, expected: [], channels: {} }

  const record = parseRecord(json)
  const channels = channelsOf(hash)
  const size = Number(hash.size)
  const { width } = record
  const everyone = async () => audienceIn(json, width) ?? (await readAudience(redis, ref, width, 0, size))
  const sha256 = record.sha256 ?? hashOfAudience(await everyone())
  const people = state === 'settled' ? await summarizePeople(redis, ref, channels, size) : undefined
  return {
    key,
    state,
    sender: ref.sender,
    source: record.source as NonNullable<HistoryView['source']>,
    text: record.text,
    to: [...record.to],
    class: hash.class as NonNullable<HistoryView['class']>,
    audience: { size, sha256 },
    at: iso(hash.due as string),
    expires: iso(hash.expires ?? Number(hash.due) + dayMs),
    acceptedAt: iso(acceptedMs(hash.accepted as string)),
    ...(hash.started ? { startedAt: iso(hash.started) } : {}),
    ...(hash.settled ? { settledAt: iso(hash.settled) } : {}),
    ...(hash.cancelled ? { cancelledAt: iso(hash.cancelled) } : {}),
    expected: (hash.expected ?? '').split(',').filter(Boolean),
    channels: Object.fromEntries(channels.map((channel) => [channel, ledgerLine(hash, channel)])),
    ...(people ? { people } : {}),
  }
}
