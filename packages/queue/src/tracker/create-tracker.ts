import { setMaxListeners } from 'node:events'
import {
  type HistoryRef,
  type HistoryView,
  isOver,
  mayBeReported,
  mayChange,
  silentChannels,
  type TrackerReport,
} from '@courier-fleet/api-types'
import { sleep } from '@courier-fleet/process'
import type { Histories, Subscriber } from '@courier-fleet/store'
import { outcomeWords } from '@courier-fleet/words'
import { readHistory } from '../histories/read-history.ts'
import { createChangeFeed } from './change-feed.ts'
import type { Tracker, WatchForm } from './tracker.ts'

/** a large message changes thousands of times a second; its tracker reads no more often than this */
const trackEveryMs = 50

export function reportOf(history: HistoryView): TrackerReport {
  const { ending, sentence } = outcomeWords('en', history)
  return { settled: isOver(history), silent: silentChannels(history), ending, sentence, history }
}

/** Whether there is nothing more to wait for. */
function isDone(history: HistoryView, until: WatchForm['until']): boolean {
  if (!isOver(history)) return false
  if (until === 'final') return !mayChange(history, Date.now())
  return until === 'settled' || !mayBeReported(history, Date.now())
}

interface TrackerDeps {
  readonly subscriber: Subscriber
  readonly histories: Pick<Histories, 'snapshot' | 'view'>
  /** a change that was not announced is seen after at most this long */
  readonly checkMs?: number
}

export function createTracker({ subscriber, histories, checkMs = 1_000 }: TrackerDeps): Tracker {
  const feed = createChangeFeed(subscriber)
  const stopped = new AbortController()
  setMaxListeners(0, stopped.signal) // every waiting tracker listens

  /** Subscribes before it reads, so that no change is missed between the two. */
  async function* watch(
    ref: HistoryRef,
    { until, everyMs }: WatchForm,
    signal: AbortSignal,
  ): AsyncGenerator<HistoryView> {
    let changed = new AbortController()
    const unlisten = await feed.listen(ref, () => changed.abort())
    try {
      let before = ''
      while (!signal.aborted && !stopped.signal.aborted) {
        changed = new AbortController()
        const history = await readHistory(histories, ref, { recent: true })
        const now = JSON.stringify(history)
        if (now !== before) yield history
        before = now
        if (isDone(history, until)) return
        await sleep(checkMs, signal, stopped.signal, changed.signal)
        await sleep(everyMs, signal, stopped.signal)
      }
    } finally {
      unlisten()
    }
  }

  return {
    watch,
    async track(ref, { until = 'settled', timeoutMs }, signal) {
      let latest = await readHistory(histories, ref)
      if (isDone(latest, until)) return reportOf(latest)
      const over = new AbortController()
      const end = () => over.abort()
      const timer = setTimeout(end, timeoutMs)
      signal?.addEventListener('abort', end, { once: true })
      if (signal?.aborted) end()
      try {
        for await (const history of watch(ref, { until, everyMs: trackEveryMs }, over.signal)) latest = history
      } finally {
        clearTimeout(timer)
        signal?.removeEventListener('abort', end)
      }
      return reportOf(isDone(latest, until) ? latest : await readHistory(histories, ref))
    },
    async stop() {
      stopped.abort()
      feed.close()
    },
  }
}
