/**
 * Whether a courier can send now: the courier says so, and the runner heeds it. Who is not ready claims nothing and hands back what
 * it holds, so that another process of the channel has it at once.
 */
import { EventEmitter } from 'node:events'
import type { Clock } from '@courier-fleet/process'

export interface NotReady {
  /** Unix ms */
  readonly since: number
  readonly why: string
}

export interface Readiness {
  /** `change`: it is ready now, or not any more, or not for another reason */
  readonly events: EventEmitter<{ change: [] }>
  /** undefined while it can send */
  notReady(): NotReady | undefined
}

/** As the courier itself has it; not ready until it has started. */
export interface OwnReadiness extends Readiness {
  ready(): void
  /** Repeated, it is not ready since the first time, for the latest reason. */
  lose(why: string): void
}

export function createReadiness(clock: Clock): OwnReadiness {
  const events = new EventEmitter<{ change: [] }>()
  let notReady: NotReady | undefined = { since: clock.now(), why: 'it is starting' }
  return {
    events,
    notReady: () => notReady,
    ready() {
      if (!notReady) return
      notReady = undefined
      events.emit('change')
    },
    lose(why) {
      if (notReady?.why === why) return
      notReady = { since: notReady?.since ?? clock.now(), why }
      events.emit('change')
    },
  }
}

/**
 * When jobs are to finish what is in flight and hand back the rest: at the end of the process, and while the courier is not ready.
 * @returns the signal for whatever begins now
 */
export function handBackSignal({ events, notReady }: Readiness, stopping: AbortSignal): () => AbortSignal {
  let current = new AbortController()
  const change = () => {
    if (stopping.aborted || notReady()) current.abort()
    else if (current.signal.aborted) current = new AbortController()
  }
  events.on('change', change)
  stopping.addEventListener('abort', change)
  change()
  return () => current.signal
}

/** Ready while one of them is; else not since all are not, for the reason of the first. */
export function anyReadiness(all: readonly Readiness[]): Readiness {
  const [only] = all
  if (only && all.length === 1) return only
  const events: Readiness['events'] = new EventEmitter()
  for (const each of all) each.events.on('change', () => events.emit('change'))
  return {
    events,
    notReady() {
      const reasons = all.flatMap((each) => each.notReady() ?? [])
      if (reasons.length < all.length) return undefined
      const since = Math.max(...reasons.map((each) => each.since))
      return { since, why: reasons[0]?.why ?? '' }
    },
  }
}
