/** Who waits in this process for a place at the rate: asked for together, so that whoever is behind by weight goes first, not whoever asks first. */
import { classes, type MessageClass } from '@courier-fleet/api-types'
import { sleep } from '@courier-fleet/process'

export interface Ask {
  readonly cls: MessageClass
  readonly units: number
}

export interface Place {
  /** which of those who asked has it */
  readonly index: number
  /** after which it is theirs */
  readonly waitMs: number
  /** when it was asked for, by the pacer's clock */
  readonly askedAt: number
  /** of a slot */
  readonly name?: string | undefined
}

export interface Answer {
  readonly places: readonly Place[]
  /** when to ask again for the others */
  readonly againMs: number
}

interface Waiting extends Ask {
  resolve(place: Place): void
  reject(error: unknown): void
}

export interface PlaceQueue {
  /** Rejects when aborted, and when the places cannot be asked for. */
  take(ask: Ask, signal: AbortSignal): Promise<Place>
}

/** of each class, in one call at most */
const maxAsks = 64

export function createPlaceQueue(reserve: (asks: readonly Ask[]) => Promise<Answer>): PlaceQueue {
  const waiting = new Set<Waiting>()
  let isAsking = false
  let empty = new AbortController()

  const leave = (who: Waiting) => {
    waiting.delete(who)
    if (waiting.size === 0) empty.abort()
  }

  async function askOnce(): Promise<void> {
    const everyone = [...waiting]
    const asking = classes.flatMap((cls) => everyone.filter((each) => each.cls === cls).slice(0, maxAsks))
    try {
      const { places, againMs } = await reserve(asking)
      for (const place of places) {
        const who = asking[place.index] as Waiting
        leave(who)
        who.resolve(place)
      }
      await sleep(againMs, empty.signal)
    } catch (error) {
      for (const who of asking) {
        leave(who)
        who.reject(error)
      }
    }
  }

  async function askUntilEmpty(): Promise<void> {
    if (isAsking) return
    isAsking = true
    while (waiting.size > 0) await askOnce()
    isAsking = false
  }

  return {
    take: (ask, signal) =>
      new Promise((resolve, reject) => {
        if (signal.aborted) return reject(signal.reason)
        const giveUp = () => {
          leave(who)
          reject(signal.reason)
        }
        const end = () => signal.removeEventListener('abort', giveUp)
        const who: Waiting = {
          ...ask,
          resolve(place) {
            end()
            resolve(place)
          },
          reject(error) {
            end()
            reject(error)
          },
        }
        signal.addEventListener('abort', giveUp, { once: true })
        waiting.add(who)
        if (empty.signal.aborted) empty = new AbortController()
        void askUntilEmpty()
      }),
  }
}
