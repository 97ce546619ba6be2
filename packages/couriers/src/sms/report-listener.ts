/**
 * Takes the gateway's delivery reports: a call to the URL that each message carried. The URL holds the message's own id and
 * a token that only this account's processes can make, so any of them may take any report: one process of a machine has
 * the port, the others stand by for it.
 */
import { createHmac, scryptSync } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import { isSameSecret, requestLimits, requestTarget } from '@courier-fleet/process'
import type { CourierDeps, DeliveryReport } from '../courier.ts'
import { createSharedPort } from '../shared-port.ts'
import type { SendsmsUrl } from './config.ts'
import { referenceOf } from './reference.ts'

export interface ReportListenerOptions {
  readonly account: string
  readonly url: SendsmsUrl
  /** how often a process that stands by tries to take the port */
  readonly standbyMs: number
  readonly deps: Pick<CourierDeps, 'onReport' | 'log'>
}

export interface ReportListener {
  start(): Promise<void>
  /** what the message with this key is known by at this number, in every process of the account */
  idOf(key: bigint, address: string): string
  /** the `dlr-url` of the message with this id; %d and %A are for the gateway to fill in */
  urlFor(id: string): string
  stop(): Promise<void>
}

const path = '/sms/reports'

export function createReportListener({ account, url, standbyMs, deps }: ReportListenerOptions): ReportListener {
  const { log } = deps
  // hard to guess back to the password, should the URL end up in somebody's log
  const secret = scryptSync(url.password, `sms reports ${account}`, 32)
  const tokenOf = (id: string) => createHmac('sha256', secret).update(id).digest('base64url')

  /** The path may have any prefix: the callback URL may lead through a proxy. */
  const listener: RequestListener = async (request, response) => {
    const reply = (status: number) => void response.writeHead(status).end()
    const target = requestTarget(request.url)
    const [id = '', token] = target.path.split('/').slice(-2)
    if (!isSameSecret(token, tokenOf(id))) return reply(404)
    const query = new URLSearchParams(target.query)
    const receipt = receiptOf(id, query.get('status'), query.get('words') ?? '')
    try {
      if (receipt) await deps.onReport(receipt)
      reply(200)
    } catch (error) {
      log.warn({ err: error }, 'a delivery report could not be recorded')
      reply(503)
    }
  }

  const server = createServer(requestLimits, listener)

  const port = createSharedPort({
    server,
    port: url.callbackPort,
    host: url.callbackHost,
    standbyMs,
    what: 'delivery reports',
    log,
  })

  return {
    idOf: (key, address) => referenceOf(secret, key, address),

    urlFor: (id) => `${url.callbackUrl}${path}/${id}/${tokenOf(id)}?status=%d&words=%A`,

    start: () => port.take(),

    async stop() {
      await port.leave()
      if (!server.listening) return
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    },
  }
}

/** %d: 1 delivered, 2 undeliverable, 16 refused by the SMS centre; what else there is says nothing final. */
function receiptOf(id: string, status: string | null, words: string): DeliveryReport | undefined {
  if (status === '1') return { providerIds: [id], state: 'delivered' }
  if (status !== '2' && status !== '16') return undefined
  return { providerIds: [id], state: 'failed', reason: words.slice(0, 200) || `the gateway reported ${status}` }
}
