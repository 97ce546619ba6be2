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
  /** a mark of whoever is attempting already: they may have been sent to */
  readonly isAgain?: boolean | undefined
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
  /** places of marks that are made again; absent where there are none */
  readonly again?: ReadonlySet<number>
}

/** To be filled in: as it is it changes nothing. */
export class Update implements ReceiptUpdate {
  readonly from: number
  readonly bytes: Buffer
  reasons?: Buffer
  evidence: string[] = []
  costs?: (number | undefined)[]
  again?: Set<number>

  constructor(from: number, to: number) {
    this.from = from
    // of the pool of such: one of its own for each person is dear to collect
    this.bytes = Buffer.allocUnsafe(to - from).fill(keepByte)
  }

  set({ ordinal, byte, reason, evidence: line, cost, isAgain }: ReceiptChange): void {
    const { bytes } = this
    const place = ordinal - this.from
    bytes[place] = byte
    if (cost !== undefined || this.costs) {
      this.costs ??= new Array(bytes.length).fill(undefined)
      this.costs[place] = cost
    }
    if (isAgain) {
      this.again ??= new Set()
      this.again.add(place)
    }
    if (reason !== undefined) {
      this.reasons ??= Buffer.alloc(bytes.length)
      this.reasons[place] = reasonBytes[reason]
    }
    if (line === undefined) return
    if (this.evidence.length === 0) this.evidence = new Array(bytes.length).fill('')
    this.evidence[place] = line.includes('\n') ? line.replaceAll('\n', ' ') : line
  }
}

/** The shortest range that holds these changes. @param changes at least one */
export function updateOf(changes: readonly ReceiptChange[]): ReceiptUpdate {
  let [from, last] = [Number.POSITIVE_INFINITY, 0]
  for (const { ordinal } of changes) {
    from = Math.min(from, ordinal)
    last = Math.max(last, ordinal)
  }
  const update = new Update(from, last + 1)
  for (const change of changes) update.set(change)
  return update
}
