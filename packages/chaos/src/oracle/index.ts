/**
 * Judges a run from outside: by the log of what the stand-ins accepted and by the public API. It shares no code with what it
 * judges.
 */
import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Audience, type Book, type Channel, channels, type Message, markerIn } from '../book.ts'
import type { Verdict, Violation } from '../report.ts'
import { connectApi, followAccepted, type History } from './api.ts'
import { createFindings } from './findings.ts'
import { isOver, judgeHistory } from './judge-history.ts'
import { failedLater, judgeForbidden, judgeReceipts } from './judge-receipts.ts'
import { codeOf, mayBecome, type State, stateOf, states } from './states.ts'
import { countRow, nameOf, type Watched, watch } from './watched.ts'

export interface Oracle {
  /**
   * Waits until every accepted message that is due has settled, and judges those that have. A message that has not after
   * `withinMs` is lost, and not waited for again.
   * @param sinceMs Unix ms, when the trouble was over
   * @returns how long after it, or after their due time where that was later, the last one settled, in ms, by the API's
   * `settledAt`; 0 when none did after it; undefined when the time was over first
   */
  untilSettled(sinceMs: number, withinMs: number): Promise<number | undefined>
  /**
   * Waits for what is still to come (half a minute after the last due time at most), looks at everything once more and
   * judges it. Reads every receipt: about a second for 50 000. @throws Error when the API does not answer for a minute
   */
  verdict(): Promise<Verdict>
  /** `unknown`: receipts that said so when their message settled */
  soFar(): { readonly messages: number; readonly violations: number; readonly unknown: number }
}

const pollMs = 75
/** requests at once, by the kind of what is read */
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
  const sums = new WeakMap<Audience, string>()
  let unknown = 0
  let doubtsSeen = 0

  const addAll = (violations: readonly Violation[]) => {
    for (const violation of violations) findings.add(violation)
  }
  const note = (kind: Violation['kind'], message: Message, what: string, channel?: string) =>
    findings.add({ kind, message: nameOf(message), ...(channel === undefined ? {} : { channel }), what })

  function admit(): void {
    for (let marker = watched.length; marker < book.messages.length; marker += 1) {
      watched.push(watch(book.messages[marker] as Message))
    }
  }

  function sha256Of(audience: Audience): string {
    const known = sums.get(audience)
    if (known !== undefined) return known
    const hash = createHash('sha256').update(Array.from(audience, book.population.idOf).join('\n')).digest('hex')
    sums.set(audience, hash)
    return hash
  }

  const readRows = () => log.read((row) => countRow(row, watched, book, findings))

  /** Whether messages that were never answered exist. Those of which no key is known are looked for in the list. */
  async function resolveDoubts(from: number): Promise<void> {
    const doubtful = book.messages
      .slice(from)
      .filter(({ standing }) => standing === 'unanswered' || standing === 'asked')
    const found = (message: Message, key: string) => {
      message.key = key
      message.standing = 'accepted'
    }
    for (const message of doubtful) {
      if (message.key === undefined) continue
      const view = await api.history(message.key)
      if (view && view.state !== 'issued' && view.text === message.text) found(message, message.key)
    }
    const keyless = new Map(doubtful.filter(({ key }) => key === undefined).map((message) => [message.marker, message]))
    const oldestMs = Math.min(...[...keyless.values()].map(({ askedMs }) => askedMs))
    if (keyless.size === 0) return
    for await (const page of api.histories()) {
      for (const { key, text } of page) {
        const message = keyless.get(markerIn(text ?? '') ?? -1)
        if (message) found(message, key)
      }
      if (page.some(({ acceptedAt }) => acceptedAt !== undefined && Date.parse(acceptedAt) < oldestMs)) return
    }
  }

  /** @returns the view of an accepted message; undefined when there is none to be had, which is said */
  async function look(entry: Watched): Promise<History | undefined> {
    const { message } = entry
    const view = await api.history(message.key as string)
    if (!view) {
      note('lost', message, 'was answered as accepted, and there is no history with its key')
      return undefined
    }
    addAll(judgeHistory(message, view, sha256Of(message.audience), entry.view))
    entry.view = view
    return view.state === 'issued' ? undefined : view
  }

  /** Reads every receipt. @returns what was read, channel by channel */
  async function readStates({ message }: Watched): Promise<Watched['states']> {
    const { audience } = message
    const read: Watched['states'] = {}
    let place = 0
    let strange = false
    for await (const page of api.receipts(message.key as string)) {
      for (const { ordinal, person, channels: told } of page) {
        strange ||=
          ordinal !== place || place >= audience.length || person !== book.population.idOf(audience[place] as number)
        for (const channel of message.channels) {
          const receipt = told[channel]
          if (!receipt) continue
          read[channel] ??= new Uint8Array(audience.length)
          read[channel][place] = codeOfReceipt(receipt)
        }
        place += 1
      }
    }
    if (strange || place !== audience.length)
      note('lost', message, `its receipts name ${place} people, or others than asked`)
    return read
  }

  function judge(entry: Watched): void {
    const { message, earliest } = entry
    for (const what of message.contradictions) note('told-falsely', message, what)
    if (message.standing === 'accepted') {
      if (entry.view?.state === 'cancelled') addAll(judgeForbidden(entry, book, 'cancelled before it started'))
      addAll(judgeReceipts(entry, book))
      if (earliest && earliest.atMs < message.notBeforeMs) {
        findings.add({
          kind: 'told-falsely',
          message: nameOf(message),
          channel: earliest.channel,
          person: book.population.idOf(earliest.person),
          what: `the provider had it ${message.notBeforeMs - earliest.atMs} ms before it was due`,
        })
      }
    } else if (message.standing === 'refused') {
      addAll(judgeForbidden(entry, book, 'refused'))
    } else if (earliest) {
      note('lost', message, 'was sent, and no history of the sender tells of it')
    }
  }

  /** Judges what has settled: its receipts are read first, so that whatever they claim must be in the log by now. */
  async function close(settled: readonly Watched[]): Promise<void> {
    await atOnce(receiptsAtOnce, settled, async (entry) => {
      entry.states = await readStates(entry)
    })
    await readRows()
    for (const entry of settled) {
      judge(entry)
      unknown += tally(entry.states, 'unknown')
      const { at, startedAt } = entry.view ?? {}
      if (at !== undefined && startedAt !== undefined) latenessMs.push(Date.parse(startedAt) - Date.parse(at))
    }
  }

  function giveUp(entries: readonly Watched[], withinMs: number, why: string): void {
    for (const entry of entries) {
      entry.standing = 'overdue'
      const lines = Object.entries(entry.view?.channels ?? {}).filter(([, { state }]) => state !== 'settled')
      const open = lines.map(([channel, { state, pending }]) => `${channel} ${state}, ${pending} pending`).join('; ')
      const state = entry.view?.state ?? 'not read'
      note('lost', entry.message, `has not settled within ${withinMs / 1000} s: ${state}; ${open}${why}`)
    }
  }

  async function untilSettled(sinceMs: number, withinMs: number): Promise<number | undefined> {
    const giveUpAt = performance.now() + withinMs
    let latestMs = 0
    admit()
    const awaited = () =>
      watched.filter(
        ({ message, standing }) =>
          standing === 'open' && message.standing === 'accepted' && message.notBeforeMs <= Date.now(),
      )
    try {
      await resolveDoubts(doubtsSeen)
      doubtsSeen = watched.length
      for (let due = awaited(); due.length > 0; due = awaited()) {
        const settled: Watched[] = []
        await atOnce(viewsAtOnce, due, async (entry) => {
          const view = await look(entry)
          if (view && !isOver(view)) return
          entry.standing = 'closed'
          if (!view) return
          settled.push(entry)
          const afterMs = Math.max(sinceMs, entry.message.notBeforeMs)
          latestMs = Math.max(latestMs, Date.parse(view.settledAt ?? '') - afterMs || 0)
        })
        await close(settled)
        if (settled.length === due.length) continue
        if (performance.now() > giveUpAt) {
          giveUp(awaited(), withinMs, '')
          return undefined
        }
        await sleep(pollMs)
      }
      return latestMs
    } catch (error) {
      giveUp(awaited(), withinMs, `; the API: ${error instanceof Error ? error.message : error}`)
      return undefined
    }
  }

  /** The receipts once more: nothing has become weaker since, and they add up to the ledger. */
  async function lookAgain(entry: Watched): Promise<void> {
    const { message } = entry
    const before = entry.states
    for (let recounts = 0; recounts < mostRecounts; recounts += 1) {
      const view = await look(entry)
      if (!view) return
      entry.states = await readStates(entry)
      const different = differences(view, entry.states)
      if (different.length === 0) break
      const again = await look(entry)
      if (JSON.stringify(again?.channels) !== JSON.stringify(view.channels)) continue
      for (const [channel, what] of different) note('imbalance', message, what, channel)
      break
    }
    if (entry.standing === 'overdue') return
    for (const channel of message.channels) {
      const [old, now] = [before[channel], entry.states[channel]]
      if (!old || !now) continue
      for (let place = 0; place < now.length; place += 1) {
        const [was, is] = [publicState(old[place] as number), publicState(now[place] as number)]
        if (was === is || mayBecome(was, is)) continue
        const person = book.population.idOf(message.audience[place] as number)
        findings.add({
          kind: 'told-falsely',
          message: nameOf(message),
          channel,
          person,
          what: `said ${was}, later ${is}`,
        })
      }
    }
  }

  return {
    untilSettled,
    soFar: () => ({
      messages: watched.filter(({ message }) => message.standing === 'accepted').length,
      violations: findings.count,
      unknown,
    }),

    async verdict() {
      admit()
      await resolveDoubts(0)
      const latestDueMs = watched.reduce((latest, { message }) => Math.max(latest, message.notBeforeMs), 0)
      await sleep(Math.max(0, latestDueMs - Date.now()))
      await untilSettled(Date.now(), lastWaitMs)
      const accepted = watched.filter(({ message }) => message.standing === 'accepted')
      await atOnce(receiptsAtOnce, accepted, lookAgain)
      await readRows()
      for (const entry of watched) judge(entry)
      return {
        messages: accepted.length,
        recipients: accepted.reduce(
          (total, { message }) => total + message.audience.length * message.channels.length,
          0,
        ),
        lost: findings.lost,
        toldFalsely: findings.toldFalsely,
        duplicated: byChannel(findings.duplicated),
        unknown: byChannel((channel) =>
          accepted.reduce((total, { states }) => total + tally({ [channel]: states[channel] }, 'unknown'), 0),
        ),
        ledgerImbalances: findings.imbalances,
        startLatenessMs: spread(latenessMs),
        violations: findings.list,
      }
    },
  }
}

const byChannel = <T>(of: (channel: Channel) => T) => ({ telegram: of('telegram'), vk: of('vk'), sms: of('sms') })

/** the words of an SMS receipt for what was accepted and did not arrive (SMPP 3.4, appendix B) */
const refusedLater = /^(EXPIRED|DELETED|UNDELIV|REJECTD)\b/

const codeOfReceipt = ({ state, reason }: { state: State; reason?: string }) =>
  state === 'failed' && reason !== undefined && refusedLater.test(reason) ? failedLater : codeOf(state)

const publicState = (code: number) => (code === failedLater ? 'failed' : stateOf(code))

function tally(read: Watched['states'], state: State): number {
  const code = codeOf(state)
  let total = 0
  for (const codes of Object.values(read)) for (const each of codes ?? []) if (each === code) total += 1
  return total
}

/** Where the counts of the view are not those of the receipts. */
function differences(view: History, read: Watched['states']): [channel: string, what: string][] {
  return channels.flatMap((channel) => {
    const [line, codes] = [view.channels[channel], read[channel]]
    if (!line || !codes) return []
    const counts = new Map<string, number>()
    for (const code of codes) counts.set(publicState(code), (counts.get(publicState(code)) ?? 0) + 1)
    return states
      .filter((state) => (line[state] ?? 0) !== (counts.get(state) ?? 0))
      .map((state): [string, string] => [
        channel,
        `counts ${line[state]} ${state}; its receipts are ${counts.get(state) ?? 0}`,
      ])
  })
}

function spread(values: readonly number[]): Verdict['startLatenessMs'] {
  if (values.length === 0) return null
  const sorted = values.toSorted((a, b) => a - b)
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] as number
  return { p50: at(0.5), p99: at(0.99), max: at(1) }
}

async function atOnce<T>(most: number, items: readonly T[], action: (item: T) => Promise<void>): Promise<void> {
  const left = items.values()
  const work = async () => {
    for (const item of left) await action(item)
  }
  await Promise.all(Array.from({ length: most }, work))
}
