/** Everyone of a history, person by person over all channels, counted from the receipts' bytes. */
import {
  classOfState,
  type HistoryRef,
  type PeopleClass,
  type PeopleCounts,
  peopleClasses,
  type ReceiptState,
  reasonBytes,
  reasonOfByte,
  receiptBytes,
  receiptStateOf,
  type Why,
  whyNotDelivered,
  whyOf,
  whys,
  whyUnknown,
} from '@courier-fleet/api-types'
import { tellsMore } from '@courier-fleet/channels'
import type { Redis } from '../connection/client.ts'
import { type Chunk, countsOf, receiptChunks } from './ledger.ts'

/** 1 M people on three channels are 3 MB, read in chunks, and the reasons of those chunks in which somebody was missed. */
export async function summarizePeople(
  redis: Redis,
  ref: HistoryRef,
  legs: readonly string[],
  size: number,
  told: ReadonlyMap<number, unknown> = new Map(),
): Promise<PeopleCounts> {
  const readers = legs.map((leg) => receiptChunks(redis, ref, leg, size))
  const ranks = legs.map((leg) => ranksOn(tellsMore(leg)))
  const counted = new Uint32Array(peopleClasses.length)
  const missed = new Map<Why, number>()
  let from = 0
  for (;;) {
    const chunks = await Promise.all(readers.map(async (reader) => (await reader.next()).value))
    const found = chunks.filter((chunk) => chunk !== undefined)
    const first = found[0]
    if (!first) break
    const classes = classesIn(found, ranks, first.states.length)
    markTold(classes, told, from)
    from += classes.length
    const missedBefore = missedIn(counted)
    addTo(counted, classes)
    if (missedIn(counted) > missedBefore) await countWhys(found, classes, missed)
  }
  return countsIn(counted, missed)
}

/**
 * The same of a message on one channel, by its counters, which move with its receipts: nothing is read, however many people there are.
 * @returns undefined where somebody was missed: why, only their bytes say
 */
export function peopleOnOneLeg(hash: Readonly<Record<string, string>>, leg: string): PeopleCounts | undefined {
  const counted = new Uint32Array(peopleClasses.length)
  const mayTellMore = tellsMore(leg)
  for (const [state, people] of Object.entries(countsOf(hash, leg)) as [ReceiptState, number][]) {
    const rank = peopleClasses.indexOf(classOfState(state, mayTellMore))
    counted[rank] = (counted[rank] as number) + people
  }
  return missedIn(counted) > 0 ? undefined : countsIn(counted, new Map())
}

function countsIn(counted: Uint32Array, missed: ReadonlyMap<Why, number>): PeopleCounts {
  const { delivered, sentToChat, handedOver, pending, toldByVoice, unknown, notDelivered, withoutContact } =
    Object.fromEntries(peopleClasses.map((name, rank) => [name, counted[rank] as number])) as Record<
      PeopleClass,
      number
    >
  const of = <Name extends Why>(names: readonly Name[]) =>
    Object.fromEntries(names.filter((name) => missed.has(name)).map((name) => [name, missed.get(name) as number]))
  return {
    delivered,
    sentToChat,
    handedOver,
    pending,
    toldByVoice,
    unknown,
    notDelivered,
    withoutContact,
    why: of(whyNotDelivered),
    whyUnknown: of(whyUnknown),
  }
}

/** Of each byte, the rank of its class: the least of all channels is the person's. */
function ranksOn(mayTellMore: boolean): Uint8Array {
  const ranks = new Uint8Array(256)
  for (const byte of Object.values(receiptBytes)) {
    ranks[byte] = peopleClasses.indexOf(classOfState(receiptStateOf(byte), mayTellMore))
  }
  return ranks
}

function classesIn(chunks: readonly Chunk[], ranks: readonly Uint8Array[], length: number): Uint8Array {
  const classes = new Uint8Array(length).fill(peopleClasses.length - 1)
  for (const [leg, { states }] of chunks.entries()) {
    const rankOf = ranks[leg] as Uint8Array
    for (let i = 0; i < length; i += 1) {
      const rank = rankOf[states[i] as number] as number
      if (rank < (classes[i] as number)) classes[i] = rank
    }
  }
  return classes
}

function addTo(counted: Uint32Array, ranks: Uint8Array): void {
  for (let i = 0; i < ranks.length; i += 1) {
    const rank = ranks[i] as number
    counted[rank] = (counted[rank] as number) + 1
  }
}

const toldRank = peopleClasses.indexOf('toldByVoice')

/** Whoever is better known of than that they were told stays where they are. @param from the first ordinal of these */
function markTold(classes: Uint8Array, told: ReadonlyMap<number, unknown>, from: number): void {
  for (const ordinal of told.keys()) if ((classes[ordinal - from] ?? 0) > toldRank) classes[ordinal - from] = toldRank
}

const unknownRank = peopleClasses.indexOf('unknown')
const notDeliveredRank = peopleClasses.indexOf('notDelivered')
const missedIn = (counted: Uint32Array) => (counted[unknownRank] as number) + (counted[notDeliveredRank] as number)

/** One reason each: of those whose receipts say `unknown`, why that is; of the others, the first in order. */
async function countWhys(chunks: readonly Chunk[], classes: Uint8Array, missed: Map<Why, number>): Promise<void> {
  const reasons = await Promise.all(chunks.map((chunk) => chunk.reasons()))
  for (const [i, rank] of classes.entries()) {
    if (rank !== unknownRank && rank !== notDeliveredRank) continue
    let least = whys.length
    for (const [leg, { states }] of chunks.entries()) {
      const at = whyRank(states[i] as number, reasons[leg]?.[i] as number)
      if (isOfRank(at, rank) && at < least) least = at
    }
    const why = whys[least]
    if (why) missed.set(why, (missed.get(why) ?? 0) + 1)
  }
}

/** someone unknown on one channel and refused on another is unknown for what the first says */
const isOfRank = (why: number, rank: number) => why >= whyNotDelivered.length === (rank === unknownRank)

const whyRanks = new Map<number, number>()
for (const state of Object.values(receiptBytes)) {
  for (const reason of [0, ...Object.values(reasonBytes)]) {
    const why = whyOf(receiptStateOf(state), reasonOfByte(reason))
    if (why) whyRanks.set(state * 256 + reason, whys.indexOf(why))
  }
}
const whyRank = (state: number, reason: number) => whyRanks.get(state * 256 + reason) ?? whys.length
