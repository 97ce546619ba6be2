/** Rows of a page of receipts: who it was for, and what became of it on each channel. */
import {
  type HistoryRef,
  historyKeyOf,
  type ReceiptState,
  type ReceiptView,
  reasonOfByte,
  receiptBytes,
  receiptStateOf,
  refOfMember,
} from '@courier-fleet/api-types'
import type { Redis } from '../connection/client.ts'
import { keys } from '../keys.ts'
import { readAudience } from './audience.ts'
import { readConfirmations } from './confirmations.ts'
import { readCorrections } from './correction-receipts.ts'
import { parseEvidence, readEvidence } from './evidence.ts'
import type { ReceiptPage } from './histories.ts'
import { readReceiptTimes } from './receipt-times.ts'
import type { Snapshot } from './snapshot.ts'
import type { ToldByVoice } from './told-by-voice.ts'
import { readTries, type Try } from './tried.ts'
import { readWaits } from './waiting-receipts.ts'

/** What only an attempt comes to: by itself, or with the message that carries it. */
const isAttempted: ReadonlySet<ReceiptState> = new Set(['sent', 'delivered', 'read', 'confirmed', 'failed', 'unknown'])

export interface Range {
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
  readonly namesOf: ReceiptPage['namesOf']
}

type Receipt = ReceiptView['channels'][string]
export type States = (channel: number, ordinal: number) => ReceiptState

export async function readStates({ redis, ref, channels }: Range, from: number, to: number): Promise<States> {
  if (to <= from) return () => 'pending'
  const bytes = await Promise.all(
    channels.map((channel) => redis.getrangeBuffer(keys.receipts(ref, channel), from, to - 1)),
  )
  return (channel, ordinal) => receiptStateOf(bytes[channel]?.[ordinal - from] ?? receiptBytes.pending)
}

/** Of those who were asked: nobody of a message that asks for nothing. */
export const confirmationsIn = ({ redis, ref, hash }: Range, from: number, to: number) =>
  readConfirmations(redis, { ref, hash, from, to })

/**
 * Who the ordinals are, with reasons, times and the evidence there is of them.
 * @returns the rows, once their states are known: objects by the thousand that wait for Redis are copied by each garbage collection
 */
export async function readRows(range: Range, ordinals: readonly number[]): Promise<(states: States) => ReceiptView[]> {
  const { redis, ref, hash, channels, size, startedMs, urls, told } = range
  const first = ordinals[0]
  const last = ordinals.at(-1)
  if (first === undefined || last === undefined) return () => []
  const span = { size, startedMs, from: first, to: last + 1 }
  const [people, times, reasons, evidence, waits, confirmations, corrections, tries] = await Promise.all([
    readPeople(range, ordinals, first, last),
    Promise.all(channels.map((channel) => readReceiptTimes(redis, ref, channel, span))),
    Promise.all(channels.map((channel) => redis.getrangeBuffer(keys.reasons(ref, channel), first, last))),
    Promise.all(channels.map((channel) => readEvidence(redis, ref, channel, ordinals))),
    readWaits(redis, { ref, hash, channels, from: first, to: last + 1 }),
    confirmationsIn(range, first, last + 1),
    readCorrections(redis, { ref, hash, from: first, to: last + 1 }),
    Promise.all(channels.map((channel) => (hash[`${channel}:tried`] ? readTries(redis, ref, channel, ordinals) : []))),
  ])
  const carriers = channels.map((channel) => hash[`${channel}:carried-by`])
  const isoOf = createIsoOf()

  const receiptOn = (channel: number, ordinal: number, row: number, state: ReceiptState): Receipt => {
    const receipt: Receipt = { state }
    const waiting = state === 'pending' ? waits(channel, ordinal) : undefined
    const at = times[channel]?.(ordinal)
    const reason = reasonOfByte(reasons[channel]?.[ordinal - first] ?? 0)
    const found = evidence[channel]?.[row]
    const carrier = isAttempted.has(state) ? carriers[channel] : undefined
    if (waiting) receipt.waiting = waiting
    if (at !== undefined) receipt.at = isoOf(at)
    if (reason) receipt.reason = reason
    const tried = tries[channel]?.[row]
    if (found) Object.assign(receipt, parseEvidence(found))
    if (tried?.length) Object.assign(receipt, contactsTried(tried, state))
    if (carrier) receipt.sentWith = historyKeyOf(refOfMember(ref.shard, carrier))
    return receipt
  }

  return (states) =>
    ordinals.map((ordinal, row) => {
      const receipts: ReceiptView['channels'] = {}
      for (const [channel, name] of channels.entries())
        receipts[name] = receiptOn(channel, ordinal, row, states(channel, ordinal))
      const person = people.ids[row] as string
      const name = people.names?.[row] ?? urls?.get(person)
      const view: ReceiptView = { ordinal, person, channels: receipts }
      const toldByVoice = told.get(ordinal)
      const confirmed = confirmations(ordinal)
      const corrected = corrections(ordinal)
      if (name !== undefined) view.name = name
      if (toldByVoice) view.toldByVoice = toldByVoice
      if (confirmed) view.confirmed = confirmed
      if (corrected) view.corrections = corrected
      return view
    })
}

async function readPeople(
  { redis, ref, width, namesOf }: Range,
  ordinals: readonly number[],
  first: number,
  last: number,
): Promise<{ ids: readonly string[]; names: readonly (string | undefined)[] | undefined }> {
  const all = await readAudience(redis, ref, width, first, last + 1)
  const ids = ordinals.map((ordinal) => all[ordinal - first] as string)
  return { ids, names: await namesOf?.(ids) }
}

/** Neighbours were often recorded together: the same moment again is the same text again. */
function createIsoOf(): (ms: number) => string {
  let last = Number.NaN
  let text = ''
  return (ms) => {
    if (ms !== last) text = new Date(ms).toISOString()
    last = ms
    return text
  }
}

/** Of whoever has several: which the receipt is about, and those before it. Where none was left after the last, the receipt says what that one came to. */
function contactsTried(tries: readonly Try[], state: ReceiptState): Pick<Receipt, 'contact' | 'earlier'> {
  const last = tries.at(-1)
  if (!last) return {}
  const isLast = last.state === undefined || last.state === state
  const earlier = isLast ? tries.slice(0, -1) : tries
  return {
    ...(isLast ? { contact: last.shown } : {}),
    ...(earlier.length > 0 ? { earlier: earlier.map(earlierView) } : {}),
  }
}

const earlierView = ({ shown, state = 'unknown', reason, atMs, said }: Try) => ({
  contact: shown,
  state,
  ...(reason ? { reason } : {}),
  ...(atMs === undefined ? {} : { at: new Date(atMs).toISOString() }),
  ...ownWords(said),
})

function ownWords(said: string | undefined): { providerId?: string; detail?: string } {
  const { providerId, detail } = parseEvidence(said)
  return { ...(providerId === undefined ? {} : { providerId }), ...(detail === undefined ? {} : { detail }) }
}
