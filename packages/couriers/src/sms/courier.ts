/** The SMS courier over either transport. */
import { sms } from '@courier-fleet/channels'
import { startDeadline } from '@courier-fleet/process'
import type { Courier, CourierDeps } from '../courier.ts'
import { createReadiness } from '../readiness.ts'
import type { SmsConfig } from './config.ts'
import { sendMessage } from './send-message.ts'
import { sendsmsTransport } from './sendsms-transport.ts'
import { smppTransport } from './smpp-transport.ts'
import type { SmsTiming } from './timing.ts'

/** The part of the deadline within which a message must have begun. */
const beginShare = 0.25

/** One that lands, one that fills the window, one made ready to follow; and one for what is urgent. */
const claimsInHand = 4

/** Resends are not folded: what nobody answered stays `unknown`, and never more of it than one window. */
export function buildSmsCourier(config: SmsConfig, deps: CourierDeps, timing: SmsTiming): Courier {
  const { account, sender, window } = config
  const { deadlineMs } = timing
  const readiness = createReadiness(deps.clock)
  const common = { sender, window, timing, readiness, deps }
  const transport = config.smpp
    ? smppTransport({ ...common, url: config.smpp })
    : sendsmsTransport({ ...common, account, url: config.sendsms })

  return {
    channel: sms.name,
    account: config.account,
    target: config.target,
    batchSize: window,
    concurrency: claimsInHand,
    window,
    keySpan: 1,
    foldsResends: sms.abilities.foldsResends,
    givesReports: true,
    asksBy: 'number',
    readiness,
    ...(config.perSecond === undefined ? {} : { rate: { units: config.perSecond, perMs: 1000 } }),
    start: (signal) => transport.start(signal),
    stop: () => transport.stop(),

    async send(items, signal) {
      const notReady = readiness.notReady()
      if (notReady) return items.map(() => ({ kind: 'not-sent', why: notReady.why }))
      const begin = startDeadline(deadlineMs * beginShare, signal, 'the rate allows no more')
      const end = startDeadline(deadlineMs, signal)
      const limits = { begin: begin.signal, end: end.signal }
      try {
        return await Promise.all(items.map((item) => sendMessage(item, { transport, pacer: deps.pacer }, limits)))
      } finally {
        begin.end()
        end.end()
      }
    },
  }
}
