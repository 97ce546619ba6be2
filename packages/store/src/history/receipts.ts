/** The receipts of a message, page by page: everybody's, or those that are looked for. */
import { classOfState, firstClass, type ReceiptState, type ReceiptView, reasonOfByte } from '@courier-fleet/api-types'
import { tellsMore } from '@courier-fleet/channels'
import type { Redis } from '../connection/client.ts'
import { keys } from '../keys.ts'
import { readAudience } from './audience.ts'
import type { Confirmations } from './confirmations.ts'
import type { ReceiptGlance, ReceiptPage } from './histories.ts'
import { channelsOf } from './ledger.ts'
import { parseRecord } from './message-record.ts'
import { confirmationsIn, type Range, readRows, readStates, type States } from './receipt-rows.ts'
import { readReceiptTimes } from './receipt-times.ts'
import type { Snapshot } from './snapshot.ts'
import { readToldByVoice } from './told-by-voice.ts'
import { urlsIn } from './url-recipients.ts'

/** Ordinals looked through in one step while a filter finds little. */
const window = 5000
/** steps of one call in which everybody is asked about or their times are read; the caller goes on from there */
const maxSteps = 10

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
  const startedMs = Number(hash.started)
  const range: Range = { redis, ref, hash, width, channels, size, startedMs, urls, told, namesOf: page.namesOf }
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
