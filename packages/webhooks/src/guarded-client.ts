/**
 * HTTP to URLs that users gave. Every address is checked: one that stands in the URL itself by `checkUrl`, for then a socket asks
 * no lookup, and those of a name in the lookup that the socket uses. No redirect is followed, no proxy of the environment is used,
 * and what comes back is bounded.
 */
import type { LookupFunction } from 'node:net'
import type { Agent } from 'undici'
import { checkUrl } from './check-url.ts'
import { type Answer, createExchange } from './exchange.ts'
import { createHostLookup, guardLookup, type HostLookup } from './guarded-lookup.ts'
import type { GuardedSettings } from './settings.ts'

const connectMs = 3000
const wholeMs = 15_000
const maxHeaderBytes = 8 * 1024
const answerBytes = 16 * 1024

export interface Post {
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Uint8Array
  /** for everything, from the name to the last byte */
  readonly timeoutMs?: number
  /** of its body */
  readonly maxAnswerBytes?: number
}

export interface GuardedClient {
  /** Never rejects. Whoever calls bounds how many run at once. */
  post(url: string, post: Post, signal?: AbortSignal): Promise<Answer>
  close(): Promise<void>
}

/** @param lookup in the place of DNS */
export function createGuardedClient(settings: GuardedSettings, deps: { lookup?: HostLookup } = {}): GuardedClient {
  const dns = createHostLookup(settings.dnsServers)
  let opening: Promise<Agent> | undefined
  let closed = false
  return {
    async post(text, { headers, body, timeoutMs = wholeMs, maxAnswerBytes = answerBytes }, signal) {
      const url = checkUrl(text, settings)
      if (typeof url === 'string') return { kind: 'blocked', why: `the URL ${url}` }
      const exchange = createExchange(maxAnswerBytes)
      const stop = () => exchange.giveUp('stopped', 'told to stop before the answer came')
      if (signal?.aborted || closed) {
        stop()
        return exchange.answer
      }
      const timer = setTimeout(() => exchange.giveUp('timed-out', `no answer within ${timeoutMs} ms`), timeoutMs)
      signal?.addEventListener('abort', stop, { once: true })
      const { origin, pathname, search } = url
      const given = { ...headers, 'accept-encoding': 'identity' }
      opening ??= openAgent(guardLookup(deps.lookup ?? dns.lookup, settings.allowNets))
      const agent = await opening
      agent.dispatch({ origin, path: pathname + search, method: 'POST', headers: given, body }, exchange)
      const answer = await exchange.answer
      clearTimeout(timer)
      signal?.removeEventListener('abort', stop)
      return answer
    },

    async close() {
      closed = true
      dns.close()
      await (await opening)?.destroy()
    },
  }
}

/** The library is loaded by the first call: most processes make none, and it takes megabytes. */
async function openAgent(lookup: LookupFunction): Promise<Agent> {
  const { Agent } = await import('undici')
  return new Agent({
    connect: {
      lookup,
      timeout: connectMs,
      autoSelectFamily: true,
      // whatever NODE_TLS_REJECT_UNAUTHORIZED says
      rejectUnauthorized: true,
    },
    pipelining: 1,
    allowH2: false,
    maxHeaderSize: maxHeaderBytes,
    // the one limit of time is the call's own
    headersTimeout: 0,
    bodyTimeout: 0,
  })
}
