import type { Redis } from 'ioredis'
import { type HistoryRef, keys } from '../keys.ts'
import { receiptBytes, receiptStateOf } from '../receipt-state.ts'
import type { ReceiptView } from '../schemas.ts'
import { readAudience } from './audience.ts'
import { parseEvidence } from './evidence.ts'
import type { ReceiptPage } from './histories.ts'
import { channelsOf } from './ledger.ts'
import { parseRecord } from './message-record.ts'

/** Ordinals looked through in one step while a filter finds little. */
const window = 5000

export async function readReceipts(
  redis: Redis,
  ref: HistoryRef,
  page: ReceiptPage,
): Promise<{ rows: ReceiptView[]; next?: number }> {
  const [hash, json] = await Promise.all([redis.hgetall(keys.history(ref)), redis.get(keys.record(ref))])
  if (!json) return { rows: [] }
  const size = Number(hash.size)
  const { width } = parseRecord(json)
  const channels = channelsOf(hash).filter((channel) => !page.channel || channel === page.channel)
  const rows: ReceiptView[] = []

  let from = page.from
  while (from < size && rows.length < page.limit) {
    const to = Math.min(size, from + (page.state ? window : page.limit - rows.length))
    const bytes = await Promise.all(
      channels.map((channel) => redis.getrangeBuffer(keys.receipts(ref, channel), from, to - 1)),
    )
    const stateAt = (index: number, ordinal: number) =>
      receiptStateOf(bytes[index]?.[ordinal - from] ?? receiptBytes.pending)
    const ordinals: number[] = []
    let ordinal = from
    for (; ordinal < to && rows.length + ordinals.length < page.limit; ordinal += 1) {
      if (!page.state || channels.some((_name, index) => stateAt(index, ordinal) === page.state)) ordinals.push(ordinal)
    }
    rows.push(...(await rowsOf(redis, ref, width, ordinals, channels, stateAt)))
    from = ordinal
  }
  return from < size ? { rows, next: from } : { rows }
}

async function rowsOf(
  redis: Redis,
  ref: HistoryRef,
  width: number,
  ordinals: readonly number[],
  channels: readonly string[],
  stateAt: (channel: number, ordinal: number) => ReceiptView['channels'][string]['state'],
): Promise<ReceiptView[]> {
  const first = ordinals[0]
  const last = ordinals.at(-1)
  if (first === undefined || last === undefined) return []
  const [people, ...evidence] = await Promise.all([
    readAudience(redis, ref, width, first, last + 1),
    ...channels.map((channel) => redis.hmget(keys.evidence(ref, channel), ...ordinals.map(String))),
  ])
  return ordinals.map((ordinal, row) => ({
    ordinal,
    person: people[ordinal - first] as string,
    channels: Object.fromEntries(
      channels.map((channel, index) => [
        channel,
        { state: stateAt(index, ordinal), ...parseEvidence(evidence[index]?.[row]) },
      ]),
    ),
  }))
}
