import type {
  Acceptance,
  BulkAnswer,
  DecisionOutcome,
  HeldOutcome,
  HistoriesPage,
  HistoryCounts,
  HistoryView,
  IssuedKey,
  ListState,
  MessageInput,
  RecountReport,
  RehearsalInput,
  RehearsalView,
  ResendInput,
  ResolveInput,
  RetryInput,
  RetryOutcome,
  ToldOutcome,
  TrackerReport,
  TrackUntil,
} from '@courier-fleet/api-types'
import { type Http, path } from './http.ts'
import { piecesOf } from './lines.ts'

export interface Repeatable {
  readonly idempotencyKey?: string
}
/** Your own when no sender is named; the words are looked for in texts and in what recipients are called. */
export interface WhichMessages {
  readonly sender?: string
  readonly search?: string
}
const ndjson = 'application/x-ndjson'

export function messageCalls(http: Http) {
  const history = (key: string, ...more: string[]) => path('histories', key, ...more)
  const post = <T>(to: string, body: object) => http.call<T>('POST', to, { body })

  return {
    /** Sends now or later; never twice when repeated with the same idempotency key. */
    send: (message: MessageInput, { idempotencyKey }: Repeatable = {}) =>
      http.call<Acceptance>('POST', '/messages', { body: message, idempotencyKey }),
    /** Sends, and answers when it has settled or after `waitSeconds` (at most 300). */
    sendAndWait: (message: MessageInput, waitSeconds: number, { idempotencyKey }: Repeatable = {}) =>
      http.call<TrackerReport>('POST', '/messages', {
        query: { wait: `${waitSeconds}s` },
        body: message,
        idempotencyKey,
      }),
    /** Many messages in one request; the answers come in order, while the rest is still being sent. */
    async *sendBulk(
      messages: Iterable<MessageInput> | AsyncIterable<MessageInput>,
      { idempotencyKey }: Repeatable = {},
    ): AsyncGenerator<BulkAnswer> {
      const body = linesFrom(messages)
      const response = await http.open('POST', '/messages:bulk', { body, type: ndjson, accept: ndjson, idempotencyKey })
      for await (const line of piecesOf(response.body, '\n')) yield JSON.parse(line) as BulkAnswer
    },

    issueKey: ({ idempotencyKey }: Repeatable = {}) =>
      http.call<IssuedKey>('POST', '/history-keys', { idempotencyKey }),
    put: (key: string, message: MessageInput) => http.call<Acceptance>('PUT', history(key), { body: message }),
    history: (key: string) => http.call<HistoryView>('GET', history(key)),
    /** Your own; of another `sender`, or of all with `*`, for operators. */
    histories: (page: WhichMessages & { state?: ListState; before?: string; limit?: number } = {}) =>
      http.call<HistoriesPage>('GET', '/histories', { query: { ...page } }),
    /** How many of them are in which state. */
    historyCounts: (which: WhichMessages = {}) =>
      http.call<HistoryCounts>('GET', '/history-counts', { query: { ...which } }),
    reschedule: (key: string, at: string) => http.call<HistoryView>('PATCH', history(key), { body: { at } }),
    /** Says what has become of people who are unknown on a channel. */
    resolve: (key: string, found: ResolveInput) => post<DecisionOutcome>(`${history(key)}/receipts:resolve`, found),
    /** Sends again to people who are unknown on a channel: they may get it twice. */
    resend: (key: string, unknown: ResendInput) => post<DecisionOutcome>(`${history(key)}/receipts:resend`, unknown),
    /** Says that a person was told by voice, where no channel has reached them. */
    tellByVoice: (key: string, person: string) =>
      http.call<ToldOutcome>('PUT', path('histories', key, 'told-by-voice', person)),
    /** Takes that back. */
    takeBackToldByVoice: (key: string, person: string) =>
      http.call<ToldOutcome>('DELETE', path('histories', key, 'told-by-voice', person)),
    /** Tries those again whose endpoint took it in no try, under the same id. */
    retry: (key: string, how: RetryInput = {}) => post<RetryOutcome>(`${history(key)}:retry`, how),
    /** Sends to those who wait because of the fleet's quiet hours; for staff, or where its type ignores those. */
    sendNow: (key: string) => http.call<HeldOutcome>('POST', `${history(key)}/waiting:send-now`),
    /** Cancels it for those who wait because of a rule about people, and for nobody else. */
    cancelWaiting: (key: string) => http.call<HeldOutcome>('POST', `${history(key)}/waiting:cancel`),
    /** Lets it go out though its sender may not send it any more; by an operator. */
    release: (key: string) => http.call<HistoryView>('POST', history(key, 'release')),
    /** Answers when it has settled (or all is confirmed, too), or after `timeoutSeconds` (at most 300) with what is known. */
    track: (key: string, timeoutSeconds: number, until: TrackUntil = 'settled') =>
      http.call<TrackerReport>('POST', history(key, 'tracker'), { body: { timeout: timeoutSeconds, until } }),
    /**
     * The history now and after every change, until nothing more can be told of it: beyond its settling while what was handed
     * over may be confirmed. Rejects when aborted or cut off.
     */
    async *watch(key: string, signal?: AbortSignal): AsyncGenerator<HistoryView> {
      const response = await http.open('GET', history(key, 'events'), { accept: 'text/event-stream', signal })
      for await (const event of piecesOf(response.body, '\n\n')) {
        const data = /^data: (.*)$/m.exec(event)?.[1]
        if (data !== undefined) yield JSON.parse(data) as HistoryView
      }
    },
    /** Whom it would reach if it went out now; nothing is sent. */
    rehearse: (rehearsal: RehearsalInput, signal?: AbortSignal) =>
      http.call<RehearsalView>('POST', '/audiences:resolve', { body: rehearsal, signal }),
    recount: (key: string) => http.call<RecountReport>('GET', history(key, 'recount')),
  }
}

function linesFrom(messages: Iterable<MessageInput> | AsyncIterable<MessageInput>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  async function* lines() {
    for await (const message of messages) yield encoder.encode(`${JSON.stringify(message)}\n`)
  }
  const source = lines()
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await source.next()
      if (done) controller.close()
      else controller.enqueue(value)
    },
    async cancel() {
      await source.return(undefined)
    },
  })
}
