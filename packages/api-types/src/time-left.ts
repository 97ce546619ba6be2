/** How long a message still takes, from how fast its receipts have come of late. Says nothing where that is not known. */
import type { HistoryView } from './history-view.ts'

interface TimeLeft {
  /** Notes how far it is now. */
  seen(history: Pick<HistoryView, 'channels' | 'waiting'>): void
  /** Until the last channel is done, ms; `undefined` while nobody knows. */
  left(): number | undefined
}

interface Sample {
  readonly at: number
  /** receipts still to come, by leg */
  readonly pending: Readonly<Record<string, number>>
}

/** the rate is that of this time */
const windowMs = 10_000
/** from less nothing can be said */
const leastMs = 2000
/** where nothing has changed for so long, the rate of before says nothing */
const staleMs = 4000

export function createTimeLeft(now: () => number = () => performance.now()): TimeLeft {
  let samples: Sample[] = []

  function leftOn(leg: string, first: Sample, last: Sample): number | undefined {
    const pending = last.pending[leg] ?? 0
    if (pending === 0) return 0
    const done = (first.pending[leg] ?? 0) - pending
    return done > 0 ? (pending * (last.at - first.at)) / done : undefined
  }

  return {
    seen({ channels, waiting }) {
      // whoever waits for a time goes on then, at whatever rate
      if (waiting && waiting.length > 0) samples = []
      else {
        const at = now()
        const pending = Object.fromEntries(Object.entries(channels).map(([leg, ledger]) => [leg, ledger.pending]))
        samples = [...samples.filter((sample) => at - sample.at <= windowMs), { at, pending }]
      }
    },
    left() {
      const [first, last] = [samples[0], samples.at(-1)]
      if (!first || !last || last.at - first.at < leastMs || now() - last.at > staleMs) return undefined
      const each = Object.keys(last.pending).map((leg) => leftOn(leg, first, last))
      if (each.length === 0 || each.some((ms) => ms === undefined)) return undefined
      const ms = Math.max(...(each as number[])) - (now() - last.at)
      return ms > 0 ? ms : undefined
    },
  }
}
