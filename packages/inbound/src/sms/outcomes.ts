/** Tells senders what has become of their messages: what is owed is noted before they hear that it was accepted. */
import { UnreachableError } from '@courier-fleet/client'
import { type Clock, type Log, sleep } from '@courier-fleet/process'
import type { Answers } from '../answers.ts'
import { isRefusal } from '../api-problems.ts'
import type { Fleet } from '../fleet.ts'
import type { Notes } from '../notes.ts'
import { wordingFor } from './wording.ts'

export interface Owed {
  /** of the sender */
  readonly address: string
  readonly language: string
  /** Unix ms; what is known by then is told */
  readonly until: number
}

export interface Outcomes {
  owe(key: string, owed: Owed): Promise<void>
  /** Watches what is owed until it is told; fine when somebody does already. */
  watch(key: string): void
  /** Everything that was owed when the process ended. */
  resume(): Promise<void>
  stop(): Promise<void>
}

export interface OutcomesDeps {
  readonly notes: Notes<Owed>
  readonly answers: Answers
  readonly fleet: Pick<Fleet, 'forContact'>
  readonly clock: Clock
  readonly log: Log
}

/** of one call */
const maxTrackSeconds = 60
const retryMs = 1000

export function createOutcomes({ notes, answers, fleet, clock, log }: OutcomesDeps): Outcomes {
  const stopping = new AbortController()
  const watched = new Map<string, Promise<void>>()

  async function report(key: string, { address, language, until }: Owed): Promise<void> {
    const client = fleet.forContact(address, stopping.signal)
    for (;;) {
      const leftSeconds = Math.max(0, (until - clock.now()) / 1000)
      const outcome = await client.track(key, Math.min(leftSeconds, maxTrackSeconds))
      if (!outcome.settled && leftSeconds > maxTrackSeconds) continue
      // an issued key nobody has put anything under: the message was never accepted, or will be when it comes again
      if (outcome.history.state === 'issued') return
      const notGiven = await answers.give(address, {
        text: wordingFor(language).outcome(outcome),
        key: `${key}.outcome`,
      })
      if (notGiven !== undefined)
        log.info({ key }, 'the sender is not to be written to any more; the outcome stays untold')
      return
    }
  }

  async function tell(key: string): Promise<void> {
    while (!stopping.signal.aborted) {
      try {
        const owed = await notes.get(key)
        if (owed) await report(key, owed)
        return await notes.remove(key)
      } catch (error) {
        if (stopping.signal.aborted) return
        if (isRefusal(error)) {
          log.warn({ err: error, key }, 'an outcome cannot be told')
          return await notes.remove(key)
        }
        if (!(error instanceof UnreachableError)) log.warn({ err: error, key }, 'an outcome could not be told yet')
        await sleep(retryMs, stopping.signal)
      }
    }
  }

  function watch(key: string): void {
    if (watched.has(key) || stopping.signal.aborted) return
    const telling = tell(key)
      .catch((error: unknown) => log.error({ err: error, key }, 'an outcome stays owed until the next start'))
      .finally(() => watched.delete(key))
    watched.set(key, telling)
  }

  return {
    owe: (key, owed) => notes.put(key, owed),
    watch,
    async resume() {
      for (const key of await notes.names()) watch(key)
    },
    async stop() {
      stopping.abort()
      await Promise.all(watched.values())
    },
  }
}
