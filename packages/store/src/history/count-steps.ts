/** Counts the people of each step of a message from the bytes of their receipts, each once in a step. */
import { type HistoryRef, reasonBytes, receiptBytes } from '@courier-fleet/api-types'
import type { Redis } from '../connection/client.ts'
import { type Chunk, receiptChunks } from './ledger.ts'
import { type KeptStep, keptSteps, type StepCounts } from './steps.ts'

const bytesOf = (states: string) => new Set(Buffer.from(states))
const accepted = bytesOf('sdrc')
const open = new Set([receiptBytes.pending, receiptBytes.attempting])

interface Read {
  readonly states: Buffer
  readonly reasons: Buffer
}

type Tally = { waiting: number; sent: number; spared: number; reached: number }

/** @returns of each step in its order */
export async function countSteps(redis: Redis, ref: HistoryRef, packed: string, size: number): Promise<StepCounts[]> {
  const steps = keptSteps(packed)
  const tallies: Tally[] = steps.map(() => ({ waiting: 0, sent: 0, spared: 0, reached: 0 }))
  const legs = steps.flatMap(({ channels }) => channels)
  const readers = new Map(legs.map((leg) => [leg, receiptChunks(redis, ref, leg, size)]))
  for (;;) {
    const read = await readChunks(readers)
    if (!read) break
    for (const [index, step] of steps.entries()) {
      const reads = step.channels.map((leg) => read.get(leg) as Read)
      addStep(tallies[index] as Tally, reads, reachedBy(step, steps[index + 1]))
    }
  }
  return tallies.map(({ reached, ...tally }, index) => (index < steps.length - 1 ? { ...tally, reached } : tally))
}

/** By channel of the step, what the next one takes for reached. */
const reachedBy = ({ channels }: KeptStep, following: KeptStep | undefined) =>
  channels.map((leg) => bytesOf(following?.unless.get(leg) ?? ''))

/** @returns undefined after the last */
async function readChunks(readers: ReadonlyMap<string, AsyncGenerator<Chunk>>): Promise<Map<string, Read> | undefined> {
  const read = await Promise.all(
    [...readers].map(async ([leg, reader]) => {
      const chunk = (await reader.next()).value as Chunk | undefined
      return chunk && ([leg, { states: chunk.states, reasons: await chunk.reasons() }] as const)
    }),
  )
  const found = read.filter((each) => each !== undefined)
  return found.length > 0 ? new Map(found) : undefined
}

function addStep(tally: Tally, legs: readonly Read[], reached: readonly ReadonlySet<number>[]): void {
  const length = legs[0]?.states.length ?? 0
  for (let at = 0; at < length; at += 1) {
    const isAny = (wanted: (leg: Read, index: number) => boolean) => legs.some(wanted)
    const byteOf = (leg: Read) => leg.states[at] as number
    if (isAny((leg, index) => reached[index]?.has(byteOf(leg)) ?? false)) tally.reached += 1
    if (isAny((leg) => accepted.has(byteOf(leg)))) tally.sent += 1
    else if (isAny((leg) => open.has(byteOf(leg)))) tally.waiting += 1
    else if (isAny((leg) => isSpared(byteOf(leg), leg.reasons[at]))) tally.spared += 1
  }
}

const isSpared = (state: number, reason: number | undefined) =>
  state === receiptBytes.cancelled && reason === reasonBytes['reached-elsewhere']
