/** The public API over HTTP, as a program of one sender uses it. */
import { Readable } from 'node:stream'
import type { BulkAnswer, HistoryView, MessageInput } from '@courier-fleet/api-types'

export interface Api {
  readonly url: string
  readonly key: string
  get<T>(path: string): Promise<T>
  /** The same, with the time until the last byte of the answer is here. */
  read<T>(path: string): Promise<{ answer: T; ms: number }>
  history(key: string): Promise<HistoryView>
  /** Accepts one message. @returns its key. @throws Error when it is refused */
  send(message: MessageInput): Promise<string>
  /**
   * Accepts many in one request. @returns their keys, in order, and how long it took from the first byte sent to the last
   * one received. @throws Error when one is refused
   */
  sendMany(
    messages: Iterable<MessageInput>,
    onAnswered?: (count: number) => void,
  ): Promise<{ keys: string[]; ms: number }>
}

type Body = NonNullable<RequestInit['body']>

const maxLinesPerChunk = 500
const newline = 10

export function connectApi(url: string, key: string): Api {
  async function call(method: string, path: string, body?: Body, type = 'application/json'): Promise<Response> {
    const response = await fetch(`${url}${path}`, {
      method,
      headers: { authorization: `Bearer ${key}`, ...(body === undefined ? {} : { 'content-type': type }) },
      ...(body === undefined ? {} : { body, duplex: 'half' }),
    })
    if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${await response.text()}`)
    return response
  }
  const get = async <T>(path: string) => (await (await call('GET', path)).json()) as T

  return {
    url,
    key,
    get,
    async read<T>(path: string) {
      const startedAt = performance.now()
      const text = await (await call('GET', path)).text()
      const ms = performance.now() - startedAt
      return { answer: JSON.parse(text) as T, ms }
    },
    history: (historyKey) => get<HistoryView>(`/v1/histories/${historyKey}`),
    async send(message) {
      const response = await call('POST', '/v1/messages', JSON.stringify(message))
      return ((await response.json()) as { key: string }).key
    },
    async sendMany(messages, onAnswered = () => {}) {
      const startedAt = performance.now()
      const body = Readable.toWeb(Readable.from(chunksOf(messages), { objectMode: false })) as Body
      const response = await call('POST', '/v1/messages:bulk', body, 'application/x-ndjson')
      const chunks: Uint8Array[] = []
      let answered = 0
      for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
        chunks.push(chunk)
        for (const byte of chunk) if (byte === newline) answered++
        onAnswered(answered)
      }
      const ms = performance.now() - startedAt
      return { keys: keysIn(Buffer.concat(chunks).toString()), ms }
    },
  }
}

function* chunksOf(messages: Iterable<MessageInput>): Generator<Buffer> {
  let lines: string[] = []
  for (const message of messages) {
    if (lines.push(JSON.stringify(message)) < maxLinesPerChunk) continue
    yield Buffer.from(`${lines.join('\n')}\n`)
    lines = []
  }
  if (lines.length > 0) yield Buffer.from(`${lines.join('\n')}\n`)
}

function keysIn(answer: string): string[] {
  return answer.split('\n').flatMap((line) => {
    if (line === '') return []
    const { status, key, ...problem } = JSON.parse(line) as BulkAnswer
    if (status !== 201 || key === undefined)
      throw new Error(`a line was refused: ${JSON.stringify({ status, ...problem })}`)
    return [key]
  })
}
