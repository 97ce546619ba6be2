/**
 * Requests as a correct client makes them: bounded in time, and repeated word by word until there is an answer. Repeating is
 * safe because each bears an Idempotency-Key or goes to a history key of its own.
 */
import { setTimeout as sleep } from 'node:timers/promises'

export interface Request {
  readonly method: 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  readonly path: string
  readonly body?: unknown
  readonly idempotencyKey?: string
}

/** What the API answers, as far as the traffic reads it. */
export interface Answer {
  readonly status: number
  readonly body: Readonly<Record<string, unknown>>
}

export interface Reply {
  /** the first that is neither a 5xx nor "still running"; undefined when there was none in time */
  readonly answer: Answer | undefined
  /** some request went unanswered, or was answered 5xx: it may be carried out all the same, even later */
  readonly doubtful: boolean
}

export interface BulkReply {
  /** by line from 0: the first that is no 5xx; undefined for lines without one */
  readonly answers: readonly (Answer | undefined)[]
  readonly doubtful: boolean
  /** lines that were answered with one key first, and with another on repetition */
  readonly contradictions: readonly { readonly line: number; readonly what: string }[]
}

export interface Client {
  /** @param patienceMs how long it is repeated; 0: asked once */
  send(request: Request, patienceMs?: number): Promise<Reply>
  /** `POST /v1/messages:bulk`; repeated as a whole until every line is answered. @param patienceMs how long it is repeated */
  sendBulk(lines: readonly unknown[], idempotencyKey: string, patienceMs?: number): Promise<BulkReply>
}

const requestMs = 5_000
/** longer than the service is away by accident; shorter than it takes a key that a crash left "still running" */
const usualPatienceMs = 6_000
const firstPauseMs = 100
const maxPauseMs = 1_000

export function createClient({ apiUrl, apiKey }: { apiUrl: string; apiKey: string }): Client {
  async function once(method: string, path: string, headers: Record<string, string>, body?: string) {
    const response = await fetch(`${apiUrl}${path}`, {
      method,
      headers: { authorization: `Bearer ${apiKey}`, ...headers },
      signal: AbortSignal.timeout(requestMs),
      ...(body === undefined ? {} : { body }),
    })
    return { status: response.status, text: await response.text() }
  }

  /** Tries until `attempt` has a result or the time is over. @returns its result and whether some attempt failed */
  async function persist<T>(
    patienceMs: number,
    attempt: () => Promise<T | undefined>,
  ): Promise<{ result: T | undefined; failed: boolean }> {
    const giveUpAt = performance.now() + patienceMs
    let failed = false
    for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(2 * pauseMs, maxPauseMs)) {
      const result = await attempt().catch(() => undefined)
      if (result !== undefined) return { result, failed }
      failed = true
      if (performance.now() >= giveUpAt) return { result: undefined, failed }
      await sleep(pauseMs)
    }
  }

  return {
    async send({ method, path, body, idempotencyKey }, patienceMs = usualPatienceMs) {
      const headers = {
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey }),
      }
      const json = body === undefined ? undefined : JSON.stringify(body)
      const { result, failed } = await persist(patienceMs, async () => {
        const { status, text } = await once(method, path, headers, json)
        // a 204 says nothing
        const answer: Answer = { status, body: text === '' ? {} : JSON.parse(text) }
        return status >= 500 || answer.body.code === 'in-progress' ? undefined : answer
      })
      return { answer: result, doubtful: failed }
    },

    async sendBulk(lines, idempotencyKey, patienceMs = usualPatienceMs) {
      const headers = { 'content-type': 'application/x-ndjson', 'idempotency-key': idempotencyKey }
      const text = lines.map((line) => `${JSON.stringify(line)}\n`).join('')
      const answers: (Answer | undefined)[] = lines.map(() => undefined)
      const contradictions: { line: number; what: string }[] = []

      const take = (answered: Answer['body']) => {
        const line = Number(answered.line) - 1
        const status = Number(answered.status)
        const before = answers[line]
        if (status >= 500 || line >= lines.length) return
        answers[line] ??= { status, body: answered }
        if (before?.body.key === undefined || before.body.key === answered.key) return
        contradictions.push({ line, what: `was accepted as ${before.body.key}, repeated ${JSON.stringify(answered)}` })
      }

      const { failed } = await persist(patienceMs, async () => {
        const { status, text: ndjson } = await once('POST', '/v1/messages:bulk', headers, text)
        if (status >= 500) return undefined
        // a 4xx of the whole request is every line's answer
        if (status >= 400) for (const line of answers.keys()) answers[line] ??= { status, body: JSON.parse(ndjson) }
        else for (const line of ndjson.split('\n').filter(Boolean)) take(JSON.parse(line))
        return answers.includes(undefined) ? undefined : true
      })
      return { answers, doubtful: failed, contradictions }
    },
  }
}
