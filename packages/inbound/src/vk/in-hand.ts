/**
 * Events that were read and are not dealt with yet. What one person wrote is dealt with in order, each when what came before it
 * is done; whoever has to wait, such as for the API to take any more contacts, holds up nobody else. What is refused for good, or
 * fails again and again by itself, is set aside, and their next texts go on; a STOP never is.
 */
import { setMaxListeners } from 'node:events'
import { ApiError } from '@courier-fleet/client'
import { createSlots, createThrottledLog, type Log, sleep } from '@courier-fleet/process'
import { isOfEveryText, refusesText } from '../api-problems.ts'
import { createSerializer } from '../serializer.ts'
import type { SetAside } from '../set-aside.ts'
import type { VkEvent } from './event.ts'

/** What is dealt with as one, and again as one when that fails. */
export interface Work {
  /** whose: works of the same are done one after the other */
  readonly of: string
  readonly events: readonly VkEvent[]
  /** a STOP: it is tried until it is done, whatever stands in the way */
  readonly isStop: boolean
}

/** How what was not done is tried again. */
export interface Tries {
  readonly firstWaitMs: number
  readonly maxWaitMs: number
  /** of what fails by itself, not because the API takes nothing now */
  readonly max: number
}

/** Whoever waits while the API is away is heard soon after it is back; what fails by itself is tried for ten minutes. */
export const usualTries: Tries = { firstWaitMs: 1000, maxWaitMs: 10_000, max: 60 }

export interface InHandDeps {
  /** All that is to be done about events that were read together, in order. */
  readonly worksOf: (events: readonly VkEvent[]) => readonly Work[]
  /** May be repeated at any point. Rejects when it was not done. */
  readonly deal: (events: readonly VkEvent[]) => Promise<void>
  /** some are not in hand any more */
  readonly onDone: () => void
  readonly setAside: SetAside
  readonly tries: Tries
  readonly log: Log
}

export interface InHand {
  add(events: readonly VkEvent[]): void
  /** in the order they came */
  left(): VkEvent[]
  /** Resolves when what was begun has ended; after the signal nothing is begun. */
  ended(): Promise<void>
}

/** calls of the API that are under way */
const maxAtOnce = 10
/** the API says how long somebody has to wait; its limits may be raised meanwhile */
const maxToldMs = 60_000

export function createInHand(deps: InHandDeps, signal: AbortSignal): InHand {
  const { worksOf, deal, onDone, setAside, tries, log } = deps
  // as many listeners as there are people waiting: no leak
  setMaxListeners(0, signal)
  const warn = createThrottledLog((fields, text) => log.warn(fields, text))
  const inTurn = createSerializer()
  const inSlot = createSlots(maxAtOnce)
  const works = new Set<Work>()
  const underWay = new Set<Promise<void>>()

  function end(work: Work): void {
    works.delete(work)
    onDone()
  }

  /** @throws what stood in the way */
  const tryOnce = (work: Work): Promise<void> =>
    inSlot(async () => {
      if (signal.aborted) return
      await deal(work.events)
      end(work)
    })

  async function finish(work: Work): Promise<void> {
    let failed = 0
    for (let waitMs = tries.firstWaitMs; !signal.aborted; waitMs = Math.min(waitMs * 2, tries.maxWaitMs)) {
      try {
        return await tryOnce(work)
      } catch (error) {
        if (!isOfEveryText(error)) failed += 1
        if (!work.isStop && (refusesText(error) || failed >= tries.max)) {
          for (const { event_id: id } of work.events) setAside({ id }, error)
          return end(work)
        }
        warn({ err: error }, 'an event could not be dealt with; trying again, others go on')
        await sleep(Math.max(waitMs, toldMs(error)), signal)
      }
    }
  }

  return {
    add(events) {
      for (const work of worksOf(events)) {
        works.add(work)
        const ending = inTurn(work.of, () => finish(work)).finally(() => underWay.delete(ending))
        underWay.add(ending)
      }
    },
    left: () => [...works].flatMap(({ events }) => events),
    async ended() {
      await Promise.all(underWay)
    },
  }
}

function toldMs(error: unknown): number {
  const { retryAfter = 0 } = error instanceof ApiError ? error : {}
  return Math.min(retryAfter * 1000, maxToldMs)
}
