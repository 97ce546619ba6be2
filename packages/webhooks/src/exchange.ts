/** One request and what came of it: a handler of undici that settles once and never rejects. */
import type { Dispatcher } from 'undici'
import { Blocked, NotResolved } from './guarded-lookup.ts'

export type Answer =
  | {
      readonly kind: 'answer'
      readonly status: number
      /** names in small letters */
      readonly headers: Readonly<Record<string, string>>
      /** its beginning, as UTF-8 */
      readonly body: string
      /** that is all of it: it was neither too long nor cut */
      readonly whole: boolean
      readonly ms: number
    }
  /** nothing was sent: this URL is not to be called */
  | { readonly kind: 'blocked'; readonly why: string }
  | {
      readonly kind: 'no-answer'
      /** `not-connected`: no such name, nobody listens, no trusted certificate; `stopped`: the caller gave up */
      readonly why: 'timed-out' | 'not-connected' | 'cut' | 'bad-answer' | 'stopped'
      /** the same in words */
      readonly detail: string
      /** whether any of it may have reached the other side */
      readonly sent: boolean
      readonly ms: number
    }

type NoAnswer = Extract<Answer, { kind: 'no-answer' }>

const badAnswer: ReadonlySet<string> = new Set(['HTTPParserError', 'HeadersOverflowError'])

export interface Exchange extends Dispatcher.DispatchHandler {
  readonly answer: Promise<Answer>
  /** Ends it, if nothing has come of it yet. */
  giveUp(why: 'timed-out' | 'stopped', detail: string): void
}

export function createExchange(maxAnswerBytes: number): Exchange {
  const startedAt = performance.now()
  const { promise, resolve } = withResolvers<Answer>()
  const chunks: Buffer[] = []
  let bytes = 0
  let settled = false
  /** as soon as there is a connection, and the request goes onto it */
  let controller: Dispatcher.DispatchController | undefined
  let head: { readonly status: number; readonly headers: Readonly<Record<string, string>> } | undefined
  const ms = () => Math.round(performance.now() - startedAt)

  const settle = (answer: Answer) => {
    settled = true
    resolve(answer)
  }
  const none = (why: NoAnswer['why'], detail: string) =>
    settle({ kind: 'no-answer', why, detail, sent: controller !== undefined, ms: ms() })
  const answered = (whole: boolean) => {
    if (!head) return none('bad-answer', 'what came was no HTTP answer')
    settle({ kind: 'answer', ...head, body: Buffer.concat(chunks).toString(), whole, ms: ms() })
  }
  const drop = () => controller?.abort(new Error('enough is known'))

  return {
    answer: promise,

    giveUp(why, detail) {
      if (settled) return
      // a status that has come counts, however slow its body is
      if (head) answered(false)
      else none(why, detail)
      drop()
    },

    onRequestStart(given) {
      if (settled) given.abort(new Error('given up'))
      else controller = given
    },

    onResponseStart(_controller, status, headers) {
      // 1xx: the answer is still to come
      if (status >= 200) head = { status, headers: flatten(headers) }
    },

    onResponseData(_controller, chunk) {
      if (settled) return
      chunks.push(chunk.subarray(0, maxAnswerBytes - bytes))
      bytes += chunk.length
      if (bytes <= maxAnswerBytes) return
      answered(false)
      drop()
    },

    onResponseEnd() {
      if (!settled) answered(true)
    },

    onResponseError(_controller, error) {
      if (settled) return
      const { code = '' } = error as { code?: string }
      if (error instanceof Blocked) settle({ kind: 'blocked', why: error.message })
      else if (head) answered(false)
      else if (error instanceof NotResolved) none('not-connected', error.message)
      else if (code === 'UND_ERR_CONNECT_TIMEOUT') none('timed-out', 'no connection in time')
      else if (!controller) none('not-connected', `no connection (${code || error.name})`)
      else if (badAnswer.has(error.name)) none('bad-answer', `what came was no HTTP answer (${code || error.name})`)
      else none('cut', `the connection was cut before the answer came (${code || error.name})`)
    },
  }
}

function flatten(headers: Readonly<Record<string, string | string[] | undefined>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value ?? ''].flat().join(', ')]))
}

/** Promise.withResolvers() is not in Node 20. */
function withResolvers<T>(): { readonly promise: Promise<T>; readonly resolve: (value: T) => void } {
  let resolve: (value: T) => void = () => {}
  const promise = new Promise<T>((settle) => {
    resolve = settle
  })
  return { promise, resolve }
}
