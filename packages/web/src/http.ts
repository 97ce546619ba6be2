/** Calls to the API of this origin: the cookie says who is calling, the session's token that it is this page. */
import type { ProblemDocument } from '@courier-fleet/api-types'

/** The API refused; `document` says what and which field. */
export class ApiProblem extends Error {
  readonly document: ProblemDocument
  readonly retryAfterSeconds: number | undefined

  constructor(document: ProblemDocument, retryAfterSeconds?: number) {
    super(document.detail)
    this.document = document
    this.retryAfterSeconds = retryAfterSeconds
  }
}

/** No answer, so nobody knows whether the call was heard. */
export class Unreachable extends Error {}

export interface Call {
  readonly method?: 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** goes as JSON; a file goes as CSV */
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
  readonly signal?: AbortSignal
}

export interface Http {
  /** @throws ApiProblem · Unreachable · the signal's reason */
  open(path: string, call?: Call): Promise<Response>
  ask<T>(path: string, call?: Call): Promise<T>
}

export interface HttpDeps {
  csrfToken(): string | undefined
  /** the session has ended on the server */
  onNoSession(): void
}

const patienceMs = 20_000

export function createHttp({ csrfToken, onNoSession }: HttpDeps): Http {
  async function open(path: string, call: Call = {}): Promise<Response> {
    const response = await send(path, call)
    if (response.ok) return response
    const problem = await problemOf(response)
    if (problem.document.status === 401) onNoSession()
    throw problem
  }

  async function send(path: string, { method, body, headers, signal }: Call): Promise<Response> {
    const file = body instanceof Blob
    const token = method ? csrfToken() : undefined
    // a roster may take minutes, and says by itself how far it is
    const patience = file ? [] : [AbortSignal.timeout(patienceMs)]
    try {
      return await fetch(`/v1${path}`, {
        ...(method ? { method } : {}),
        headers: {
          ...(body === undefined ? {} : { 'content-type': file ? 'text/csv' : 'application/json' }),
          ...(token ? { 'x-csrf-token': token } : {}),
          ...headers,
        },
        ...(body === undefined ? {} : { body: file ? body : JSON.stringify(body) }),
        signal: AbortSignal.any([...(signal ? [signal] : []), ...patience]),
      })
    } catch (error) {
      throw signal?.aborted ? error : new Unreachable()
    }
  }

  return {
    open,
    async ask<T>(path: string, call?: Call) {
      const response = await open(path, call)
      if (response.status === 204) return undefined as T
      return response.json().catch(() => {
        throw new Unreachable()
      })
    },
  }
}

async function problemOf(response: Response): Promise<ApiProblem> {
  const retryAfter = Number(response.headers.get('retry-after')) || undefined
  const document: ProblemDocument | undefined = await response.json().catch(() => undefined)
  // whatever is not the API's own word comes from something in between
  if (typeof document?.code !== 'string') throw new Unreachable()
  return new ApiProblem(document, retryAfter)
}
