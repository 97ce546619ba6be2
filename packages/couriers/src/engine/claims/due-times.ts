/**
 * When each shard has something due, as far as a process knows: from what Redis said when it was asked, and from what was announced since. Due
 * triggers wake a shard at its time; where none has come half a second later, this says so, and again each second until it is woken.
 */
import type { Clock } from '@courier-fleet/process'

/** What a shard says of its deliveries, by Redis's clock, Unix ms. */
export interface DueTime {
  readonly nowMs: number
  /** when the next is due; undefined for none */
  readonly nextMs: number | undefined
}

export interface DueTimes {
  /** A shard is being asked: what is announced from now on may not be in its answer. */
  asking(shard: string): void
  note(shard: string, found: DueTime): void
  /** Something falls due in this shard, Unix ms by Redis's clock. */
  announce(shard: string, dueMs: number): void
  stop(): void
}

export interface DueTimesDeps {
  /** nobody sets it */
  readonly clock: Clock
  /** Something is overdue in this shard, or may be. */
  readonly onOverdue: (shard: string) => void
}

/** A due trigger is there sooner, if there is any. */
const graceMs = 500
const againMs = 1_000
/** of a timer: beyond some weeks there is none */
const longestMs = 60_000

interface Known {
  dueMs: number
  announcedMs: number
  /** by the clock that nobody sets: it is not said sooner that something is overdue */
  notBefore: number
  /** the clock of the Redis that has it less the one that nobody sets: each master has its own */
  offsetMs: number | undefined
}

export function createDueTimes({ clock, onOverdue }: DueTimesDeps): DueTimes {
  const shards = new Map<string, Known>()
  let timer: NodeJS.Timeout | undefined
  let timerAt = Number.POSITIVE_INFINITY
  let isStopped = false

  function knownOf(shard: string): Known {
    const known = shards.get(shard) ?? {
      dueMs: Number.POSITIVE_INFINITY,
      announcedMs: Number.POSITIVE_INFINITY,
      notBefore: 0,
      offsetMs: undefined,
    }
    shards.set(shard, known)
    return known
  }
  /** While nobody has said what time it is there, whatever was announced is overdue. */
  const overdueAt = ({ dueMs, notBefore, offsetMs }: Known) =>
    offsetMs === undefined ? notBefore : Math.max(notBefore, dueMs - offsetMs + graceMs)

  function arm(at: number): void {
    if (isStopped || at >= timerAt) return
    clearTimeout(timer)
    timerAt = at
    timer = setTimeout(sayWhatIsOverdue, Math.min(longestMs, Math.max(1, Math.ceil(at - clock.now()))))
  }

  function sayWhatIsOverdue(): void {
    timerAt = Number.POSITIVE_INFINITY
    const now = clock.now()
    const overdue = [...shards].filter(([, known]) => known.dueMs < Number.POSITIVE_INFINITY && overdueAt(known) <= now)
    for (const [shard, known] of overdue) {
      known.notBefore = now + againMs
      onOverdue(shard)
    }
    for (const known of shards.values()) if (known.dueMs < Number.POSITIVE_INFINITY) arm(overdueAt(known))
  }

  return {
    asking(shard) {
      knownOf(shard).announcedMs = Number.POSITIVE_INFINITY
    },
    note(shard, { nowMs, nextMs = Number.POSITIVE_INFINITY }) {
      const known = knownOf(shard)
      known.offsetMs = nowMs - clock.now()
      known.dueMs = Math.min(nextMs, known.announcedMs)
      if (known.dueMs < Number.POSITIVE_INFINITY) arm(overdueAt(known))
    },
    announce(shard, dueMs) {
      const known = knownOf(shard)
      known.announcedMs = Math.min(known.announcedMs, dueMs)
      known.dueMs = Math.min(known.dueMs, dueMs)
      arm(overdueAt(known))
    },
    stop() {
      isStopped = true
      clearTimeout(timer)
    },
  }
}
