/**
 * One HTTP call of the API through vk-io. The library's request is made directly and not through its queue: the queue
 * sends again by itself, without bound on error 6, and paces by the process where the account has to be paced.
 */
import { API } from 'vk-io'
import type { Outcome } from '../courier.ts'
import { outcomeOfError } from './error-codes.ts'
import { createTransport, NotAnswered, NotConnected, UndiciRequest } from './undici-request.ts'

export interface CallError {
  readonly code: number
  readonly description: string
}

/** of a call within an execute: VK names its method, and not which call of it */
export interface ExecuteError extends CallError {
  readonly method: string
}

export type ApiAnswer =
  | { readonly kind: 'answered'; readonly response: unknown; readonly executeErrors: readonly ExecuteError[] }
  /** the call as a whole came to nothing, or nobody knows: this holds for everyone in it */
  | { readonly kind: 'failed'; readonly outcome: Outcome; readonly code?: number }

export interface VkApi {
  /** Never rejects, ends within the time limit, never sends twice. */
  call(method: string, params: Readonly<Record<string, string | number>>): Promise<ApiAnswer>
  /** Leaves nothing open. */
  close(): Promise<void>
}

export function createVkApi(options: {
  token: string
  apiBaseUrl: string | undefined
  /** how long VK may take for one call */
  timeoutMs: number
}): VkApi {
  const { token, apiBaseUrl, timeoutMs } = options
  const api = new API({ token, ...(apiBaseUrl ? { apiBaseUrl } : {}) })
  const transport = createTransport(api.options.apiBaseUrl, timeoutMs)

  return {
    async call(method, params) {
      try {
        return readBody(await new UndiciRequest({ api, method, params }, transport).make())
      } catch (error) {
        return { kind: 'failed', outcome: outcomeOfFailure(error, timeoutMs) }
      }
    },
    close: transport.close,
  }
}

function readBody(body: unknown): ApiAnswer {
  if (!isObject(body)) return { kind: 'failed', outcome: { kind: 'unknown', why: 'VK answered something unreadable' } }
  if (isObject(body.error)) {
    const { code, description } = callError(body.error)
    return { kind: 'failed', code, outcome: outcomeOfError(code, description, 'account') }
  }
  const errors = Array.isArray(body.execute_errors) ? body.execute_errors.filter(isObject).map(executeError) : []
  return { kind: 'answered', response: body.response, executeErrors: errors }
}

function callError(error: Record<string, unknown>): CallError {
  return { code: Number(error.error_code), description: String(error.error_msg) }
}

function executeError(error: Record<string, unknown>): ExecuteError {
  return { ...callError(error), method: String(error.method) }
}

function outcomeOfFailure(error: unknown, timeoutMs: number): Outcome {
  if (error instanceof NotConnected) return { kind: 'not-sent', why: `VK cannot be reached (${error.message})` }
  if (error instanceof NotAnswered) return { kind: 'unknown', why: `VK did not answer within ${timeoutMs} ms` }
  // a gateway's error page instead of JSON: what was behind the gateway may have done its work
  if (error instanceof SyntaxError) return { kind: 'unknown', why: 'VK answered with something that is no JSON' }
  const { name, code = name } = isObject(error) ? error : {}
  return { kind: 'unknown', why: `the connection to VK broke off (${String(code)})` }
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}
