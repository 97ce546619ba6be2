/** One call of the API: JSON in, JSON out, problems as ApiError. */
import { ApiError, UnreachableError } from './errors.ts'

export interface Endpoint {
  /** e.g. http://127.0.0.1:8080 */
  readonly apiUrl: string
  readonly apiKey: string
  /** with the API key of an inbound process: the contact whose person is calling, such as telegram:7001 */
  readonly onBehalfOf?: string
  /** for tests and proxies; the global one when absent */
  readonly fetch?: typeof fetch
}

export interface Request {
  readonly query?: Record<string, string | number | undefined>
  /** sent as JSON, unless `type` says what it is */
  readonly body?: unknown
  readonly type?: string
  readonly accept?: string
  /** the same call again with the same key within a day gets the first answer */
  readonly idempotencyKey?: string | undefined
  readonly signal?: AbortSignal | undefined
}

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

export interface Http {
  /** @throws ApiError for a problem · UnreachableError when there is no answer */
  open(method: Method, path: string, request?: Request): Promise<Response>
  call<T>(method: Method, path: string, request?: Request): Promise<T>
}

/** Joins the segments of a path, each of them encoded. */
export function path(...segments: string[]): string {
  return segments.map((segment) => `/${encodeURIComponent(segment)}`).join('')
}

export function createHttp(endpoint: Endpoint): Http {
  const base = `${endpoint.apiUrl.replace(/\/+$/, '')}/v1`
  const send = endpoint.fetch ?? fetch

  async function open(method: Method, at: string, request: Request = {}): Promise<Response> {
    const url = new URL(base + at)
    for (const [name, value] of Object.entries(request.query ?? {})) {
      if (value !== undefined) url.searchParams.set(name, String(value))
    }
    const streamed = request.body instanceof ReadableStream
    const headers: Record<string, string> = {
      authorization: `Bearer ${endpoint.apiKey}`,
      accept: request.accept ?? 'application/json',
      ...(endpoint.onBehalfOf === undefined ? {} : { 'on-behalf-of': endpoint.onBehalfOf }),
      ...(request.body === undefined ? {} : { 'content-type': request.type ?? 'application/json' }),
      ...(request.idempotencyKey === undefined ? {} : { 'idempotency-key': request.idempotencyKey }),
    }
    const response = await send(url, {
      method,
      headers,
      ...(request.body === undefined
        ? {}
        : { body: request.type === undefined ? JSON.stringify(request.body) : (request.body as ReadableStream) }),
      ...(streamed ? { duplex: 'half' as const } : {}),
      ...(request.signal ? { signal: request.signal } : {}),
    }).catch((error: unknown) => {
      if (request.signal?.aborted) throw error
      throw new UnreachableError(endpoint.apiUrl, error)
    })
    if (!response.ok) throw await ApiError.from(response)
    return response
  }

  return {
    open,
    async call<T>(method: Method, at: string, request?: Request) {
      const text = await (await open(method, at, request)).text()
      return (text === '' ? undefined : JSON.parse(text)) as T
    },
  }
}
