/**
 * One connection to an SMS centre, from connect to close, with what the `smpp` package leaves to its user: every request
 * ends, a broken or unknown PDU ends the connection instead of freezing it, and a request on a closed connection is told.
 */
import { reasonOf } from '@courier-fleet/process'
import { type ConnectOptions, type Pdu, type PduFields, smpp } from './protocol.ts'

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

const unknownCommand = 0x03

export function openSession({ connect, onDeliver }: SmppSessionOptions): SmppSession {
  const ended = new AbortController()
  const unanswered = new Set<(response: Response) => void>()
  const session = smpp.connect(connect)
  let reason = 'the SMS centre closed the connection'

  const end = (why: string) => {
    if (ended.signal.aborted) return
    reason = why
    session.destroy()
  }

  /** What is sent in one tick is written at once: a write for each PDU would be a system call for each. */
  const send: typeof session.send = (pdu, onResponse) => {
    const { socket } = session
    if (socket.writableCorked === 0) {
      socket.cork()
      process.nextTick(() => socket.uncork())
    }
    return session.send(pdu, onResponse)
  }

  session.socket.setNoDelay(true)
  session.on('error', (error) => end(error.message))
  session.on('close', () => {
    ended.abort(new Error(reason))
    for (const settle of unanswered) settle({ kind: 'unanswered', why: reason })
  })
  session.on('pdu', (pdu) => {
    if (pdu.isResponse()) return
    if (pdu.command === 'deliver_sm') onDeliver(pdu).then((status) => send(pdu.response({ command_status: status })))
    else if (pdu.command === 'enquire_link') send(pdu.response())
    else if (pdu.command === 'unbind') {
      send(pdu.response())
      session.close()
    } else send(pdu.response({ command_status: unknownCommand }))
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
