/** Segments by an HTTP gateway of Kannel's shape: a `sendsms` call each, delivery reports by its call to `dlr-url`. */
import { createWindow } from '@courier-fleet/smpp'
import { Pool } from 'undici'
import type { CourierDeps } from '../courier.ts'
import { createReach } from '../reach.ts'
import type { OwnReadiness } from '../readiness.ts'
import { type Answer, noRoom, type Submission, type Transport } from './answer.ts'
import type { SendsmsUrl } from './config.ts'
import { callGateway } from './gateway-call.ts'
import { createReportListener } from './report-listener.ts'
import { answerOf } from './sendsms-answer.ts'
import type { SmsTiming } from './timing.ts'

export interface SendsmsTransportOptions {
  readonly account: string
  readonly url: SendsmsUrl
  readonly sender: string
  readonly window: number
  readonly timing: SmsTiming
  readonly readiness: OwnReadiness
  readonly deps: Pick<CourierDeps, 'onReport' | 'log'>
}

/** delivered, undeliverable, refused by the SMS centre */
const finalReports = 1 + 2 + 16

const notConnected = (why: string) => `not connected to the gateway (${why})`

/** There was no connection in time; that there is none at all is not known. */
const notBegun: Answer = {
  kind: 'throttled',
  retryAfterMs: 500,
  scope: 'account',
  reason: 'no connection in time',
  isOwn: true,
}

export function sendsmsTransport({
  account,
  url,
  sender,
  window: size,
  timing,
  readiness,
  deps,
}: SendsmsTransportOptions): Transport {
  const { origin, pathname } = new URL(url.url)
  const window = createWindow(size)
  const reports = createReportListener({ account, url, standbyMs: timing.standbyMs, deps })
  // one request a connection: undici then never sends a request twice
  const pool = new Pool(origin, { connections: size, pipelining: 1, connect: { timeout: 3000 } })
  const reach = createReach({
    readiness,
    // whatever it answers, it is there
    ask: (signal) =>
      pool.request({ method: 'HEAD', path: '/', signal }).then(
        async ({ body }) => ({ answer: await body.dump() }),
        ({ code, message }) => ({ why: notConnected(code ?? message) }),
      ),
    retryMs: timing.maxRetryMs,
    log: deps.log,
  })
  let stopped = false

  const queryOf = ({ address, segment, wantsReceipt }: Submission, id: string): string => {
    const query = new URLSearchParams({ username: url.username, password: url.password, to: address })
    if (sender) query.set('from', sender)
    query.set('text', segment.text)
    query.set('charset', 'UTF-8')
    query.set('coding', segment.coding === 'gsm' ? '0' : '2')
    if (wantsReceipt) {
      query.set('dlr-mask', String(finalReports))
      query.set('dlr-url', reports.urlFor(id))
    }
    const header = [...segment.header].map((octet) => `%${octet.toString(16).padStart(2, '0')}`).join('')
    return header ? `${query}&udh=${header}` : query.toString()
  }

  const call = async (submission: Submission, limit: AbortSignal): Promise<Answer> => {
    const id = reports.idOf(submission.key, submission.address)
    const called = await callGateway(pool, `${pathname}?${queryOf(submission, id)}`, limit)
    switch (called.kind) {
      case 'answered':
        return answerOf(called.status, called.words.slice(0, 100), id)
      case 'not-begun':
        return notBegun
      case 'not-connected': {
        const why = notConnected(called.why)
        reach.lose(why)
        return { kind: 'not-sent', why }
      }
      case 'unanswered':
        return { kind: 'unknown', why: called.why, providerId: id }
    }
  }

  return {
    async start(signal) {
      await reports.start()
      await reach.until(signal)
    },

    async submit(submission, limit) {
      if (!(await window.acquire(limit))) return noRoom
      try {
        return await call(submission, limit)
      } finally {
        window.release()
      }
    },

    async stop() {
      if (stopped) return
      stopped = true
      reach.stop()
      await Promise.all([pool.destroy(), reports.stop()])
    },
  }
}
