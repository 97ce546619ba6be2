/** Requests of one session that wait for their response, by sequence number. */
import type { Pdu } from './protocol.ts'

export type Response =
  | { readonly kind: 'response'; readonly pdu: Pdu }
  /** it never left this process */
  | { readonly kind: 'not-sent' }
  | { readonly kind: 'unanswered'; readonly why: string }

export interface Request {
  readonly command: string
  /** its response, or that none will come */
  readonly settle: (response: Response) => void
  /** The response came after it was given up. */
  readonly onLate?: ((pdu: Pdu) => void) | undefined
}

export interface Requests {
  add(sequence: number, request: Request): void
  /** Nobody waits for this one any more; its response may still come. */
  giveUp(sequence: number): void
  take(response: Pdu): void
  /** No response will come to any. */
  end(why: string): void
  /** Resolves when nobody waits. */
  idle(): Promise<void>
}

/** Responses that are too late are waited for by so many requests; of more the first are forgotten. */
const maxGivenUp = 1000

export function createRequests(): Requests {
  const waiting = new Map<number, Request>()
  const givenUp = new Map<number, Request>()
  let idle = () => {}

  const settle = (sequence: number, response: Response) => {
    const request = waiting.get(sequence)
    waiting.delete(sequence)
    request?.settle(response)
    if (waiting.size === 0) idle()
  }

  return {
    add: (sequence, request) => void waiting.set(sequence, request),
    giveUp(sequence) {
      const request = waiting.get(sequence)
      waiting.delete(sequence)
      if (waiting.size === 0) idle()
      if (!request?.onLate) return
      givenUp.set(sequence, request)
      const [first] = givenUp.keys()
      if (givenUp.size > maxGivenUp && first !== undefined) givenUp.delete(first)
    },
    take(pdu) {
      const { sequence_number: sequence } = pdu
      const request = waiting.get(sequence) ?? givenUp.get(sequence)
      // a response to something else under this number is none
      if (!request || ![`${request.command}_resp`, 'generic_nack'].includes(pdu.command)) return
      const isMeaningless = pdu.command === 'generic_nack' && pdu.command_status === 0
      if (waiting.has(sequence))
        settle(sequence, isMeaningless ? { kind: 'unanswered', why: nackWithoutStatus } : { kind: 'response', pdu })
      else if (givenUp.delete(sequence) && !isMeaningless) request.onLate?.(pdu)
    },
    end(why) {
      for (const sequence of [...waiting.keys()]) settle(sequence, { kind: 'unanswered', why })
      givenUp.clear()
    },
    idle: () =>
      new Promise((resolve) => {
        idle = resolve
        if (waiting.size === 0) resolve()
      }),
  }
}

/** It refuses, and says that nothing is wrong: what became of the request nobody knows. */
const nackWithoutStatus = 'the SMS centre answered generic_nack, and no reason'
