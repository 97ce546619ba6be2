/**
 * One connection to an SMS centre, from connect to close, with what the `smpp` package leaves to its user: every request
 * ends, a broken or unknown PDU ends the connection instead of freezing it, and a request on a closed connection is told.
 */
import { reasonOf } from '@courier-fleet/process'
import { type ConnectOptions, type Pdu, type PduFields, smpp, unservedResponse } from './protocol.ts'

export type Response =
  | { readonly kind: 'response'; readonly pdu: Pdu }
  /** it never left this process */
  | { readonly kind: 'not-sent' }
  | { readonly kind: 'unanswered'; readonly why: string }

export interface SmppSession {
  /** aborted once the connection has ended, with the reason */
  readonly ended: AbortSignal
  request(command: string, fields: PduFields, signal: AbortSignal): Promise<Response>
  end(why: string): void
}

export interface SmppSessionOptions {
  readonly connect: ConnectOptions
  /** answers a deliver_sm with a command status; must not reject */
  readonly onDeliver: (pdu: Pdu) => Promise<number>
}

/** ESME_RX_T_APPN: the SMS centre keeps it and offers it again */
const later = 0x64
/** Of a centre that brings faster than anybody can take. */
const maxDelivering = 1000
/** Of a centre that asks and does not read the answers. */
const maxUnreadBytes = 4 * 1024 * 1024

export function openSession({ connect, onDeliver }: SmppSessionOptions): SmppSession {
  const ended = new AbortController()
  const unanswered = new Set<(response: Response) => void>()
  const session = smpp.connect(connect)
  let reason = 'the SMS centre closed the connection'
  let delivering = 0

  const end = (why: string) => {
    if (ended.signal.aborted) return
    reason = why
    session.destroy()
  }

  /** What is sent in one tick is written at once: a write for each PDU would be a system call for each. */
  const send: typeof session.send = (pdu, onResponse) => {
    const { socket } = session
    if (socket.writableLength > maxUnreadBytes) end('the SMS centre does not read what it is sent')
    if (socket.writableCorked === 0) {
      socket.cork()
      process.nextTick(() => socket.uncork())
    }
    return session.send(pdu, onResponse)
  }

  const deliver = async (pdu: Pdu): Promise<void> => {
    delivering += 1
    const status = delivering > maxDelivering ? later : await onDeliver(pdu)
    delivering -= 1
    send(pdu.response({ command_status: status }))
  }

  session.socket.setNoDelay(true)
  session.on('error', (error) => end(error.message))
  session.on('close', () => {
    ended.abort(new Error(reason))
    for (const settle of unanswered) settle({ kind: 'unanswered', why: reason })
  })
  session.on('pdu', (pdu) => {
    if (pdu.isResponse()) return
    if (pdu.command === 'deliver_sm') void deliver(pdu)
    else if (pdu.command === 'enquire_link') send(pdu.response())
    else if (pdu.command === 'unbind') {
      send(pdu.response())
      session.close()
    } else {
      const unserved = unservedResponse(pdu)
      if (unserved) send(unserved)
    }
  })

  return {
    ended: ended.signal,
    end,
    request(command, fields, signal) {
      if (ended.signal.aborted || signal.aborted) return Promise.resolve({ kind: 'not-sent' })
      return new Promise((resolve) => {
        const settle = (response: Response) => {
          unanswered.delete(settle)
          signal.removeEventListener('abort', giveUp)
          resolve(response)
        }
        const giveUp = () => settle({ kind: 'unanswered', why: reasonOf(signal) })
        unanswered.add(settle)
        signal.addEventListener('abort', giveUp)
        const sent = send(new smpp.PDU(command, fields), (pdu) => settle({ kind: 'response', pdu }))
        if (!sent) settle({ kind: 'not-sent' })
      })
    },
  }
}
