/**
 * Tells senders what has become of their messages: what is owed is noted before they hear that it was accepted. An SMS is paid
 * for, so there are two at most: what is known soon, and once, when it has come to light since that people are without it.
 */
import type { HistoryView } from '@courier-fleet/api-types'
import { missedIn, reportsComeMs } from '@courier-fleet/api-types/outcome'
import { type Client, UnreachableError } from '@courier-fleet/client'
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
  /** what they are called whom it was for */
  readonly name?: string
  /** Unix ms; what is known by then is told */
  readonly until: number
  /** what was told: how many are without it, or perhaps; and when, Unix ms */
  readonly told?: { readonly missed: number; readonly at: number }
}

export interface Outcomes {
  owe(key: string, owed: Owed): Promise<void>
  /** It was told already. */
  forget(key: string): Promise<void>
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
  /** how long an outcome is waited for, once it is due */
  readonly outcomeMs: number
}

/** of one call */
const maxTrackSeconds = 60
const retryMs = 1000
/** what fails one after the other is told together */
const gatherMs = 120_000
/** most reports come soon; after that time one looks now and then */
const soonMs = 1_800_000
const laterEveryMs = 600_000

export function createOutcomes({ notes, answers, fleet, clock, log, outcomeMs }: OutcomesDeps): Outcomes {
  const stopping = new AbortController()
  const { signal } = stopping
  const watched = new Map<string, Promise<void>>()

  /** @returns false when there is nothing more to tell */
  async function report(key: string, owed: Owed, client: Client): Promise<boolean> {
    const history = await nearEnd(key, owed.until, client, { clock, outcomeMs, signal })
    if (!(await notes.get(key))) return false
    // an issued key nobody has put anything under: the message was never accepted, or will be when it comes again
    if (history.state === 'issued') return false
    const told = { missed: missedIn(history), at: clock.now() }
    await give(key, owed, wordingFor(owed.language).outcome(history, owed.name), 'outcome')
    await notes.put(key, { ...owed, told })
    return isOpen(history)
  }

  /** Follows what may still be reported, and corrects what was told once. */
  async function correct(key: string, owed: Owed, told: NonNullable<Owed['told']>, client: Client): Promise<void> {
    let worseSince: number | undefined
    while (!signal.aborted) {
      const age = clock.now() - told.at
      const { history } = await client.track(key, age < soonMs ? maxTrackSeconds : 0, 'delivered')
      if (missedIn(history) > told.missed) worseSince ??= clock.now()
      const isGathered = worseSince !== undefined && clock.now() - worseSince >= gatherMs
      const isOverNow = !isOpen(history) || age > reportsComeMs
      if (worseSince !== undefined && (isGathered || isOverNow))
        return give(key, owed, wordingFor(owed.language).correction(history, owed.name), 'correction')
      if (isOverNow) return
      if (age >= soonMs) await sleep(laterEveryMs, signal)
    }
  }

  async function give(key: string, { address }: Owed, text: string, what: 'outcome' | 'correction'): Promise<void> {
    const notGiven = await answers.give(address, { text, key: `${key}.${what}` })
    if (notGiven !== undefined)
      log.info({ key }, 'the sender is not to be written to any more; the outcome stays untold')
  }

  async function tell(key: string): Promise<void> {
    while (!signal.aborted) {
      try {
        const owed = await notes.get(key)
        const client = owed && fleet.forContact(owed.address, signal)
        if (owed && client && !owed.told && (await report(key, owed, client))) continue
        if (owed?.told && client) await correct(key, owed, owed.told, client)
        if (!signal.aborted) await notes.remove(key)
        return
      } catch (error) {
        if (signal.aborted) return
        if (isRefusal(error)) {
          log.warn({ err: error, key }, 'an outcome cannot be told')
          return await notes.remove(key)
        }
        if (!(error instanceof UnreachableError)) log.warn({ err: error, key }, 'an outcome could not be told yet')
        await sleep(retryMs, signal)
      }
    }
  }

  function watch(key: string): void {
    if (watched.has(key) || signal.aborted) return
    const telling = tell(key)
      .catch((error: unknown) => log.error({ err: error, key }, 'an outcome stays owed until the next start'))
      .finally(() => watched.delete(key))
    watched.set(key, telling)
  }

  return {
    owe: (key, owed) => notes.put(key, owed),
    forget: (key) => notes.remove(key),
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

/** As it is so long after it is due; moved meanwhile, it is waited for until then. */
async function nearEnd(
  key: string,
  known: number,
  client: Client,
  { clock, outcomeMs, signal }: Pick<OutcomesDeps, 'clock' | 'outcomeMs'> & { readonly signal: AbortSignal },
): Promise<HistoryView> {
  for (let until = known; ; ) {
    const leftSeconds = Math.max(0, (until - clock.now()) / 1000)
    const { settled, history } = await client.track(key, Math.min(leftSeconds, maxTrackSeconds))
    if (history.state === 'scheduled') {
      const dueMs = Date.parse(history.at ?? '')
      until = dueMs + outcomeMs
      await sleep(Math.min(Math.max(dueMs - clock.now(), 0), laterEveryMs), signal)
      signal.throwIfAborted()
    } else if (settled || leftSeconds <= maxTrackSeconds) return history
  }
}

/** Whether it may still become known that somebody does not have it. */
const isOpen = ({ people }: HistoryView) => people !== undefined && people.handedOver + people.pending > 0
