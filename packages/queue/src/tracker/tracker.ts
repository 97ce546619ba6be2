/** Watches histories until they settle. Implemented by create-tracker.ts. */
import type { HistoryRef, HistoryView, TrackerReport } from '@courier-fleet/api-types'

export interface Tracker {
  /**
   * Waits until every expected channel has settled, at most `timeoutMs`, and says what is known then. May be attached
   * before or after the message is put. @throws Problem 404 when there is no such history
   */
  track(ref: HistoryRef, timeoutMs: number, signal?: AbortSignal): Promise<TrackerReport>
  /** The history now and after every change (coalesced to one per `everyMs`), ending once it has settled. */
  watch(ref: HistoryRef, everyMs: number, signal: AbortSignal): AsyncIterable<HistoryView>
  stop(): Promise<void>
}
