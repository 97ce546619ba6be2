/** Watches histories until they settle, or until nothing more can be told of them. Implemented by create-tracker.ts. */
import type { HistoryRef, HistoryView, TrackerReport, TrackUntil } from '@courier-fleet/api-types'

export interface WatchForm {
  /** `final`: nothing can become of it any more, by a report or by whoever finds out */
  readonly until: TrackUntil | 'final'
  /** changes that come faster are told as one */
  readonly everyMs: number
}

export interface Tracker {
  /**
   * Waits until every expected channel has settled (or until all that was handed over is confirmed, too), at most
   * `timeoutMs`, and says what is known then. May be attached before or after the message is put.
   * @throws Problem 404 when there is no such history
   */
  track(
    ref: HistoryRef,
    wait: { readonly until?: TrackUntil; readonly timeoutMs: number },
    signal?: AbortSignal,
  ): Promise<TrackerReport>
  /** The history now and after every change, until there is nothing more to wait for. */
  watch(ref: HistoryRef, form: WatchForm, signal: AbortSignal): AsyncIterable<HistoryView>
  stop(): Promise<void>
}
