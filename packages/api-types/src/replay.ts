/** The first line of a replay: what the bytes behind it are, and what happened meanwhile. */
import type { ReceiptState } from './receipt-state.ts'

/** What is known to have happened while a message went out, beside its receipts. */
export interface ReplayMark {
  /** ms since the message started; below 0: before */
  readonly at: number
  /**
   * `taken-over`: a process had left people it was to send to, and another went on with them; `process-gone`: a process of the channel gave its last
   * sign of life; `slow-down`: the provider asked to be sent less; `redis-away`: Redis did not answer
   */
  readonly what: 'channel.paused' | 'channel.resumed' | 'taken-over' | 'process-gone' | 'slow-down' | 'redis-away'
  /** absent where it was of every channel */
  readonly channel?: string
  /** how many were taken over, whether they had been sent it or not */
  readonly people?: number
}

export interface ReplayHead {
  /** everyone it was for; 0 until it has started, and where the people are not kept */
  readonly size: number
  /** ISO 8601 */
  readonly startedAt?: string
  /** in the order of the bytes */
  readonly channels: readonly string[]
  /** what a byte of a state means */
  readonly states: readonly ReceiptState[]
  /** so many people stand together in the bytes */
  readonly block: number
  /** by time */
  readonly marks: readonly ReplayMark[]
}
