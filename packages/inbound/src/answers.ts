/** Answering a contact: as a message of the fleet where that may write to it, else by the channel itself. */
import type { Client } from '@courier-fleet/client'
import { isProblem, retryWhileInProgress } from './api-problems.ts'

export interface Answer {
  readonly text: string
  /** names what is answered: one key is answered once */
  readonly key: string
}

export interface Answers {
  /**
   * Hands the answer to the fleet, once however often it is called.
   * @returns undefined when the fleet has it, or had it before. A text when the fleet may not write to this contact (a
   * stranger, or STOP) and this is the first call with this key in a day: the caller sends that text itself.
   * @throws ApiError · UnreachableError when nothing is known; to be repeated
   */
  give(address: string, answer: Answer): Promise<string | undefined>
}

export function createAnswers({ client, channel }: { client: Pick<Client, 'answer'>; channel: string }): Answers {
  return {
    async give(address, { text, key }) {
      try {
        await retryWhileInProgress(() => client.answer({ channel, address, text }, { idempotencyKey: key }))
        return undefined
      } catch (error) {
        if (isProblem(error, 'unknown-contact', 'opted-out')) return error.replayed ? undefined : text
        // answered before in other words, or not an address that anybody could have
        if (isProblem(error, 'idempotency-key-reused', 'bad-address')) return undefined
        throw error
      }
    },
  }
}
