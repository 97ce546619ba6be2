/** The API's client in a page of its origin: the cookie says who is calling, the session's token that it is this page. */
import { type Client, clientOver, createHttp } from '@courier-fleet/client'

interface PageClientDeps {
  csrfToken(): string | undefined
  /** the session has ended on the server */
  onNoSession(): void
}

const answerMs = 20_000

export function createPageClient({ csrfToken, onNoSession }: PageClientDeps): Client {
  const http = createHttp({
    apiUrl: location.origin,
    identify(method) {
      const token = method === 'GET' ? undefined : csrfToken()
      return token ? { 'x-csrf-token': token } : {}
    },
    async fetch(url, init) {
      const response = await fetch(url, { ...init, signal: AbortSignal.any(endsOf(init)) })
      const isProblem = response.headers.get('content-type')?.startsWith('application/problem+json')
      // whatever is not the API's own answer comes from something in between, and tells nothing of the call
      if (!response.ok && !isProblem) throw new Error(`answered ${response.status}, and not by the API`)
      if (response.status === 401) onNoSession()
      return response
    },
  })
  return clientOver(http)
}

/** An import may take minutes, and tells its progress; every other call is given up after a while. */
function endsOf(init: RequestInit | undefined): AbortSignal[] {
  const given = init?.signal ? [init.signal] : []
  return init?.body instanceof Blob ? given : [...given, AbortSignal.timeout(answerMs)]
}

export const eventsUrl = (key: string) => `/v1/histories/${key}/events`
/** @param separator as the spreadsheets of the reader's language expect it */
export const csvUrl = (key: string, separator: 'comma' | 'semicolon') =>
  `/v1/histories/${key}/receipts?format=csv&separator=${separator}`
