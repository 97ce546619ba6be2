/** Connects to the SMS centre and binds as a transceiver, as often as it takes. */
import { type Log, sleep, startDeadline } from '@courier-fleet/process'
import type { ConnectOptions, Pdu } from './protocol.ts'
import { openSession, type SmppSession } from './smpp-session.ts'
import { statusName } from './status-name.ts'

export interface BindOptions {
  readonly connect: ConnectOptions
  readonly systemId: string
  readonly password: string
  /** the numbers whose incoming texts this bind takes, as the centre has them; absent: it does not say */
  readonly addressRange?: string | undefined
  readonly timing: BindTiming
  /** answers a deliver_sm with a command status; must not reject */
  readonly onDeliver: (pdu: Pdu) => Promise<number>
  /** It is bound, and requests can be sent. */
  readonly onBound?: () => void
  /** It is not, or not any more; told again when the reason is another one. */
  readonly onUnbound?: (why: string) => void
  readonly log: Log
}

export interface BindTiming {
  /** for the answers to bind and enquire_link */
  readonly answerMs: number
  /** before the first reconnect; doubles with each further one */
  readonly minRetryMs: number
  readonly maxRetryMs: number
}

/** Bind errors that trying again does not mend: invalid password, invalid system id. */
const wrongCredentials: ReadonlySet<number> = new Set([0x0e, 0x0f])

/**
 * Tries until it is bound; undefined once `signal` is aborted.
 * @throws Error when the centre refuses these credentials, unless they were `knownGood` before
 */
export async function bind(
  options: BindOptions,
  { signal, knownGood }: { signal: AbortSignal; knownGood: boolean },
): Promise<SmppSession | undefined> {
  const { connect, onDeliver, onUnbound, timing, log } = options
  for (let retryMs = timing.minRetryMs; !signal.aborted; retryMs = Math.min(retryMs * 2, timing.maxRetryMs)) {
    const session = openSession({ connect, onDeliver, answerMs: timing.answerMs })
    const refusal = await requestBind(session, options, signal)
    if (!refusal) return session
    session.end(refusal.why)
    if (refusal.isFinal && !knownGood) throw new Error(refusal.why)
    onUnbound?.(refusal.why)
    log.warn({ why: refusal.why, retryMs }, 'not bound to the SMS centre')
    await sleep(jittered(retryMs), signal)
  }
  return undefined
}

interface Refusal {
  readonly why: string
  /** another attempt with the same credentials is refused too */
  readonly isFinal: boolean
}

async function requestBind(
  session: SmppSession,
  { systemId, password, addressRange = '', timing }: BindOptions,
  signal: AbortSignal,
): Promise<Refusal | undefined> {
  const credentials = { system_id: systemId, password, interface_version: 0x34, address_range: addressRange }
  const deadline = startDeadline(timing.answerMs, signal, 'the bind was not answered')
  const response = await session.request('bind_transceiver', credentials, deadline.signal)
  deadline.end()
  if (response.kind !== 'response')
    return { why: response.kind === 'unanswered' ? response.why : 'stopped', isFinal: false }
  const status = response.pdu.command_status
  if (status === 0) return undefined
  return { why: `the bind was refused: ${statusName(status)}`, isFinal: wrongCredentials.has(status) }
}

/** Half to all of it at random, so that not all processes try at the same moment. */
export function jittered(ms: number): number {
  return ms * (0.5 + Math.random() / 2)
}
