/** Providers that do not answer, hang up, ask for patience, or report in disorder. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Fault } from '@courier-fleet/sandbox'
import { channels } from '../expectations.ts'
import type { Draw, Planned } from './fault.ts'

/** time for the fault to be met; what is left of it then is taken back */
const standsMs = 2000

const misbehaving =
  (fault: Fault): Planned['happen'] =>
  async ({ fleet: { sandbox } }) => {
    await sandbox.fault(fault)
    await sleep(standsMs)
  }

/** A request is taken off the wire and never answered. */
export const providerHang: Draw = (random, at) => {
  const channel = random.pick(channels)
  const count = random.between(1, 3)
  return {
    name: 'provider-hang',
    what: `${channel} does not answer ${count} times`,
    at,
    smsDoubts: () => (channel === 'sms' ? count : 0),
    happen: misbehaving({ channel, kind: 'hang', count }),
  }
}

/** The connection is cut in the middle of a send: before the message was accepted, or after, instead of the answer. */
export const providerDisconnect: Draw = (random, at) => {
  const channel = random.pick(channels)
  const kind = random.chance(0.5) ? 'disconnect' : 'reply-lost'
  const count = random.between(1, 3)
  return {
    name: 'provider-disconnect',
    what: `${channel} hangs up ${count} times ${kind === 'disconnect' ? 'before' : 'after'} accepting`,
    at,
    smsDoubts: () => (channel === 'sms' ? count : 0),
    happen: misbehaving({ channel, kind, count }),
  }
}

export const providerThrottle: Draw = (random, at) => {
  const channel = random.pick(channels)
  const count = random.between(1, 5)
  const seconds = random.between(1, 2)
  return {
    name: 'provider-throttle',
    what: `${channel} asks ${count} times for ${seconds} s`,
    at,
    happen: misbehaving({ channel, kind: 'throttle', count, seconds }),
  }
}

/** Every answer of a provider takes its time, so that work is under way while other things go wrong. */
export const providerSlow: Draw = (random, at) => {
  const channel = random.pick([...channels, 'sms'] as const)
  const delayMs = random.between(300, 2500)
  return {
    name: 'provider-slow',
    what: `${channel} answers ${delayMs} ms later`,
    at,
    async happen({ fleet: { targets }, leaseMs }) {
      const links = targets.flatMap(({ channel: served, provider }) =>
        served === channel && provider ? [provider] : [],
      )
      for (const link of links) link.delay(delayMs)
      await sleep(2 * leaseMs)
      await Promise.all(links.map((link) => link.restore()))
    },
  }
}

/** SMS delivery receipts before the response, twice, late, in the other id format. */
export const receiptChaos: Draw = (random, at) => {
  const mode = random.pick(['early', 'twice', 'late', 'other-id-format'] as const)
  const count = random.between(5, 40)
  return {
    name: 'receipt-chaos',
    what: `${count} SMS receipts ${mode}`,
    at,
    happen: misbehaving({ channel: 'sms', kind: 'reports', mode, count, ...(mode === 'late' ? { seconds: 1 } : {}) }),
  }
}
