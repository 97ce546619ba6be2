/**
 * One connection to an SMS centre, from connect to close, with what the `smpp` package leaves to its user: every request
 * ends, a broken or unknown PDU ends the connection instead of freezing it, and a request on a closed connection is told.
 */
import { atMost, reasonOf } from '@courier-fleet/process'
import { type ConnectOptions, type Pdu, type PduFields, smpp, unservedResponse } from './protocol.ts'
import { createRequests, type Response } from './requests.ts'

export interface SmppSession {
  /** aborted once the connection has ended, with the reason */
  readonly ended: AbortSignal
  /** resolves when it has */
  readonly whenEnded: Promise<void>
  /** aborted once nothing more may be asked: it has ended, or the centre has unbound and only answers are still to come */
  readonly closing: AbortSignal
  /** @param onLate takes the response when it comes after `signal` was aborted */
  request(command: string, fields: PduFields, signal: AbortSignal, onLate?: (pdu: Pdu) => void): Promise<Response>
  end(why: string): void
}

export interface SmppSessionOptions {
  readonly connect: ConnectOptions
  /** answers a deliver_sm with a command status; must not reject */
  readonly onDeliver: (pdu: Pdu) => Promise<number>
  /** when the centre unbinds, answers that are on their way are waited for so long */
  readonly answerMs: number
}

/** ESME_RX_T_APPN: the SMS centre keeps it and offers it again */
const later = 0x64
/** Of a centre that brings faster than anybody can take. */
const maxDelivering = 1000
/** Of a centre that asks and does not read the answers. */
const maxUnreadBytes = 4 * 1024 * 1024

export function openSession({ connect, onDeliver, answerMs }: SmppSessionOptions): SmppSession {
  const ended = new AbortController()
  const closing = new AbortController()
  const requests = createRequests()
  const session = smpp.connect(connect)
  let reason = 'the SMS centre closed the connection'
  let delivering = 0

  const end = (why: string) => {
    if (ended.signal.aborted) return
    reason = why
    session.destroy()
  }

  /** What is sent in one tick is written at once: a write for each PDU would be a system call for each. */
  const send = (pdu: Pdu): boolean => {
    const { socket } = session
    if (socket.writableLength > maxUnreadBytes) end('the SMS centre does not read what it is sent')
    if (socket.writableCorked === 0) {
      socket.cork()
      process.nextTick(() => socket.uncork())
    }
    return session.send(pdu)
  }

  const deliver = async (pdu: Pdu): Promise<void> => {
    delivering += 1
    const status = delivering > maxDelivering ? later : await onDeliver(pdu)
    delivering -= 1
    send(pdu.response({ command_status: status }))
  }

  /** Whoever was asked before is heard before the goodbye: a centre that has heard it says no more. */
  const leave = async (unbind: Pdu): Promise<void> => {
    reason = 'the SMS centre has unbound'
    closing.abort(new Error(reason))
    await atMost(answerMs, requests.idle())
    send(unbind.response())
    session.close()
  }

  const whenEnded = new Promise<void>((resolve) => session.on('close', resolve))
  session.socket.setNoDelay(true)
  session.on('error', (error) => end(error.message))
  session.on('close', () => {
    closing.abort(new Error(reason))
    ended.abort(new Error(reason))
    requests.end(reason)
  })
  session.on('pdu', (pdu) => {
    if (pdu.isResponse()) requests.take(pdu)
    else if (pdu.command === 'deliver_sm') void deliver(pdu)
    else if (pdu.command === 'enquire_link') send(pdu.response())
    else if (pdu.command === 'unbind') void leave(pdu)
    else {
      const unserved = unservedResponse(pdu)
      if (unserved) send(unserved)
    }
  })

  return {
    ended: ended.signal,
    whenEnded,
    closing: closing.signal,
    end,
    request(command, fields, signal, onLate) {
      if (closing.signal.aborted || signal.aborted) return Promise.resolve({ kind: 'not-sent' })
      return new Promise((resolve) => {
        const pdu = new smpp.PDU(command, fields)
        const settle = (response: Response) => {
          signal.removeEventListener('abort', giveUp)
          resolve(response)
        }
        const giveUp = () => {
          requests.giveUp(pdu.sequence_number)
          settle({ kind: 'unanswered', why: reasonOf(signal) })
        }
        if (!send(pdu)) return settle({ kind: 'not-sent' })
        requests.add(pdu.sequence_number, { command, settle, onLate })
        signal.addEventListener('abort', giveUp, { once: true })
      })
    },
  }
}
