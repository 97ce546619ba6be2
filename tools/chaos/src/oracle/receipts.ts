/** All receipts of a message, one byte each, and what they add up to. */
import { type Channel, channels, type Expectations, type Message } from '../expectations.ts'
import type { Api, History, Receipt } from './api.ts'
import { addSince, type SinceCounts } from './since.ts'
import { codeOf, mayBecome, type State, stateOf, states } from './states.ts'

/** codes of states by ordinal in the audience; no entry for a channel the API has no line for */
export type Receipts = Partial<Record<Channel, Uint8Array>>

/** by ordinal: the receipt of SMS of whoever has several phones, where it says which */
export type SeveralPhones = ReadonlyMap<number, Receipt['channels'][string]>

/** `failed` by a delivery report: it was accepted, and is told truthfully */
export const failedLater = 255
/** the reason of what was accepted and, by a later report, did not arrive */
const reported = 'undelivered'

const codeOfReceipt = ({ state, reason }: Receipt['channels'][string]) =>
  state === 'failed' && reason === reported ? failedLater : codeOf(state)

const publicState = (code: number) => (code === failedLater ? 'failed' : stateOf(code))

/** @returns named: how many people the receipts name; asAsked: whether they are those asked for, in order */
export async function readReceipts(
  message: Message,
  { population }: Expectations,
  api: Api,
): Promise<{ receipts: Receipts; severalPhones: SeveralPhones; since: SinceCounts; named: number; asAsked: boolean }> {
  const { audience } = message
  const receipts: Receipts = {}
  const since: SinceCounts = new Map()
  const severalPhones = new Map<number, Receipt['channels'][string]>()
  let named = 0
  let asAsked = true
  for await (const page of api.receipts(message.key as string)) {
    for (const { ordinal, person, channels: told } of page) {
      const expected = audience[named]
      asAsked &&= expected !== undefined && ordinal === named && person === population.idOf(expected)
      for (const channel of message.channels) {
        const receipt = told[channel]
        if (!receipt) continue
        receipts[channel] ??= new Uint8Array(audience.length)
        receipts[channel][named] = codeOfReceipt(receipt)
        addSince(since, channel, receipt)
        if (receipt.contact ?? receipt.earlier) severalPhones.set(named, receipt)
      }
      named += 1
    }
  }
  return { receipts, severalPhones, since, named, asAsked: asAsked && named === audience.length }
}

export function tally(codes: Uint8Array | undefined): Readonly<Record<State, number>> {
  const counts = Object.fromEntries(states.map((state) => [state, 0])) as Record<State, number>
  for (const code of codes ?? []) counts[publicState(code)] += 1
  return counts
}

/** Where the counts of the view are not those of the receipts. */
export function differences(view: History, receipts: Receipts): { channel: Channel; what: string }[] {
  return channels.flatMap((channel) => {
    const [line, codes] = [view.channels[channel], receipts[channel]]
    if (!line || !codes) return []
    const counts = tally(codes)
    return states
      .filter((state) => (line[state] ?? 0) !== counts[state])
      .map((state) => ({ channel, what: `counts ${line[state] ?? 0} ${state}; its receipts are ${counts[state]}` }))
  })
}

/** Receipts that became what they cannot have become between two readings. */
export function* stepsBack(
  before: Receipts,
  after: Receipts,
): Generator<{ channel: Channel; ordinal: number; what: string }> {
  for (const channel of channels) {
    const [old, now] = [before[channel], after[channel]]
    if (!old || !now) continue
    for (let ordinal = 0; ordinal < now.length; ordinal += 1) {
      if (old[ordinal] === now[ordinal]) continue
      const [was, is] = [publicState(old[ordinal] as number), publicState(now[ordinal] as number)]
      if (!mayBecome(was, is)) yield { channel, ordinal, what: `said ${was}, later ${is}` }
    }
  }
}
