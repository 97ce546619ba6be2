/** Keeps one bound connection to the SMS centre: binds, proves the line, and comes back by itself. */
import { type Log, sleep } from '@courier-fleet/process'
import { limitOf, whyOf } from './limit.ts'
import type { ConnectOptions, Pdu, PduFields } from './smpp.ts'
import { openSession, type Response, type SmppSession } from './smpp-session.ts'
import { statusName } from './status-name.ts'
import { createWindow } from './window.ts'

/** How long the link waits for what; tests have no time for the real values. All in ms. */
export interface LinkTiming {
  /** an enquire_link goes out this often; unanswered, it ends the connection */
  readonly keepAliveMs: number
  /** for the answers to bind and enquire_link */
  readonly answerMs: number
  /** before the first reconnect; doubles with each further one */
  readonly firstWaitMs: number
  readonly longestWaitMs: number
  /** for the answer to unbind */
  readonly goodbyeMs: number
}

export const usualLinkTiming: LinkTiming = {
  keepAliveMs: 15_000,
  answerMs: 10_000,
  firstWaitMs: 500,
  longestWaitMs: 30_000,
  goodbyeMs: 1000,
}

export interface SmppLinkOptions {
  readonly connect: ConnectOptions
  readonly systemId: string
  readonly password: string
  /** the numbers whose incoming texts this bind takes, as the centre has them; absent: it does not say */
  readonly addressRange?: string | undefined
  /** unanswered requests at once */
  readonly window: number
  readonly timing: LinkTiming
  readonly onDeliver: (pdu: Pdu) => Promise<number>
  readonly log: Log
}

export interface SmppLink {
  /** Resolves with the first bind. @throws Error when the SMS centre refuses these credentials, or when aborted */
  start(signal: AbortSignal): Promise<void>
  /** Waits for a place in the window, then for the response. */
  request(command: string, fields: PduFields, limit: AbortSignal): Promise<Response>
  stop(): Promise<void>
}

/** Bind errors that trying again does not mend: invalid password, invalid system id. */
const wrongCredentials: ReadonlySet<number> = new Set([0x0e, 0x0f])

interface Refusal {
  readonly why: string
  readonly final: boolean
}

export function createSmppLink({
  connect,
  systemId,
  password,
  addressRange = '',
  timing,
  onDeliver,
  log,
  ...rest
}: SmppLinkOptions): SmppLink {
  const window = createWindow(rest.window)
  const stopping = new AbortController()
  const credentials = { system_id: systemId, password, interface_version: 0x34, address_range: addressRange }
  let bound: SmppSession | undefined
  let running: Promise<void> | undefined

  const bind = async (session: SmppSession, stop: AbortSignal): Promise<Refusal | undefined> => {
    const limit = limitOf(timing.answerMs, 'the bind was not answered', stop)
    const response = await session.request('bind_transceiver', credentials, limit.signal)
    limit.release()
    if (response.kind !== 'response')
      return { why: response.kind === 'unanswered' ? response.why : 'stopped', final: false }
    const status = response.pdu.command_status
    if (status !== 0) return { why: `the bind was refused: ${statusName(status)}`, final: wrongCredentials.has(status) }
    return undefined
  }

  /** Tries until it is bound; undefined once `stop` is aborted. @throws Error for wrong credentials, unless `stubborn` */
  const bindAtLast = async (stop: AbortSignal, stubborn: boolean): Promise<SmppSession | undefined> => {
    for (let waitMs = timing.firstWaitMs; !stop.aborted; waitMs = Math.min(waitMs * 2, timing.longestWaitMs)) {
      const session = openSession({ connect, onDeliver })
      const refusal = await bind(session, stop)
      if (!refusal) return session
      session.end(refusal.why)
      if (refusal.final && !stubborn) throw new Error(refusal.why)
      log.warn({ why: refusal.why, retryMs: waitMs }, 'not bound to the SMS centre')
      await sleep(jittered(waitMs), stop)
    }
    return undefined
  }

  const keepAlive = async (session: SmppSession) => {
    for (;;) {
      await sleep(timing.keepAliveMs, session.ended)
      if (session.ended.aborted) return
      const limit = limitOf(timing.answerMs, 'enquire_link was not answered')
      const response = await session.request('enquire_link', {}, limit.signal)
      limit.release()
      if (response.kind !== 'response') session.end('the line is dead: enquire_link was not answered')
    }
  }

  const keepBound = async (first: SmppSession) => {
    for (let session: SmppSession | undefined = first; session; session = await bindAtLast(stopping.signal, true)) {
      bound = session
      log.info('bound to the SMS centre')
      await keepAlive(session)
      bound = undefined
      if (stopping.signal.aborted) return
      log.warn({ why: whyOf(session.ended) }, 'the SMS centre is gone')
      await sleep(jittered(timing.firstWaitMs), stopping.signal)
    }
  }

  return {
    async start(signal) {
      const giveUp = () => stopping.abort()
      signal.addEventListener('abort', giveUp)
      if (signal.aborted) giveUp()
      const session = await bindAtLast(stopping.signal, false).finally(() =>
        signal.removeEventListener('abort', giveUp),
      )
      if (!session) throw new Error('stopped before the SMS centre was reached')
      running = keepBound(session)
    },

    async request(command, fields, limit) {
      if (!(await window.enter(limit))) return { kind: 'not-sent' }
      try {
        return bound ? await bound.request(command, fields, limit) : { kind: 'not-sent' }
      } finally {
        window.leave()
      }
    },

    async stop() {
      stopping.abort()
      if (bound) {
        const limit = limitOf(timing.goodbyeMs, 'unbind was not answered')
        await bound.request('unbind', {}, limit.signal)
        limit.release()
        bound?.end('stopped')
      }
      await running
    },
  }
}

/** Not all processes at the same moment. */
function jittered(ms: number): number {
  return ms * (0.5 + Math.random() / 2)
}
