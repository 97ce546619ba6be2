/**
 * Judges a run from outside: by the log of what the stand-ins accepted and by the public API. It shares no code with what it
 * judges.
 */
import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Audience, type Channel, channels, type Expectations, type Message } from '../expectations.ts'
import type { Verdict, Violation } from '../report.ts'
import type { ShapedMessages } from '../shaped-messages.ts'
import { connectApi, followAccepted, type History, readCalls } from './api.ts'
import { atOnce } from './at-once.ts'
import { resolveDoubts } from './doubts.ts'
import { createFindings } from './findings.ts'
import { judge } from './judge.ts'
import { isOver, judgeHistory } from './judge-history.ts'
import { countNextPhones } from './judge-next-phones.ts'
import { judgeCancelled, judgeWords, type People, type Told } from './judge-words.ts'
import { differences, readReceipts, stepsBack, tally } from './receipts.ts'
import { createShapedOracle, type ShapedOracle } from './shaped.ts'
import { miscounts } from './statistics.ts'
import { countRow, nameOf, type Watched, watch } from './watched.ts'

export interface Oracle {
  /**
   * Waits until every accepted message that is due has settled, and judges those that have. A message that has not after
   * `withinMs` is lost, and not waited for again; an API that is silent counts as not settled. One that fails fast waits no longer
   * once a call was another than the one it repeats: nobody takes it, so that its message never settles.
   * @param sinceMs Unix ms, when the trouble was over
   * @returns how long after it, or after their due time where that was later, the last one settled, in ms, by the API's
   * `settledAt`; 0 when none did after it; undefined when the time was over first
   */
  untilSettled(sinceMs: number, withinMs: number): Promise<number | undefined>
  /**
   * Waits for what is still to come (half a minute after the last due time at most), looks at everything once more and
   * judges it. Reads every receipt again: some 50 000 a second. One that has found enough listens to no words; where that is such a call,
   * it says what it has found by then. @throws Error when the API does not answer for a minute
   */
  verdict(): Promise<Verdict>
  /** whether it fails fast and has found something: a violation, or such a call; or it has found all that it looks for */
  isEnough(): Promise<boolean>
  /** `unknown`: receipts that said so when their message settled */
  soFar(): { readonly messages: number; readonly violations: readonly Violation[]; readonly unknown: number }
}

const pollMs = 75
const maxViewReads = 8
const maxReceiptReads = 4
const lastWaitMs = 120_000
/** a ledger may move while its receipts are read: a receipt of a provider came late */
const maxRecounts = 5
/** messages of a run at most, spread over all of it */
const askedOfCommandLine = 20
/** a command line that only says that the API is away for this long is not going to say anything else */
const commandLineMs = 180_000
const isAway = /does not answer|try again soon|was cut off/

export interface OracleDeps {
  readonly apiUrl: string
  readonly apiKey: string
  readonly sandboxUrl: string
  readonly expectations: Expectations
  /** what was asked of messages that go in steps, are corrected … */
  readonly shaped: ShapedMessages
  /** what has been found is enough: whatever else there may be is of no interest */
  readonly failFast: boolean
  /** the same once each of them is among the violations, as `<kind> <channel> <what>` */
  readonly until?: readonly RegExp[]
  /** what the command line says of a message, and how it ends */
  readonly askCommandLine: (key: string) => Promise<NonNullable<Told['commandLine']>>
}

export function createOracle(deps: OracleDeps): Oracle {
  return new WatchingOracle(deps)
}

class WatchingOracle implements Oracle {
  readonly #expectations: Expectations
  readonly #api: ReturnType<typeof connectApi>
  readonly #log: ReturnType<typeof followAccepted>
  readonly #shaped: ShapedOracle
  readonly #findings = createFindings()
  /** by marker */
  readonly #watched: Watched[] = []
  readonly #latenessMs: number[] = []
  readonly #askCommandLine: OracleDeps['askCommandLine']
  readonly #digests = new WeakMap<Audience, string>()
  readonly #sandboxUrl: string
  readonly #failFast: boolean
  readonly #until: readonly RegExp[]
  #unknown = 0

  constructor(deps: OracleDeps) {
    this.#expectations = deps.expectations
    this.#api = connectApi(deps)
    this.#log = followAccepted(deps.sandboxUrl)
    this.#shaped = createShapedOracle({
      ...deps,
      api: this.#api,
      clocksApartMs: deps.expectations.clocksApartMs,
    })
    this.#sandboxUrl = deps.sandboxUrl
    this.#failFast = deps.failFast
    this.#until = deps.until ?? []
    this.#askCommandLine = deps.askCommandLine
  }

  soFar() {
    return { messages: this.#accepted().length, violations: this.#findings.list, unknown: this.#unknown }
  }

  async isEnough(): Promise<boolean> {
    if (this.#until.length > 0 && this.#hasFoundAll()) return true
    return this.#failFast && (this.#findings.count > 0 || (await this.#isInVain()))
  }

  #hasFoundAll(): boolean {
    const found = this.#findings.list.map(({ kind, channel, what }) => `${kind} ${channel ?? '-'} ${what}`)
    return this.#until.every((pattern) => found.some((each) => pattern.test(each)))
  }

  #addAll(violations: readonly Violation[]): void {
    violations.forEach(this.#findings.add)
  }

  #note(kind: Violation['kind'], message: Message, what: string, where: Partial<Violation> = {}): void {
    this.#findings.add({ kind, message: nameOf(message), ...where, what })
  }

  #readRows() {
    return this.#log.read((row) => {
      countRow(row, this.#watched, this.#expectations, this.#findings)
      this.#shaped.take(row)
    })
  }

  #accepted(): Watched[] {
    return this.#watched.filter(({ message }) => message.standing === 'accepted')
  }

  /** Takes in what was asked since the last time. @returns the marker of the first */
  #admit(): number {
    const from = this.#watched.length
    this.#watched.push(...this.#expectations.messages.slice(from).map(watch))
    return from
  }

  /** as the API defines it: hex SHA-256 of the sorted ids joined by line feeds */
  #digestOf(audience: Audience): string {
    const digest =
      this.#digests.get(audience) ??
      createHash('sha256').update(Array.from(audience, this.#expectations.population.idOf).join('\n')).digest('hex')
    this.#digests.set(audience, digest)
    return digest
  }

  /** @returns the view of an accepted message; undefined when there is none to be had, which is said */
  async #read(entry: Watched): Promise<History | undefined> {
    const { message } = entry
    const view = await this.#api.history(message.key as string)
    if (!view) {
      this.#note('lost', message, 'was answered as accepted, and there is no history with its key')
      return undefined
    }
    this.#addAll(judgeHistory(message, view, this.#digestOf(message.audience), entry.view))
    entry.view = view
    return view.state === 'issued' ? undefined : view
  }

  async #readAll(entry: Watched): Promise<void> {
    const { receipts, severalPhones, since, named, asAsked } = await readReceipts(
      entry.message,
      this.#expectations,
      this.#api,
    )
    // cancelled before it started, a message keeps nobody's name
    const isForgotten = entry.view?.state === 'cancelled' && named === 0
    if (!asAsked && !isForgotten)
      this.#note('lost', entry.message, `its receipts name ${named} people, or others than asked for`)
    entry.receipts = receipts
    entry.severalPhones = severalPhones
    entry.since = since
  }

  /** Judges what has settled. Receipts are read first: whatever they claim must be in the log by then. */
  async #close(settled: readonly Watched[]): Promise<void> {
    await atOnce(maxReceiptReads, settled, (entry) => this.#readAll(entry))
    await this.#readRows()
    for (const entry of settled) {
      this.#addAll(judge(entry, this.#expectations))
      for (const codes of Object.values(entry.receipts)) this.#unknown += tally(codes).unknown
      const { at, startedAt } = entry.view ?? {}
      if (at !== undefined && startedAt !== undefined) this.#latenessMs.push(Date.parse(startedAt) - Date.parse(at))
    }
  }

  #giveUp({ message, view }: Watched, withinMs: number, why: string): void {
    const open = Object.entries(view?.channels ?? {}).filter(([, { state }]) => state !== 'settled')
    const lines = open.map(([channel, { state, pending }]) => `${channel} ${state} with ${pending} pending`)
    const told = [view?.state ?? 'never read', ...lines].join(', ')
    this.#note('lost', message, `has not settled within ${withinMs / 1000} s: ${told}${why}`)
  }

  async untilSettled(sinceMs: number, withinMs: number): Promise<number | undefined> {
    const giveUpAt = performance.now() + withinMs
    let latestMs = 0
    let why = ''
    try {
      await resolveDoubts(this.#expectations, this.#api, this.#admit())
      for (let due = this.#awaited(); due.length > 0; due = this.#awaited()) {
        latestMs = Math.max(latestMs, await this.#poll(due, sinceMs))
        if (due.every(({ standing }) => standing !== 'open')) continue
        if (await this.#isInVain()) return latestMs
        if (performance.now() > giveUpAt) break
        await sleep(pollMs)
      }
    } catch (error) {
      why = `; ${error instanceof Error ? error.message : error}`
    }
    const overdue = this.#awaited()
    for (const entry of overdue) {
      entry.standing = 'overdue'
      this.#giveUp(entry, withinMs, why)
    }
    return overdue.length > 0 || why !== '' ? undefined : latestMs
  }

  async #isInVain(): Promise<boolean> {
    return this.#failFast && (await readCalls(this.#sandboxUrl)).changed > 0
  }

  /** those that are due and have not settled */
  #awaited(): Watched[] {
    const now = Date.now()
    return this.#accepted().filter(({ message, standing }) => standing === 'open' && message.notBeforeMs <= now)
  }

  /** Judges those that have settled meanwhile. @returns how long after `sinceMs`, or their due time, the last of them did, ms */
  async #poll(entries: readonly Watched[], sinceMs: number): Promise<number> {
    const settled: Watched[] = []
    let latestMs = 0
    await atOnce(maxViewReads, entries, async (entry) => {
      const view = await this.#read(entry)
      if (view && !isOver(view)) return
      entry.standing = 'closed'
      if (!view) return
      settled.push(entry)
      if (view.settledAt === undefined) return
      const afterMs = Math.max(sinceMs, entry.message.notBeforeMs)
      latestMs = Math.max(latestMs, Date.parse(view.settledAt) - afterMs)
    })
    await this.#close(settled)
    return latestMs
  }

  /** The receipts once more: nothing has become weaker since, and they add up to the ledger. */
  async #lookAgain(entry: Watched): Promise<void> {
    const { message, receipts: before } = entry
    for (let recounts = 0; recounts < maxRecounts; recounts += 1) {
      const view = await this.#read(entry)
      if (!view) return
      await this.#readAll(entry)
      const different = differences(view, entry.receipts)
      if (different.length === 0) break
      const again = await this.#read(entry)
      if (JSON.stringify(again?.channels) !== JSON.stringify(view.channels)) continue
      for (const { channel, what } of different) this.#note('imbalance', message, what, { channel })
      break
    }
    for (const { channel, ordinal, what } of stepsBack(before, entry.receipts)) {
      this.#note('told-falsely', message, what, {
        channel,
        person: this.#expectations.population.idOf(message.audience[ordinal] as number),
      })
    }
  }

  /**
   * What is told in words, beside the receipts as they were read last.
   * @returns false when they moved meanwhile: a report of a provider came
   */
  async #listen({ message, view, receipts }: Watched, asksCommandLine: boolean): Promise<boolean> {
    const key = message.key as string
    const report = await this.#api.report(key)
    if (!report || !view || !isOver(view)) return true
    const commandLine = asksCommandLine ? { commandLine: await this.#hear(key) } : {}
    const { sentence, history } = report
    const after = await this.#api.history(key)
    const told = [view, history, after].map((each) => JSON.stringify(each?.channels))
    if (new Set(told).size > 1) return false
    const words: Told = { sentence, people: history.people as People | undefined, ...commandLine }
    this.#addAll(view.state === 'cancelled' ? judgeCancelled(message, words) : judgeWords(message, receipts, words))
    return true
  }

  /** It tells of an API that is away, and ends: then it is asked again, as the API is. */
  async #hear(key: string): Promise<NonNullable<Told['commandLine']>> {
    for (const giveUpAt = performance.now() + commandLineMs; ; await sleep(pollMs)) {
      const told = await this.#askCommandLine(key)
      if (told.code !== 2 || !isAway.test(told.err) || performance.now() > giveUpAt) return told
    }
  }

  /** Every message is listened to; the command line is a process each time, so it is asked of some. */
  async #listenToAll(): Promise<void> {
    const all = this.#accepted()
    const step = Math.max(1, Math.ceil(all.length / askedOfCommandLine))
    await atOnce(maxReceiptReads, [...all.entries()], async ([index, entry]) => {
      for (let recounts = 0; recounts < maxRecounts; recounts += 1) {
        if (await this.#listen(entry, index % step === 0)) return
        await this.#read(entry)
        await this.#readAll(entry)
      }
    })
  }

  /** Reads the receipts again where the ledger has moved since. @returns whether the history is there */
  async #catchUp(entry: Watched): Promise<boolean> {
    const before = JSON.stringify(entry.view?.channels)
    const view = await this.#read(entry)
    if (view && JSON.stringify(view.channels) !== before) await this.#readAll(entry)
    return view !== undefined
  }

  /** Statistics are counted beside the ledgers, in the same steps: whatever was killed in between, they agree. */
  async #askStatistics(): Promise<void> {
    for (let recounts = 0; recounts < maxRecounts; recounts += 1) {
      const before = await this.#api.statistics()
      const found: Watched[] = []
      await atOnce(maxReceiptReads, this.#accepted(), async (entry) => {
        if (await this.#catchUp(entry)) found.push(entry)
      })
      // a report of a provider came meanwhile
      if (JSON.stringify(await this.#api.statistics()) !== JSON.stringify(before)) continue
      for (const { channel, what } of miscounts(before, found))
        this.#findings.add({ kind: 'imbalance', message: 'statistics', channel, what })
      return
    }
  }

  async #lookAtEverything(): Promise<void> {
    this.#admit()
    await resolveDoubts(this.#expectations, this.#api, 0)
    const lastDueMs = this.#accepted().reduce((last, { message }) => Math.max(last, message.notBeforeMs), 0)
    await sleep(Math.max(0, lastDueMs - Date.now()))
    await this.untilSettled(Date.now(), lastWaitMs)
    await atOnce(maxReceiptReads, this.#accepted(), (entry) => this.#lookAgain(entry))
    if (!(await this.isEnough())) await this.#listenToAll()
    await this.#readRows()
    for (const entry of this.#watched) this.#addAll(judge(entry, this.#expectations))
    await this.#askStatistics()
  }

  async verdict(): Promise<Verdict> {
    const isInVain = await this.#isInVain()
    if (!isInVain) await this.#lookAtEverything()
    const shaped = await this.#shaped.judge(isInVain ? 0 : lastWaitMs, () => this.#readRows())
    if (!isInVain) this.#addAll(shaped.violations)
    const all = this.#accepted()
    const unknownOf = (channel: Channel) =>
      all.reduce((total, { receipts }) => total + tally(receipts[channel]).unknown, 0) +
      (channel === 'sms' ? shaped.unknownSms : 0)
    return {
      messages: all.length + shaped.counts.messages,
      recipients:
        all.reduce((total, { message }) => total + message.audience.length * message.channels.length, 0) +
        shaped.recipients,
      lost: this.#findings.lost,
      toldFalsely: this.#findings.toldFalsely,
      duplicated: byChannel(this.#findings.duplicated),
      unknown: byChannel(unknownOf),
      nextPhones: countNextPhones(all),
      calls: await readCalls(this.#sandboxUrl),
      ledgerImbalances: this.#findings.imbalances,
      shaped: shaped.counts,
      startLatenessMs: spreadOf(this.#latenessMs),
      violations: this.#findings.list,
    }
  }
}

const byChannel = (of: (channel: Channel) => number) =>
  Object.fromEntries(channels.map((channel) => [channel, of(channel)])) as Record<Channel, number>

function spreadOf(values: readonly number[]): Verdict['startLatenessMs'] {
  if (values.length === 0) return null
  const sorted = values.toSorted((a, b) => a - b)
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] as number
  return { p50: at(0.5), p99: at(0.99), max: at(1) }
}
