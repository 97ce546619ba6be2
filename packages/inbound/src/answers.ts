/** Answering a contact: through the fleet where it can be written to there, else by whoever heard it. */
import type { Client } from '@courier-fleet/client'
import { isProblem, patiently } from './patiently.ts'

export interface Answer {
  readonly text: string
  /** what it answers: under one key nobody is answered twice */
  readonly key: string
}

export interface Answers {
  /**
   * Accepted by the fleet when it resolves to undefined, once however often it is called; or said before. Otherwise the fleet
   * has nobody to write to (a stranger, or STOP), and this is the first call with this key in a day: the caller says it itself.
   * @throws ApiError · UnreachableError when nothing is known; to be repeated
   */
  give(address: string, answer: Answer): Promise<string | undefined>
}

export function createAnswers({ client, channel }: { client: Pick<Client, 'answer'>; channel: string }): Answers {
  return {
    async give(address, { text, key }) {
      try {
        await patiently(() => client.answer({ channel, address, text }, { idempotencyKey: key }))
        return undefined
      } catch (error) {
        if (isProblem(error, 'unknown-contact', 'opted-out')) return error.replayed ? undefined : text
        // said before, in other words; or to what is no address at all
        if (isProblem(error, 'idempotency-key-reused', 'bad-address')) return undefined
        throw error
      }
    },
  }
}
