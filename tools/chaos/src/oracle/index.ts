/**
 * Judges a run from outside: by the log of what the stand-ins accepted and by the public API. It shares no code with what it
 * judges.
 */
import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Audience, Book, Channel, Message } from '../book.ts'
import type { Verdict, Violation } from '../report.ts'
import { connectApi, followAccepted, type History } from './api.ts'
import { resolveDoubts } from './doubts.ts'
import { createFindings } from './findings.ts'
import { judge } from './judge.ts'
import { isOver, judgeHistory } from './judge-history.ts'
import { differences, readReceipts, stepsBack, tally } from './receipts.ts'
import { countRow, nameOf, type Watched, watch } from './watched.ts'

export interface Oracle {
  /**
   * Waits until every accepted message that is due has settled, and judges those that have. A message that has not after
   * `withinMs` is lost, and not waited for again; an API that is silent counts as not settled.
   * @param sinceMs Unix ms, when the trouble was over
   * @returns how long after it, or after their due time where that was later, the last one settled, in ms, by the API's
   * `settledAt`; 0 when none did after it; undefined when the time was over first
   */
  untilSettled(sinceMs: number, withinMs: number): Promise<number | undefined>
  /**
   * Waits for what is still to come (half a minute after the last due time at most), looks at everything once more and
   * judges it. Reads every receipt again: some 50 000 a second. @throws Error when the API does not answer for a minute
   */
  verdict(): Promise<Verdict>
  /** `unknown`: receipts that said so when their message settled */
  soFar(): { readonly messages: number; readonly violations: number; readonly unknown: number }
}

const pollMs = 75
const viewsAtOnce = 8
const receiptsAtOnce = 4
const lastWaitMs = 30_000
/** a ledger may move while its receipts are read: a receipt of a provider came late */
const mostRecounts = 5

export function createOracle(deps: { apiUrl: string; apiKey: string; sandboxUrl: string; book: Book }): Oracle {
  const { book } = deps
  const api = connectApi(deps)
  const log = followAccepted(deps.sandboxUrl)
  const findings = createFindings()
  /** by marker */
  const watched: Watched[] = []
  const latenessMs: number[] = []
  const digests = new WeakMap<Audience, string>()
  let unknown = 0

  const addAll = (violations: readonly Violation[]) => violations.forEach(findings.add)
  const note = (kind: Violation['kind'], message: Message, what: string, where: Partial<Violation> = {}) =>
    findings.add({ kind, message: nameOf(message), ...where, what })
  const readRows = () => log.read((row) => countRow(row, watched, book, findings))
  const accepted = () => watched.filter(({ message }) => message.standing === 'accepted')

  /** Takes in what was asked since the last time. @returns the marker of the first */
  function admit(): number {
    const from = watched.length
    watched.push(...book.messages.slice(from).map(watch))
    return from
  }

  /** as the API defines it: hex SHA-256 of the sorted ids joined by line feeds */
  function digestOf(audience: Audience): string {
    const digest =
      digests.get(audience) ??
      createHash('sha256').update(Array.from(audience, book.population.idOf).join('\n')).digest('hex')
    digests.set(audience, digest)
    return digest
  }

  /** @returns the view of an accepted message; undefined when there is none to be had, which is said */
  async function look(entry: Watched): Promise<History | undefined> {
    const { message } = entry
    const view = await api.history(message.key as string)
    if (!view) {
      note('lost', message, 'was answered as accepted, and there is no history with its key')
      return undefined
    }
    addAll(judgeHistory(message, view, digestOf(message.audience), entry.view))
    entry.view = view
    return view.state === 'issued' ? undefined : view
  }

  async function readAll(entry: Watched): Promise<void> {
    const { receipts, named, asAsked } = await readReceipts(entry.message, book, api)
    if (!asAsked) note('lost', entry.message, `its receipts name ${named} people, or others than asked for`)
    entry.receipts = receipts
  }

  /** Judges what has settled. Receipts are read first: whatever they claim must be in the log by then. */
  async function close(settled: readonly Watched[]): Promise<void> {
    await atOnce(receiptsAtOnce, settled, readAll)
    await readRows()
    for (const entry of settled) {
      addAll(judge(entry, book))
      for (const codes of Object.values(entry.receipts)) unknown += tally(codes).unknown
      const { at, startedAt } = entry.view ?? {}
      if (at !== undefined && startedAt !== undefined) latenessMs.push(Date.parse(startedAt) - Date.parse(at))
    }
  }

  function giveUp({ message, view }: Watched, withinMs: number, why: string): void {
    const open = Object.entries(view?.channels ?? {}).filter(([, { state }]) => state !== 'settled')
    const lines = open.map(([channel, { state, pending }]) => `${channel} ${state} with ${pending} pending`)
    const told = [view?.state ?? 'never read', ...lines].join(', ')
    note('lost', message, `has not settled within ${withinMs / 1000} s: ${told}${why}`)
  }

  async function untilSettled(sinceMs: number, withinMs: number): Promise<number | undefined> {
    const giveUpAt = performance.now() + withinMs
    let latestMs = 0

    const awaited = () => {
      const now = Date.now()
      return accepted().filter(({ message, standing }) => standing === 'open' && message.notBeforeMs <= now)
    }

    /** @returns how many are still open */
    async function pollAll(entries: readonly Watched[]): Promise<number> {
      const settled: Watched[] = []
      await atOnce(viewsAtOnce, entries, async (entry) => {
        const view = await look(entry)
        if (view && !isOver(view)) return
        entry.standing = 'closed'
        if (!view) return
        settled.push(entry)
        if (view.settledAt === undefined) return
        const afterMs = Math.max(sinceMs, entry.message.notBeforeMs)
        latestMs = Math.max(latestMs, Date.parse(view.settledAt) - afterMs)
      })
      await close(settled)
      return entries.filter(({ standing }) => standing === 'open').length
    }

    let why = ''
    try {
      await resolveDoubts(book, api, admit())
      for (let due = awaited(); due.length > 0; due = awaited()) {
        if ((await pollAll(due)) === 0) continue
        if (performance.now() > giveUpAt) break
        await sleep(pollMs)
      }
    } catch (error) {
      why = `; ${error instanceof Error ? error.message : error}`
    }
    const overdue = awaited()
    for (const entry of overdue) {
      entry.standing = 'overdue'
      giveUp(entry, withinMs, why)
    }
    return overdue.length > 0 || why !== '' ? undefined : latestMs
  }

  /** The receipts once more: nothing has become weaker since, and they add up to the ledger. */
  async function lookAgain(entry: Watched): Promise<void> {
    const { message, receipts: before } = entry
    for (let recounts = 0; recounts < mostRecounts; recounts += 1) {
      const view = await look(entry)
      if (!view) return
      await readAll(entry)
      const different = differences(view, entry.receipts)
      if (different.length === 0) break
      const again = await look(entry)
      if (JSON.stringify(again?.channels) !== JSON.stringify(view.channels)) continue
      for (const { channel, what } of different) note('imbalance', message, what, { channel })
      break
    }
    for (const { channel, place, what } of stepsBack(before, entry.receipts)) {
      note('told-falsely', message, what, { channel, person: book.population.idOf(message.audience[place] as number) })
    }
  }

  return {
    untilSettled,
    soFar: () => ({ messages: accepted().length, violations: findings.count, unknown }),

    async verdict() {
      admit()
      await resolveDoubts(book, api, 0)
      const lastDueMs = accepted().reduce((last, { message }) => Math.max(last, message.notBeforeMs), 0)
      await sleep(Math.max(0, lastDueMs - Date.now()))
      await untilSettled(Date.now(), lastWaitMs)
      await atOnce(receiptsAtOnce, accepted(), lookAgain)
      await readRows()
      for (const entry of watched) addAll(judge(entry, book))

      const all = accepted()
      const unknownOf = (channel: Channel) =>
        all.reduce((total, { receipts }) => total + tally(receipts[channel]).unknown, 0)
      return {
        messages: all.length,
        recipients: all.reduce((total, { message }) => total + message.audience.length * message.channels.length, 0),
        lost: findings.lost,
        toldFalsely: findings.toldFalsely,
        duplicated: byChannel(findings.duplicated),
        unknown: byChannel(unknownOf),
        ledgerImbalances: findings.imbalances,
        startLatenessMs: spreadOf(latenessMs),
        violations: findings.list,
      }
    },
  }
}

const byChannel = (of: (channel: Channel) => number) => ({ telegram: of('telegram'), vk: of('vk'), sms: of('sms') })

function spreadOf(values: readonly number[]): Verdict['startLatenessMs'] {
  if (values.length === 0) return null
  const sorted = values.toSorted((a, b) => a - b)
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] as number
  return { p50: at(0.5), p99: at(0.99), max: at(1) }
}

/** Does it to every item, at most so many at a time. */
async function atOnce<T>(most: number, items: readonly T[], action: (item: T) => Promise<void>): Promise<void> {
  const left = items.values()
  const work = async () => {
    for (const item of left) await action(item)
  }
  await Promise.all(Array.from({ length: most }, work))
}
