/** Judges messages in steps, to be confirmed, corrected, withdrawn, merged and personal ones: by the logs of the stand-ins and by the API. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { ShapedCounts, Violation } from '../report.ts'
import type { ShapedMessage, ShapedMessages } from '../shaped-messages.ts'
import { type AcceptedRow, type Api, readRevisions } from './api.ts'
import { atOnce } from './at-once.ts'
import { judgeConfirmed } from './judge-confirmed.ts'
import { isOver } from './judge-history.ts'
import { judgePair } from './judge-pairs.ts'
import { judgeShaped } from './judge-shaped.ts'
import { judgeSteps } from './judge-steps.ts'
import { judgeCorrection, judgeRecall } from './judge-versions.ts'
import { createReader, latestOf, type Shown } from './phones.ts'
import type { Add, Seen, ShapedHistory, ShapedReceipt } from './shaped-views.ts'

export interface ShapedOracle {
  /** Keeps a row of `/accepted` that is of these messages. */
  take(row: AcceptedRow): void
  /** Waits until all have settled, for so long at most. @param readRows has `take` called with every row there is by then */
  judge(withinMs: number, readRows: () => Promise<void>): Promise<Judged>
}

export interface Judged {
  readonly violations: readonly Violation[]
  readonly counts: ShapedCounts
  readonly recipients: number
  readonly unknownSms: number
}

export interface ShapedOracleDeps {
  readonly api: Api
  readonly sandboxUrl: string
  readonly shaped: ShapedMessages
  readonly clocksApartMs: number
}

const pollMs = 200
const maxReads = 4
/** a ledger may move while its receipts are read: a report of a provider came late */
const maxRecounts = 5

export function createShapedOracle(deps: ShapedOracleDeps): ShapedOracle {
  return new JudgingShaped(deps)
}

/** What the API says of one. */
type Read = Pick<Seen, 'message' | 'view' | 'receipts'>

/** All that was counted of those that settled. */
const nothing = () => ({
  inSteps: 0,
  spared: 0,
  confirmed: 0,
  noted: 0,
  corrections: 0,
  edited: 0,
  alsoTold: 0,
  followedUp: 0,
  uncorrected: 0,
  recalls: 0,
  deleted: 0,
  remaining: 0,
  joined: 0,
  personal: 0,
})

class JudgingShaped implements ShapedOracle {
  readonly #deps: ShapedOracleDeps
  readonly #read: (row: AcceptedRow) => Shown | undefined
  /** by marker */
  readonly #shown: Shown[][] = []
  readonly #violations: Violation[] = []
  readonly #counts = nothing()
  #messages = 0
  #recipients = 0
  #unknownSms = 0

  constructor(deps: ShapedOracleDeps) {
    this.#deps = deps
    this.#read = createReader(deps.shaped.people)
  }

  take(row: AcceptedRow): void {
    const shown = this.#read(row)
    for (const marker of shown?.markers ?? []) {
      this.#shown[marker] ??= []
      this.#shown[marker].push(shown as Shown)
    }
  }

  #adding(message: ShapedMessage): Add {
    const name = message.key ?? `s${message.marker} (no key was told)`
    return (kind, what, where = {}) => this.#violations.push({ kind, message: name, ...where, what })
  }

  async judge(withinMs: number, readRows: () => Promise<void>): Promise<Judged> {
    const giveUpAt = performance.now() + withinMs
    const accepted = this.#deps.shaped.messages.filter(({ standing }) => standing === 'accepted')
    await atOnce(maxReads, accepted, (message) => this.#untilOver(message, giveUpAt))
    const read: Read[] = []
    await atOnce(maxReads, accepted, async (message) => {
      const found = await this.#readAll(message)
      if (found) read.push(found)
    })
    // receipts are read first: whatever they claim must be in the logs by then
    await readRows()
    const nowOf = latestOf(await readRevisions(this.#deps.sandboxUrl))
    for (const message of this.#deps.shaped.messages) this.#judgeStanding(message)
    const { clocksApartMs } = this.#deps
    for (const seen of read)
      this.#judgeOne({ ...seen, shown: this.#shown[seen.message.marker] ?? [], nowOf, clocksApartMs })
    const counts = { messages: this.#messages, ...this.#counts }
    return { violations: this.#violations, counts, recipients: this.#recipients, unknownSms: this.#unknownSms }
  }

  async #untilOver(message: ShapedMessage, giveUpAt: number): Promise<void> {
    for (;;) {
      const view = await this.#deps.api.history(message.key as string)
      if (!view) return this.#adding(message)('lost', 'was answered as accepted, and there is no history with its key')
      if (isOver(view)) return
      if (performance.now() > giveUpAt) {
        const open = Object.entries(view.channels).map(
          ([channel, { state, pending }]) => `${channel} ${state} with ${pending} pending`,
        )
        return this.#adding(message)('lost', `has not settled: ${view.state}, ${open.join(', ')}`)
      }
      await sleep(pollMs)
    }
  }

  /** Once more, while a report of a provider comes between the two. */
  async #readAll(message: ShapedMessage): Promise<Read | undefined> {
    const { api } = this.#deps
    const key = message.key as string
    for (let tried = 1; ; tried += 1) {
      const view = (await api.history(key)) as ShapedHistory | undefined
      const receipts: ShapedReceipt[] = []
      for await (const page of api.receipts(key)) receipts.push(...(page as readonly ShapedReceipt[]))
      const after = await api.history(key)
      if (!view || !after || !isOver(view)) return undefined
      if (JSON.stringify(view) === JSON.stringify(after) || tried === maxRecounts) return { message, view, receipts }
    }
  }

  #judgeStanding(message: ShapedMessage): void {
    const add = this.#adding(message)
    for (const what of message.contradictions) add('told-falsely', what)
    const isTaken = this.#shown[message.marker] !== undefined
    if (message.standing === 'refused' && isTaken) add('told-falsely', 'refused, yet a provider accepted it')
  }

  #judgeOne(seen: Seen): void {
    const { message, view, receipts, shown } = seen
    const add = this.#adding(message)
    this.#messages += 1
    this.#recipients += message.people.length * message.channels.length
    this.#unknownSms += receipts.filter(({ channels }) => channels.sms?.state === 'unknown').length
    if (view.state === 'cancelled') {
      if (!message.withdrawal) add('told-falsely', 'says cancelled; nobody cancelled it')
      if (shown.length > 0) add('told-falsely', 'was cancelled before it started, yet a provider accepted it')
      return
    }
    judgeShaped(seen, add)
    this.#count(seen, add)
  }

  #count(seen: Seen, add: Add): void {
    const counts = this.#counts
    const { message } = seen
    if (message.steps) counts.inSteps += 1
    if (message.isPersonal) counts.personal += 1
    counts.spared += judgeSteps(seen, add)
    counts.confirmed += judgeConfirmed(seen, add)
    counts.noted += message.notedOf.size
    counts.joined += judgePair(seen, add)
    const corrected = judgeCorrection(seen, add)
    if (corrected) {
      counts.corrections += 1
      counts.edited += corrected.edited
      counts.alsoTold += corrected.alsoTold
      counts.followedUp += corrected.followedUp
      counts.uncorrected += corrected.uncorrected
    }
    const withdrawn = judgeRecall(seen, add)
    if (withdrawn) {
      counts.recalls += 1
      counts.deleted += withdrawn.deleted
      counts.remaining += withdrawn.remaining
    }
  }
}
