/**
 * The transport beneath vk-io's requests: undici in the place of its node-fetch, at less than a third of the
 * processor's time (docs/decisions/0128). What is asked and how the answer is read is as in the library's own `make()`: a test has the two side by side.
 */
import { setMaxListeners } from 'node:events'
import { wholeCharacters } from '@courier-fleet/api-types'
import type { Dispatcher } from 'undici'
// not all of undici, which takes several MiB more
import Pool from 'undici/lib/dispatcher/pool.js'
import { APIRequest, type IAPIRequestOptions } from 'vk-io'

/** Nothing of the request has left, and nothing of it will. */
export class NotConnected extends Error {}

/** It has left, and its answer did not come in time. */
export class NotAnswered extends Error {}

export interface Transport {
  /** @returns the body of the answer, whatever its status. @throws NotConnected, NotAnswered, or what broke the connection off */
  post(method: string, headers: Readonly<Record<string, string>>, form: string): Promise<string>
  /** Ends every connection, those that are being made among them. */
  close(): Promise<void>
}

/** The library's agent keeps a connection until VK closes it; this long where VK does not say how long it does. */
const idleMs = 60_000
const utf8 = new TextDecoder()

export function createTransport(apiBaseUrl: string, timeoutMs: number): Transport {
  const { origin, pathname } = new URL(`${apiBaseUrl}/`)
  const closing = new AbortController()
  // each connection listens
  setMaxListeners(0, closing.signal)
  const pool = new Pool(origin, {
    // one request a connection: undici then never sends a request twice
    pipelining: 1,
    allowH2: false,
    keepAliveTimeout: idleMs,
    // the one limit of time is the request's own
    headersTimeout: 0,
    bodyTimeout: 0,
    connect: { timeout: timeoutMs, signal: closing.signal },
  })
  return {
    post: (method, headers, form) =>
      new Promise((resolve, reject) => {
        const request = { method: 'POST', path: pathname + method, headers, body: form }
        pool.dispatch(request, exchange(timeoutMs, resolve, reject))
      }),
    async close() {
      const closed = pool.destroy()
      // the pool does not wait for whoever is connecting, and does not end it
      closing.abort()
      await closed
    },
  }
}

/** One request and what comes of it, all of it within the time limit. */
function exchange(
  timeoutMs: number,
  resolve: (body: string) => void,
  reject: (error: Error) => void,
): Dispatcher.DispatchHandler {
  const chunks: Buffer[] = []
  /** from the moment the request goes onto a connection */
  let controller: Dispatcher.DispatchController | undefined
  let givenUp: Error | undefined

  const timer = setTimeout(() => {
    givenUp = controller ? new NotAnswered() : new NotConnected('no connection in time')
    reject(givenUp)
    controller?.abort(givenUp)
  }, timeoutMs)

  return {
    onRequestStart(given) {
      // connected too late: it must not go out after all
      if (givenUp) given.abort(givenUp)
      else controller = given
    },
    onResponseStart() {},
    onResponseData(_controller, chunk) {
      chunks.push(chunk)
    },
    onResponseEnd() {
      clearTimeout(timer)
      resolve(utf8.decode(Buffer.concat(chunks)))
    },
    onResponseError(_controller, error) {
      clearTimeout(timer)
      const { code = error.name } = error as { code?: string }
      reject(controller ? error : new NotConnected(code))
    },
  }
}

export class UndiciRequest extends APIRequest {
  readonly #transport: Transport

  constructor(options: IAPIRequestOptions, transport: Transport) {
    super(options)
    this.#transport = transport
  }

  override async make(): Promise<unknown> {
    const { token, apiVersion, apiHeaders } = this.api.options
    const headers = { ...apiHeaders, 'content-type': 'application/x-www-form-urlencoded;charset=UTF-8' }
    const form = formOf({ access_token: token, v: apiVersion, ...this.params })
    return JSON.parse(await this.#transport.post(this.method, headers, form))
  }
}

/** What URLSearchParams makes of it reads the same, and takes twice the time. */
function formOf(fields: Readonly<Record<string, unknown>>): string {
  const pairs = Object.entries(fields).map(([name, value]) => {
    // half a character has no code, and encodeURIComponent() throws
    return `${encodeURIComponent(name)}=${encodeURIComponent(wholeCharacters(String(value)))}`
  })
  return pairs.join('&')
}
