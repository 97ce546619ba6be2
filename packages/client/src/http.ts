/** One call of the API: JSON in, JSON out, problems as ApiError. Runs in Node and in browsers. */
import { ApiError, UnreachableError } from './errors.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** How calls reach the API, and who is calling. */
export interface Transport {
  /** e.g. http://127.0.0.1:8080 */
  readonly apiUrl: string
  /** @returns the headers that say who is calling */
  identify(method: Method): Readonly<Record<string, string>>
  /** for tests, proxies and deadlines; the global one when absent */
  readonly fetch?: typeof fetch | undefined
}

export interface Request {
  readonly query?: Record<string, string | number | undefined>
  /** sent as JSON, unless `type` says what it is */
  readonly body?: unknown
  readonly type?: string
  readonly accept?: string
  /** the same call again with the same key within a day gets the first answer */
  readonly idempotencyKey?: string | undefined
  /** what was read before: refused where there is another by now */
  readonly version?: string | number | undefined
  readonly signal?: AbortSignal | undefined
}

export interface Http {
  /** @throws ApiError for a problem · UnreachableError when there is no answer · the reason of `signal` */
  open(method: Method, path: string, request?: Request): Promise<Response>
  /** As open(), and reads the JSON of the answer; undefined when it is empty. */
  call<T>(method: Method, path: string, request?: Request): Promise<T>
}

/** Joins the segments of a path, each of them encoded. */
export function path(...segments: string[]): string {
  return segments.map((segment) => `/${encodeURIComponent(segment)}`).join('')
}

export function createHttp(transport: Transport): Http {
  const base = `${transport.apiUrl.replace(/\/+$/, '')}/v1`
  const send = transport.fetch ?? fetch

  async function open(method: Method, at: string, request: Request = {}): Promise<Response> {
    const url = new URL(base + at)
    for (const [name, value] of Object.entries(request.query ?? {})) {
      if (value !== undefined) url.searchParams.set(name, String(value))
    }
    const response = await send(url, {
      method,
      headers: { ...transport.identify(method), ...headersOf(request) },
      ...bodyOf(request),
      ...(request.signal ? { signal: request.signal } : {}),
    }).catch((error: unknown) => {
      if (request.signal?.aborted) throw error
      throw new UnreachableError(`${transport.apiUrl} does not answer`, error)
    })
    if (!response.ok) throw await ApiError.from(response)
    return response
  }

  return {
    open,
    async call<T>(method: Method, at: string, request?: Request) {
      const response = await open(method, at, request)
      try {
        const text = await response.text()
        return (text === '' ? undefined : JSON.parse(text)) as T
      } catch (error) {
        if (request?.signal?.aborted) throw error
        throw new UnreachableError(`the answer of ${transport.apiUrl} was cut off`, error)
      }
    },
  }
}

function headersOf({ body, type, accept, idempotencyKey, version }: Request): Record<string, string> {
  return {
    accept: accept ?? 'application/json',
    ...(body === undefined ? {} : { 'content-type': type ?? 'application/json' }),
    ...(idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey }),
    ...(version === undefined ? {} : { 'if-match': `"${version}"` }),
  }
}

function bodyOf({ body, type }: Request): RequestInit {
  if (body === undefined) return {}
  if (type === undefined) return { body: JSON.stringify(body) }
  return {
    body: body as NonNullable<RequestInit['body']>,
    ...(body instanceof ReadableStream ? { duplex: 'half' } : {}),
  }
}
