import type { ReceiptView } from '@courier-fleet/api-types'
import {
  classOfState,
  firstClass,
  type HistoryRef,
  historyKeyOf,
  type ReceiptState,
  reasonOfByte,
  receiptBytes,
  receiptStateOf,
  refOfMember,
} from '@courier-fleet/api-types'
import { tellsMore } from '@courier-fleet/channels'
import type { Redis } from '../connection/client.ts'
import { keys } from '../keys.ts'
import { readAudience } from './audience.ts'
import { type Confirmations, readConfirmations } from './confirmations.ts'
import { readCorrections } from './correction-receipts.ts'
import { parseEvidence, readEvidence } from './evidence.ts'
import type { ReceiptGlance, ReceiptPage } from './histories.ts'
import { channelsOf } from './ledger.ts'
import { parseRecord } from './message-record.ts'
import { readReceiptTimes } from './receipt-times.ts'
import type { Snapshot } from './snapshot.ts'
import { readToldByVoice, type ToldByVoice } from './told-by-voice.ts'
import { urlsIn } from './url-recipients.ts'
import { readWaits } from './waiting-receipts.ts'

/** What only an attempt comes to: by itself, or with the message that carries it. */
const isAttempted: ReadonlySet<ReceiptState> = new Set(['sent', 'delivered', 'read', 'confirmed', 'failed', 'unknown'])

/** Ordinals looked through in one step while a filter finds little. */
const window = 5000
/** steps of one call in which everybody is asked about or their times are read; the caller goes on from there */
const maxSteps = 10

interface Range {
  readonly redis: Redis
  readonly ref: HistoryRef
  readonly hash: Snapshot['hash']
  /** bytes an id of the audience */
  readonly width: number
  readonly channels: readonly string[]
  readonly size: number
  readonly startedMs: number
  /** of a message to URLs */
  readonly urls: ReadonlyMap<string, string> | undefined
  readonly told: ToldByVoice
}

export async function readReceipts(
  redis: Redis,
  { ref, hash, record }: Snapshot,
  page: ReceiptPage,
): Promise<{ rows: ReceiptView[]; next?: number }> {
  // of what was cancelled before it started the people are not kept
  if (record === undefined || hash.state === 'cancelled') return { rows: [] }
  const size = Number(hash.size)
  const channels = channelsOf(hash).filter((channel) => !page.channel || channel === page.channel)
  const { width, to } = parseRecord(record)
  const urls = urlsIn(to)
  const told = await readToldByVoice(redis, ref, hash)
  const range: Range = { redis, ref, hash, width, channels, size, startedMs: Number(hash.started), urls, told }
  const { rows, next } = isFiltered(page) ? await readFiltered(range, page) : await readAll(range, page)
  return next < size ? { rows, next } : { rows }
}

/** Everyone from … on, in one round trip. */
async function readAll(range: Range, { from, limit }: ReceiptPage) {
  const next = Math.min(range.size, from + limit)
  const ordinals = Array.from({ length: Math.max(0, next - from) }, (_unused, index) => from + index)
  const [states, rows] = await Promise.all([readStates(range, from, next), readRows(range, ordinals)])
  return { rows: rows(states), next: Math.max(from, next) }
}

const isFiltered = ({ state, class: wanted, confirmed, whom, fits }: ReceiptPage) =>
  Boolean(state ?? wanted ?? confirmed ?? whom ?? fits)

async function readFiltered(range: Range, page: ReceiptPage) {
  const { size } = range
  const rows: ReceiptView[] = []
  let next = page.from
  for (let step = 0; next < size && rows.length < page.limit; step += 1) {
    if ((page.whom ?? page.fits) && step === maxSteps) break
    const to = Math.min(size, next + window)
    const known = await Promise.all([readStates(range, next, to), confirmationsIn(range, next, to)])
    const [states] = known
    const fitting = (await ordinalsThatFit(range, page, known, next, to)).slice(0, page.limit - rows.length)
    for (const row of (await readRows(range, fitting))(states)) rows.push(row)
    // the page is full with the last of them, and what follows was not looked at
    next = rows.length === page.limit ? (fitting.at(-1) as number) + 1 : to
  }
  return { rows, next }
}

async function ordinalsThatFit(
  range: Range,
  { state, class: wanted, confirmed, whom, fits }: ReceiptPage,
  [states, confirmations]: readonly [States, Confirmations],
  from: number,
  to: number,
): Promise<number[]> {
  const { redis, ref, hash, width, channels, told } = range
  const isLookedAt = fits && (await receiptsThatFit(range, fits, states, from, to))
  const more = channels.map((channel) => tellsMore(channel))
  const classWithout = hash.state === 'running' ? 'pending' : 'withoutContact'
  const classIn = (found: readonly ReceiptState[], ordinal: number) => {
    if (found.length === 0) return classWithout
    const classes = found.map((each, channel) => classOfState(each, more[channel] as boolean))
    return firstClass(told.has(ordinal) ? [...classes, 'toldByVoice'] : classes)
  }
  const isWanted = (ordinal: number) => {
    const found = channels.map((_name, channel) => states(channel, ordinal))
    if (state && !found.includes(state)) return false
    if (confirmed && (confirmations(ordinal) !== undefined) !== (confirmed === 'yes')) return false
    if (isLookedAt && !channels.some((_name, channel) => isLookedAt(channel, ordinal))) return false
    return !wanted || classIn(found, ordinal) === wanted
  }
  const ordinals = Array.from({ length: to - from }, (_unused, index) => from + index).filter(isWanted)
  if (!whom || ordinals.length === 0) return ordinals
  const people = await readAudience(redis, ref, width, from, to)
  const isLookedFor = await whom(ordinals.map((ordinal) => people[ordinal - from] as string))
  return ordinals.filter((_ordinal, index) => isLookedFor[index])
}

async function receiptsThatFit(
  { redis, ref, channels, size, startedMs }: Range,
  fits: (receipt: ReceiptGlance) => boolean,
  states: States,
  from: number,
  to: number,
): Promise<(channel: number, ordinal: number) => boolean> {
  const span = { size, startedMs, from, to }
  const [times, reasons] = await Promise.all([
    Promise.all(channels.map((channel) => readReceiptTimes(redis, ref, channel, span))),
    Promise.all(channels.map((channel) => redis.getrangeBuffer(keys.reasons(ref, channel), from, to - 1))),
  ])
  return (channel, ordinal) =>
    fits({
      state: states(channel, ordinal),
      reason: reasonOfByte(reasons[channel]?.[ordinal - from] ?? 0),
      at: times[channel]?.(ordinal),
    })
}

/** Of those who were asked: nobody of a message that asks for nothing. */
const confirmationsIn = ({ redis, ref, hash }: Range, from: number, to: number) =>
  readConfirmations(redis, { ref, hash, from, to })

type States = (channel: number, ordinal: number) => ReceiptState

async function readStates({ redis, ref, channels }: Range, from: number, to: number): Promise<States> {
  if (to <= from) return () => 'pending'
  const bytes = await Promise.all(
    channels.map((channel) => redis.getrangeBuffer(keys.receipts(ref, channel), from, to - 1)),
  )
  return (channel, ordinal) => receiptStateOf(bytes[channel]?.[ordinal - from] ?? receiptBytes.pending)
}

/** Who the ordinals are, with reasons, times and the evidence there is of them. @returns the rows, once their states are known */
async function readRows(range: Range, ordinals: readonly number[]): Promise<(states: States) => ReceiptView[]> {
  const { redis, ref, hash, width, channels, size, startedMs, urls, told } = range
  const first = ordinals[0]
  const last = ordinals.at(-1)
  if (first === undefined || last === undefined) return () => []
  const span = { size, startedMs, from: first, to: last + 1 }
  const [people, times, reasons, evidence, waits, confirmations, corrections] = await Promise.all([
    readAudience(redis, ref, width, first, last + 1),
    Promise.all(channels.map((channel) => readReceiptTimes(redis, ref, channel, span))),
    Promise.all(channels.map((channel) => redis.getrangeBuffer(keys.reasons(ref, channel), first, last))),
    Promise.all(channels.map((channel) => readEvidence(redis, ref, channel, ordinals))),
    readWaits(redis, { ref, hash, channels, from: first, to: last + 1 }),
    confirmationsIn(range, first, last + 1),
    readCorrections(redis, { ref, hash, from: first, to: last + 1 }),
  ])
  return (states) =>
    ordinals.map((ordinal, row) => {
      const receipts: ReceiptView['channels'] = {}
      for (const [index, channel] of channels.entries()) {
        const reason = reasonOfByte(reasons[index]?.[ordinal - first] ?? 0)
        const at = times[index]?.(ordinal)
        const state = states(index, ordinal)
        const waiting = state === 'pending' ? waits(index, ordinal) : undefined
        const carrier = isAttempted.has(state) ? hash[`${channel}:carried-by`] : undefined
        receipts[channel] = {
          state,
          ...(waiting ? { waiting } : {}),
          ...(at === undefined ? {} : { at: new Date(at).toISOString() }),
          ...(reason ? { reason } : {}),
          ...parseEvidence(evidence[index]?.[row]),
          ...(carrier ? { sentWith: historyKeyOf(refOfMember(ref.shard, carrier)) } : {}),
        }
      }
      const person = people[ordinal - first] as string
      const name = urls?.get(person)
      const toldByVoice = told.get(ordinal)
      const confirmed = confirmations(ordinal)
      const corrected = corrections(ordinal)
      return {
        ordinal,
        person,
        ...(name === undefined ? {} : { name }),
        channels: receipts,
        ...(toldByVoice ? { toldByVoice } : {}),
        ...(confirmed ? { confirmed } : {}),
        ...(corrected ? { corrections: corrected } : {}),
      }
    })
}
