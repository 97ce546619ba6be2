/** What a server that strangers can reach makes of their requests: nothing they send may be more than a bad request. */

/** A request's path and query as they stand on the line; `new URL` would throw at some, such as `//`. */
export function requestTarget(url: string | undefined): { readonly path: string; readonly query: string } {
  const [path = '', ...query] = (url ?? '').split('?')
  return { path, query: query.join('?') }
}

/** Whoever begins a request and does not end it is left, so that half requests do not pile up. */
export const requestLimits = { headersTimeout: 10_000, requestTimeout: 15_000, connectionsCheckingInterval: 1_000 }
