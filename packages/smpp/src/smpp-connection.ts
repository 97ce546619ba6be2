/** Keeps one bound connection to the SMS centre: binds, checks that it is alive, and binds again by itself. */
import { reasonOf, sleep, startDeadline } from '@courier-fleet/process'
import { type BindOptions, type BindTiming, bind, jittered } from './bind.ts'
import type { Pdu, PduFields } from './protocol.ts'
import type { Response } from './requests.ts'
import type { SmppSession } from './smpp-session.ts'
import { createWindow } from './window.ts'

/** How long the connection waits for what; tests have no time for the real values. All in ms. */
export interface SmppTiming extends BindTiming {
  /** an enquire_link goes out this often; unanswered, it ends the connection */
  readonly keepAliveMs: number
  /** for the answer to unbind */
  readonly unbindMs: number
}

export const usualSmppTiming: SmppTiming = {
  keepAliveMs: 15_000,
  answerMs: 10_000,
  minRetryMs: 500,
  maxRetryMs: 30_000,
  unbindMs: 1000,
}

export interface SmppConnectionOptions extends BindOptions {
  /** unanswered requests at once */
  readonly window: number
  readonly timing: SmppTiming
}

export interface SmppConnection {
  /** Resolves with the first bind. @throws Error when the SMS centre refuses these credentials, or when aborted */
  start(signal: AbortSignal): Promise<void>
  /** Waits for room in the window, then for the response; `onLate` takes one that comes after `signal` was aborted. */
  request(command: string, fields: PduFields, signal: AbortSignal, onLate?: (pdu: Pdu) => void): Promise<Response>
  stop(): Promise<void>
}

export function createSmppConnection(options: SmppConnectionOptions): SmppConnection {
  const { onBound, onUnbound, timing, log } = options
  const window = createWindow(options.window)
  const stopping = new AbortController()
  let bound: SmppSession | undefined
  let running: Promise<void> | undefined

  async function keepBound(first: SmppSession): Promise<void> {
    const again = { signal: stopping.signal, knownGood: true }
    for (let session: SmppSession | undefined = first; session; session = await bind(options, again)) {
      bound = session
      onBound?.()
      log.info('bound to the SMS centre')
      await keepAlive(session, timing)
      bound = undefined
      if (stopping.signal.aborted) return
      const why = reasonOf(session.closing)
      onUnbound?.(why)
      await session.whenEnded
      log.warn({ why }, 'the SMS centre is gone')
      await sleep(jittered(timing.minRetryMs), stopping.signal)
    }
  }

  return {
    async start(signal) {
      const stop = () => stopping.abort()
      signal.addEventListener('abort', stop)
      if (signal.aborted) stop()
      const session = await bind(options, { signal: stopping.signal, knownGood: false }).finally(() =>
        signal.removeEventListener('abort', stop),
      )
      if (!session) throw new Error('stopped before the SMS centre was reached')
      running = keepBound(session)
    },

    async request(command, fields, signal, onLate) {
      if (!(await window.acquire(signal))) return { kind: 'not-sent' }
      try {
        return bound ? await bound.request(command, fields, signal, onLate) : { kind: 'not-sent' }
      } finally {
        window.release()
      }
    },

    async stop() {
      stopping.abort()
      if (bound) await unbind(bound, timing)
      await running
    },
  }
}

/** Resolves when nothing more may be asked; ends the session when the centre does not answer any more. */
async function keepAlive(session: SmppSession, { keepAliveMs, answerMs }: SmppTiming): Promise<void> {
  for (;;) {
    await sleep(keepAliveMs, session.closing)
    if (session.closing.aborted) return
    const deadline = startDeadline(answerMs)
    const response = await session.request('enquire_link', {}, deadline.signal)
    deadline.end()
    if (response.kind !== 'response') session.end('the connection is dead: enquire_link was not answered')
  }
}

async function unbind(session: SmppSession, { unbindMs }: SmppTiming): Promise<void> {
  const deadline = startDeadline(unbindMs)
  await session.request('unbind', {}, deadline.signal)
  deadline.end()
  session.end('stopped')
}
