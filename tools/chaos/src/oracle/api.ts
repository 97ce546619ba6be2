/** The public API and the log of the stand-ins as anyone can read them: own requests, own types, own parsing. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Calls } from '../report.ts'
import type { State } from './states.ts'

export type Counts = Readonly<Partial<Record<State, number>>>

/** `GET /v1/histories/{key}` */
export interface History {
  readonly key: string
  readonly state: 'issued' | 'scheduled' | 'running' | 'settled' | 'cancelled'
  readonly text?: string
  readonly audience?: { readonly size: number; readonly sha256: string }
  readonly at?: string
  readonly acceptedAt?: string
  readonly startedAt?: string
  readonly settledAt?: string
  readonly channels: Readonly<Record<string, Counts & { readonly state: string; readonly accepted: number }>>
}

/** `POST /v1/histories/{key}/tracker` */
export interface Report {
  readonly sentence: string
  readonly history: History & { readonly people?: Readonly<Record<string, unknown>> }
}

/** of who has several phones: what became of one that was tried before */
export interface Earlier {
  /** how its number ends */
  readonly contact: string
  readonly state: State
  readonly at?: string
}

/** a row of `GET /v1/histories/{key}/receipts` */
export interface Receipt {
  readonly ordinal: number
  readonly person: string
  readonly channels: Readonly<
    Record<
      string,
      {
        readonly state: State
        readonly reason?: string
        /** when it came to this state; absent while it is pending */
        readonly at?: string
        /** which phone it is about, as its number ends; absent of who has one, and where none was tried since */
        readonly contact?: string
        readonly earlier?: readonly Earlier[]
      }
    >
  >
}

/** a row of `receipts` in `GET /v1/stats?by=type,channel,reason,hour` */
export interface StatisticsRow {
  readonly type: string
  readonly channel: string
  /** that those who came were given; absent where there was none, and of all who left */
  readonly reason?: string
  /** when it began */
  readonly hour: string
  readonly came: Counts
  readonly left: Counts
}

/** an entry of `GET /v1/people/{id}/diary` */
export interface Counted {
  readonly key: string
  /** when it was allowed, by Redis's clock */
  readonly at: string
  readonly contested: boolean
}

/** `use` of `GET /v1/settings` */
export interface SettingsUse {
  readonly using: number
  readonly of: number
}

/** a line of `GET /accepted` */
export interface AcceptedRow {
  readonly seq: number
  readonly channel: string
  readonly address: string
  readonly text: string
  /** Unix ms */
  readonly at: number
  readonly providerId: string
}

/** a line of `GET /revisions` */
export interface Revision {
  readonly channel: string
  readonly providerId: string
  /** what it says from then on; absent: it is deleted */
  readonly text?: string
}

export interface Api {
  /** @returns undefined when there is no such history. @throws Error when nothing is answered in time */
  history(key: string): Promise<History | undefined>
  /** what a tracker says now. @returns undefined when there is no such history */
  report(key: string): Promise<Report | undefined>
  /** page by page, from the first recipient to the last */
  receipts(key: string): AsyncGenerator<readonly Receipt[]>
  /** of the last 24 hours, of messages without a type of their own */
  statistics(): Promise<readonly StatisticsRow[]>
  /** what counts for somebody */
  diary(person: string): Promise<readonly Counted[]>
  /** how many processes use the newest settings */
  settingsUse(): Promise<SettingsUse | undefined>
  /** own histories, newest first, page by page */
  histories(): AsyncGenerator<readonly History[]>
}

const requestMs = 5_000
/** an API that says nothing for this long is not going to */
const patienceMs = 60_000
const pauseMs = 100
const receiptsPerPage = 1000
const historiesPerPage = 100

/** Each read is repeated while the API is away or answers 5xx. */
export function connectApi({ apiUrl, apiKey }: { apiUrl: string; apiKey: string }): Api {
  const headers = { authorization: `Bearer ${apiKey}` }

  const get = <T>(path: string) => ask<T>('GET', path)

  async function ask<T>(method: string, path: string, body?: string): Promise<T | undefined> {
    const giveUpAt = performance.now() + patienceMs
    for (let last = ''; ; ) {
      try {
        const response = await fetch(`${apiUrl}${path}`, {
          method,
          headers: { ...headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
          signal: AbortSignal.timeout(requestMs),
          ...(body === undefined ? {} : { body }),
        })
        const text = await response.text()
        if (response.status === 404) return undefined
        if (response.ok) return JSON.parse(text) as T
        last = `${response.status} ${text}`
      } catch (error) {
        last = String(error)
      }
      if (performance.now() > giveUpAt)
        throw new Error(`${method} ${path}: nothing in ${patienceMs / 1000} s, last ${last}`)
      await sleep(pauseMs)
    }
  }

  return {
    history: (key) => get(`/v1/histories/${key}`),

    report: (key) => ask('POST', `/v1/histories/${key}/tracker`, '{"timeout":0}'),

    async *receipts(key) {
      for (let from: number | undefined = 0; from !== undefined; ) {
        const path: string = `/v1/histories/${key}/receipts?limit=${receiptsPerPage}&from=${from}`
        const page: { receipts: Receipt[]; next?: number } | undefined = await get(path)
        yield page?.receipts ?? []
        from = page?.next
      }
    },

    async statistics() {
      const told = await get<{ receipts: StatisticsRow[] }>('/v1/stats?by=type,channel,reason,hour')
      // other types are those of shaped messages and of the faults `caps` and `budgets`, which are judged by themselves
      return told?.receipts.filter(({ type }) => type === 'general') ?? []
    },

    async diary(person) {
      const told = await get<{ entries: Counted[] }>(`/v1/people/${person}/diary`)
      return told?.entries ?? []
    },

    async settingsUse() {
      return (await get<{ use: SettingsUse }>('/v1/settings'))?.use
    },

    async *histories() {
      for (let before: string | undefined = ''; before !== undefined; ) {
        const path: string = `/v1/histories?limit=${historiesPerPage}${before === '' ? '' : `&before=${before}`}`
        const page: { histories: History[]; next?: string } | undefined = await get(path)
        yield page?.histories ?? []
        before = page?.next
      }
    },
  }
}

/** How the calls of URLs were, as the sandbox has heard them. */
export async function readCalls(sandboxUrl: string): Promise<Calls> {
  const response = await fetch(`${sandboxUrl}/calls`)
  if (!response.ok) throw new Error(`GET /calls: ${response.status}`)
  return (await response.json()) as Calls
}

/** What was edited or deleted after it was accepted, in order. */
export async function readRevisions(sandboxUrl: string): Promise<Revision[]> {
  const response = await fetch(`${sandboxUrl}/revisions`)
  if (!response.ok) throw new Error(`GET /revisions: ${response.status}`)
  const lines = (await response.text()).split('\n').filter(Boolean)
  return lines.map((line) => JSON.parse(line) as Revision)
}

export interface AcceptedLog {
  /** Calls back with every row since the last reading, in order; resolves at the end of the log as it stands. */
  read(onRow: (row: AcceptedRow) => void): Promise<void>
}

/** The stand-ins are never in trouble: a log that cannot be read is an error. */
export function followAccepted(sandboxUrl: string): AcceptedLog {
  let next = 0
  return {
    async read(onRow) {
      const response = await fetch(`${sandboxUrl}/accepted?since=${next}`)
      if (!response.ok || !response.body) throw new Error(`GET /accepted: ${response.status}`)
      const take = (line: string) => {
        if (line === '') return
        const row = JSON.parse(line) as AcceptedRow
        next = row.seq + 1
        onRow(row)
      }
      let rest = ''
      const decoder = new TextDecoder()
      for await (const chunk of response.body) {
        const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n')
        rest = lines.pop() as string
        for (const line of lines) take(line)
      }
      take(rest)
    },
  }
}
