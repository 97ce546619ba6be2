/**
 * Tells senders what has become of their messages: what is owed is noted before they hear that it was accepted. An SMS is paid
 * for, so there are two at most: what is known soon, and once, when it has come to light since that people are without it.
 */
import type { HistoryView } from '@courier-fleet/api-types'
import { missedIn, reportsComeMs } from '@courier-fleet/api-types/outcome'
import { type Client, isRefusal, UnreachableError } from '@courier-fleet/client'
import { type Clock, type Log, sleep } from '@courier-fleet/process'
import type { Answers } from '../answers.ts'
import { isProblem } from '../api-problems.ts'
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
  /** what is told: how many are without it, or perhaps; and when, Unix ms */
  readonly told?: {
    readonly missed: number
    readonly at: number
    /** noted before it is given: whoever goes on after a crash gives the same, and knows what was said */
    readonly text?: string
  }
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

/**
 *   owed    ─► what is known by then is noted, as it will be told
 *   noted   ─► given, once however often: noted as told
 *   told    ─► what is reported later is watched; corrected once where it is worse, and then nothing is owed
 *
 * Who dies between two steps leaves the one before to whoever goes on.
 */
function createSteps({ notes, answers, clock, log, outcomeMs }: Omit<OutcomesDeps, 'fleet'>, signal: AbortSignal) {
  /** Notes what is to be told. @returns false when that is nothing */
  async function decide(key: string, owed: Owed, client: Client): Promise<boolean> {
    const history = await nearEnd(key, owed.until, client, { clock, outcomeMs, signal })
    if (!(await notes.get(key))) return false
    // an issued key nobody has put anything under: the message was never accepted, or will be when it comes again
    if (history.state === 'issued') return false
    const text = wordingFor(owed.language).outcome(history, owed.name)
    await notes.put(key, { ...owed, told: { missed: missedIn(history), at: clock.now(), text } })
    return true
  }

  async function report(key: string, owed: Owed, { text = '', ...told }: NonNullable<Owed['told']>): Promise<void> {
    await give(key, owed, text, 'outcome')
    await notes.put(key, { ...owed, told })
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

  /** @returns whether there is another to take */
  return async function takeStep(key: string, owed: Owed, client: Client): Promise<boolean> {
    if (!owed.told) return decide(key, owed, client)
    const isGiven = owed.told.text === undefined
    await (isGiven ? correct(key, owed, owed.told, client) : report(key, owed, owed.told))
    return !isGiven
  }
}

export function createOutcomes(deps: OutcomesDeps): Outcomes {
  const { notes, fleet, log } = deps
  const stopping = new AbortController()
  const { signal } = stopping
  const takeStep = createSteps(deps, signal)
  const watched = new Map<string, Promise<void>>()

  async function tell(key: string): Promise<void> {
    while (!signal.aborted) {
      try {
        const owed = await notes.get(key)
        const client = owed && fleet.forContact(owed.address, signal)
        if (owed && client && (await takeStep(key, owed, client))) continue
        if (!signal.aborted) await notes.remove(key)
        return
      } catch (error) {
        if (signal.aborted) return
        if (isRefusal(error)) {
          log.warn({ err: error, key }, 'an outcome cannot be told')
          return await notes.remove(key)
        }
        if (isProblem(error, 'too-many-answers')) {
          log.info({ key, detail: error.problem.detail }, 'an outcome waits: too many answers to its sender')
          await sleep((error.retryAfter ?? 1) * 1000, signal)
          continue
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
