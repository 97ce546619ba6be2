/**
 * Tells in the chat what has become of a message that is over, and goes on telling: the message that showed its progress
 * shows its outcome as it is now, and when somebody does not have it who seemed to, a line of its own says so.
 */
import { type HistoryView, missedIn } from '@courier-fleet/api-types'
import { type Client, isRefusal } from '@courier-fleet/client'
import { type Log, sleep } from '@courier-fleet/process'
import { outcomeWords } from '@courier-fleet/words'
import type { OutgoingMessage } from '../store/chat.ts'
import { shortened, type WaysLeft, type Words } from '../texts/words.ts'
import type { Shown } from './offers.ts'
import { outcomeOf } from './outcome.ts'
import { createThrottled, type Throttled } from './throttled.ts'

/** one line tells of many that fail soon after another */
const lineEveryMs = 600_000
const retryMs = 1000

export interface OutcomeTeller {
  /** As it is now; later ones win. */
  tell(history: HistoryView): void
  /** As it is in the end; resolves when it was told. */
  finish(history: HistoryView): Promise<void>
}

export interface TellOutcomeDeps {
  readonly message: OutgoingMessage
  readonly client: Client
  readonly words: Words
  /** the message of the chat */
  readonly edit: Throttled<Shown>
  /** What is said of it, as the message shows it. */
  readonly show: (said: string, history: HistoryView, left: WaysLeft | undefined) => Shown
  /** Writes a message of its own, once for each number. */
  readonly write: (text: string, number: number) => Promise<void>
  /** Keeps how many were told to be without it. */
  readonly keepTold: (told: number) => Promise<void>
  readonly everyMs: number
  readonly log: Log
  readonly signal: AbortSignal
}

export function createOutcomeTeller(deps: TellOutcomeDeps): OutcomeTeller {
  const { message, words, edit, show, write, keepTold, everyMs, log, signal } = deps
  const onTrouble = (error: unknown) =>
    log.warn({ key: message.key, err: error }, 'cannot tell what became of a message')
  let { told } = message
  let shown: Shown | undefined
  let seen = ''

  async function keep(missed: number): Promise<void> {
    told = missed
    await keepTold(missed)
  }

  const lines = createThrottled<HistoryView>({
    everyMs: lineEveryMs,
    signal,
    onTrouble,
    async put(history) {
      const missed = missedIn(history)
      if (missed <= (told ?? 0)) return
      const { sentence } = outcomeWords(message.language, history)
      await write(words.worse(shortened(history.text ?? '', 60), sentence), missed)
      await keep(missed)
    },
  })

  const outcome = createThrottled<HistoryView>({
    everyMs,
    signal,
    onTrouble,
    async put(history) {
      const outcomeNow = await ofNow(history, deps)
      shown = show(words.outcome(outcomeNow), history, outcomeNow.left)
      const isWorse = told !== undefined && missedIn(history) > told
      // before it is shown: whoever goes on after a crash would take what it finds then for what was told
      if (told === undefined) await keep(missedIn(history))
      edit.write(shown)
      if (isWorse) lines.write(history)
    },
  })

  return {
    tell(history) {
      const people = JSON.stringify(history.people)
      if (people === seen) return
      seen = people
      outcome.write(history)
    },
    async finish(history) {
      await outcome.finish(history)
      if (shown) await edit.finish(shown)
      await lines.finish(history)
    },
  }
}

/** The API is waited for. @throws ApiError for a refusal */
async function ofNow(history: HistoryView, { client, message, log, signal }: TellOutcomeDeps) {
  for (;;) {
    signal.throwIfAborted()
    try {
      return await outcomeOf(client, history, message.language)
    } catch (error) {
      if (isRefusal(error)) throw error
      log.debug({ key: message.key, reason: (error as Error).message }, 'cannot read who has a message')
      await sleep(retryMs, signal)
    }
  }
}
