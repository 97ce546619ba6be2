/** The public API over HTTP, as a program of one sender uses it. */

import type {
  Acceptance,
  HistoryView,
  MessageInput,
  ReceiptsPage,
  ReceiptView,
  RecountReport,
  TrackerReport,
} from '@courier-fleet/api-types'
import { until } from '@courier-fleet/testkit'

/** ISO 8601, so many ms ahead */
export const ahead = (ms: number) => new Date(Date.now() + ms).toISOString()

/** for whatever is over in a second: a busy machine may stand still for long */
const patienceSeconds = 180

export interface Answer<T> {
  readonly status: number
  readonly headers: Headers
  readonly body: T
}

export interface Api {
  /** `body` goes as JSON unless it is text, which goes as CSV. @param more headers */
  call<T = Record<string, unknown>>(
    method: string,
    path: string,
    body?: unknown,
    more?: Readonly<Record<string, string>>,
  ): Promise<Answer<T>>
  /** Like call(). @throws Error unless the answer is 2xx */
  get<T>(path: string): Promise<T>
  /** Accepts a message. @returns its key. @throws Error when it is refused */
  send(message: MessageInput): Promise<string>
  /** As it is once it has settled, or after so long. */
  track(key: string, timeoutSeconds?: number): Promise<TrackerReport>
  /** Accepts a message and waits until everything about it is settled. @throws Error when it is not in time */
  deliver(message: MessageInput, timeoutSeconds?: number): Promise<TrackerReport>
  history(key: string): Promise<HistoryView>
  /** everyone's, page after page, in order */
  receipts(key: string): Promise<ReceiptView[]>
  recount(key: string): Promise<RecountReport>
}

export function connectApi(url: string, apiKey: string): Api {
  async function call<T>(method: string, path: string, body?: unknown, more = {}): Promise<Answer<T>> {
    const headers: Record<string, string> = { authorization: `Bearer ${apiKey}`, ...more }
    if (body !== undefined) headers['content-type'] = typeof body === 'string' ? 'text/csv' : 'application/json'
    const text = body === undefined || typeof body === 'string' ? body : JSON.stringify(body)
    const response = await fetch(`${url}${path}`, { method, headers, ...(text === undefined ? {} : { body: text }) })
    const answer = await response.text()
    return { status: response.status, headers: response.headers, body: answer === '' ? undefined : JSON.parse(answer) }
  }

  async function ask<T>(method: string, path: string, body?: unknown): Promise<T> {
    const answer = await call<T>(method, path, body)
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`)
    return answer.body
  }

  async function receipts(key: string): Promise<ReceiptView[]> {
    const rows: ReceiptView[] = []
    for (let from: number | undefined = 0; from !== undefined; ) {
      const page: ReceiptsPage = await ask('GET', `/v1/histories/${key}/receipts?limit=200&from=${from}`)
      rows.push(...page.receipts)
      from = page.next
    }
    return rows
  }

  const send = async (message: MessageInput) => (await ask<Acceptance>('POST', '/v1/messages', message)).key
  const track = (key: string, timeout = patienceSeconds) =>
    ask<TrackerReport>('POST', `/v1/histories/${key}/tracker`, { timeout })

  return {
    call,
    get: (path) => ask('GET', path),
    send,
    track,
    async deliver(message, timeoutSeconds = patienceSeconds) {
      const report = await track(await send(message), timeoutSeconds)
      if (!report.settled) throw new Error(`not settled in ${timeoutSeconds} s: ${JSON.stringify(report)}`)
      return report
    },
    history: (key) => ask('GET', `/v1/histories/${key}`),
    receipts,
    recount: (key) => ask('GET', `/v1/histories/${key}/recount`),
  }
}

/** Resolves once nobody's receipt on this channel is any of these states any more. */
export async function left(api: Api, key: string, channel: string, states: readonly string[]): Promise<ReceiptView[]> {
  return until(
    async () => {
      const rows = await api.receipts(key)
      return rows.every(({ channels }) => !states.includes(channels[channel]?.state ?? '')) && rows
    },
    `no receipt on ${channel} is ${states.join(' or ')}`,
  )
}
