import { type Reason, reasonBytes } from '@courier-fleet/api-types'
import { keepByte } from './outcome-meaning.ts'

/** What is to be said of one recipient. */
export interface ReceiptChange {
  readonly ordinal: number
  readonly byte: number
  readonly reason?: Reason | undefined
  readonly evidence?: string | undefined
  /** where it costs something: what the attempt does, or, where it certainly came to nothing, gives back */
  readonly cost?: number | undefined
}

/** What is to be written of some neighbours, in order. */
export interface ReceiptUpdate {
  /** ordinal of the first */
  readonly from: number
  /** a state byte each */
  readonly bytes: Buffer
  /** a reason byte each; absent when nobody has any */
  readonly reasons?: Buffer
  /** one line each, empty where there is none; nothing at all when nobody has any */
  readonly evidence: readonly string[]
  /** where anything costs something */
  readonly costs?: readonly (number | undefined)[]
}

/** An update to be filled in: as it is it changes nothing. */
export function createUpdate(from: number, to: number) {
  const bytes = Buffer.alloc(to - from, keepByte)
  let reasons: Buffer | undefined
  let evidence: string[] = []
  let costs: (number | undefined)[] | undefined
  return {
    set({ ordinal, byte, reason, evidence: line, cost }: ReceiptChange): void {
      bytes[ordinal - from] = byte
      if (cost !== undefined || costs) {
        costs ??= new Array(to - from).fill(undefined)
        costs[ordinal - from] = cost
      }
      if (reason !== undefined) {
        reasons ??= Buffer.alloc(to - from)
        reasons[ordinal - from] = reasonBytes[reason]
      }
      if (line === undefined) return
      if (evidence.length === 0) evidence = new Array(to - from).fill('')
      evidence[ordinal - from] = line.includes('\n') ? line.replaceAll('\n', ' ') : line
    },
    read: (): ReceiptUpdate => ({
      from,
      bytes,
      ...(reasons ? { reasons } : {}),
      evidence,
      ...(costs ? { costs } : {}),
    }),
  }
}

/** The shortest range that holds these changes. @param changes at least one */
export function updateOf(changes: readonly ReceiptChange[]): ReceiptUpdate {
  let [from, last] = [Number.POSITIVE_INFINITY, 0]
  for (const { ordinal } of changes) {
    from = Math.min(from, ordinal)
    last = Math.max(last, ordinal)
  }
  const update = createUpdate(from, last + 1)
  for (const change of changes) update.set(change)
  return update.read()
}
